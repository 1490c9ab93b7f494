import { isDeepStrictEqual } from 'node:util';
import { type ConnectionForm, protocolOf } from '@portico/contract/router-control.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { outboundAddress } from '#lib/outbound.ts';
import type { Secrets } from '#lib/secrets.ts';
import { findDriver } from '#routers/drivers.ts';
import { asRouterError, RouterError, type RouterLink } from '#routers/router-control.ts';
import * as queries from './devices.queries.ts';

type Call = Context & { actor: Actor };
export type Connection = ConnectionForm;

/** The stored connection. Undefined if there is none, or if it was encrypted with another SECRET_KEY. */
export function readConnection(secrets: Secrets, text: string | null): Connection | undefined {
  const stored = text === null ? undefined : secrets.read(text);
  return stored === undefined ? undefined : (JSON.parse(stored) as Connection);
}

/** Keeps an omitted password, but only for the same host, because it must not be sent to another one. */
function withPassword(form: ConnectionForm, before: Connection | undefined, field: string): Connection {
  if (form.password !== undefined || !before) return form;
  if (before.password && before.host !== form.host) throw invalid({ [field]: 'required' });
  return { ...form, password: before.password };
}

/** The connection as it is stored, encrypted. What is left out keeps its value. */
export function encryptConnection(
  secrets: Secrets,
  form: { [K in keyof ConnectionForm]?: ConnectionForm[K] | undefined } | null | undefined,
  before: string | null,
): string | null | undefined {
  if (!form) return form;
  const known = readConnection(secrets, before);
  const { host = known?.host, port = known?.port, username = known?.username } = form;
  if (host === undefined || port === undefined || username === undefined) {
    const missing = Object.entries({ host, port, username }).filter(([, value]) => value === undefined);
    throw invalid(Object.fromEntries(missing.map(([field]) => [`connection.${field}`, 'required' as const])));
  }
  const { password, protocol = known?.protocol } = form;
  const whole = { host, port, username, ...(password !== undefined && { password }), ...(protocol && { protocol }) };
  const given = JSON.stringify(withPassword(whole, known, 'connection.password'));
  // Encrypted again it would look like a change.
  return isDeepStrictEqual(JSON.parse(given), known) ? before : secrets.encrypt(given);
}

/** Whether two connections lead to the same router, so that its pinned certificate stays valid. */
export const sameRouter = (a: Connection | undefined, b: Connection | undefined): boolean =>
  a?.host === b?.host && a?.port === b?.port;

/** Opens a connection to a router, unless its address is not allowed. */
export async function openRouter(
  app: App,
  connection: Connection,
  it: { brand: string; pin: string | null; timeoutMs: number },
): Promise<RouterLink> {
  const control = findDriver(it.brand)?.control;
  if (!control) throw new RouterError('refused', 'routers of this brand take no commands');
  const host = connection.host.replace(/^\[(.*)\]$/, '$1');
  const address = await outboundAddress(host, app.settings.ROUTERS_INSIDE).catch(() => {
    throw new RouterError('unreachable', `no address is known for ${host}`);
  });
  if (!address) throw new RouterError('refused', 'this address is not allowed');
  return control.open({
    host,
    address,
    port: connection.port,
    username: connection.username,
    password: connection.password ?? '',
    protocol: protocolOf(connection),
    pin: it.pin ?? undefined,
    timeoutMs: it.timeoutMs,
  });
}

/**
 * Signs in once with the values of the form and stores nothing. A failure is reported at the field that it concerns.
 */
export async function testConnection(call: Call, id: string, form: ConnectionForm) {
  const { app, actor, inTenant } = call;
  const device = found(await inTenant(tx => queries.findDevice(tx, actor.reach, id)));
  const saved = readConnection(app.secrets, device.connection);
  const connection = withPassword(form, saved, 'password');
  const known = sameRouter(saved, connection);
  let link: RouterLink | undefined;
  try {
    link = await openRouter(app, connection, {
      brand: device.brand.slug,
      pin: known ? device.certificate : null,
      timeoutMs: app.settings.COA_TIMEOUT * 1000,
    });
    return { protocol: protocolOf(connection), ...(await link.identify()), certificate: link.certificate };
  } catch (error) {
    const { kind, message } = asRouterError(error);
    throw invalid({ [kind === 'login' ? 'password' : 'host']: ['connection_failed', { words: message }] });
  } finally {
    link?.close();
  }
}
