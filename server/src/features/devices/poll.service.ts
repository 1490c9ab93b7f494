import { createHash } from 'node:crypto';
import type { Tx } from '#db/tenant.ts';
import { proveSources } from '#features/log-sources/public.ts';
import { deleteArrivingRouter, findLeavingRouter } from '#features/moves/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { randomToken } from '#lib/ids.ts';
import { oneLine } from '#lib/one-line.ts';
import { captiveOrigin, panelOrigin } from '#lib/origins.ts';
import { plainAddress } from '#lib/plain-address.ts';
import { driverOf } from '#routers/drivers.ts';
import * as commandQueries from './commands.queries.ts';
import { pushAll } from './commands.service.ts';
import { loginFileUrl } from './login-file.service.ts';
import { openHostsAt } from './open-hosts.ts';
import { markSeen, requireMessageAuthenticator } from './radius.queries.ts';
import * as queries from './router-link.queries.ts';

const maxAttempts = 12;
/** Maximum number of commands in one answer. */
const maxCommands = 20;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The address that routers poll. */
export const pollUrl = (app: App, slug: string, nas: string): string =>
  `${panelOrigin(app.settings, slug)}/v1/device/poll/${nas}`;

/** Makes a new token for a router's script. Only its hash is stored. */
export async function makePollToken(tx: Tx, deviceId: string): Promise<string> {
  const token = randomToken();
  await queries.addPollToken(tx, deviceId, hashOf(token));
  return token;
}

function tokenOf({ request }: Context): { token: string; hash: Buffer } {
  const token = request.headers['x-portico-token'];
  if (typeof token !== 'string' || !/^[\w-]{20,100}$/.test(token)) throw new AppError('not_signed_in');
  return { token, hash: hashOf(token) };
}

/** The router that polls; undefined without a valid token. */
async function findRouter(call: Context, nas: string) {
  const { token, hash } = tokenOf(call);
  const device = await call.app.db.withSystem(tx => queries.findByPollToken(tx, nas, hash));
  const polling = device && driverOf(device.brand).control?.polling;
  return polling && { ...device, polling, token, hash };
}

/** The answer to a router whose tenant leaves: to ask at the new address. A wrong token gets the answer of an unknown router. */
async function leavingScript(call: Context, nas: string): Promise<string> {
  const { token, hash } = tokenOf(call);
  const router = await call.app.db.withSystem(tx => findLeavingRouter(tx, nas, hash));
  const moved = router && driverOf(router.brand).control?.polling?.moved;
  if (!moved) throw new AppError('not_signed_in');
  // It polls again in a minute.
  if (router.state === 'frozen') throw new AppError('tenant_moving');
  return moved({ url: `${router.panel_url}/v1/device/poll/${nas}`, token });
}

/** The waiting commands as a script. They are marked as sent. The router reports the results or polls again. */
export async function poll(
  call: Context,
  { nas, version }: { nas: string; version: string | undefined },
): Promise<string> {
  const { app } = call;
  const device = await findRouter(call, nas);
  if (!device) return leavingScript(call, nas);
  const url = `${pollUrl(app, device.slug, nas)}/answer`;
  // Providers may be asked for their hosts, which takes too long for a transaction.
  const open =
    device.arriving || device.pages_due ? await openHostsAt(app, device.tenant_id, device.location_id) : undefined;
  return app.db.withTenant(device.tenant_id, async tx => {
    const known = version && /^[\w.+-]+$/.test(version) ? version : null;
    const fresh = await queries.markPolled(tx, device.id, { hash: device.hash, version: known });
    // The router may have been reset or replaced since.
    if (fresh) await pushAll(tx, { deviceId: device.id, userId: null });
    // The address of the request is not stored, because it may be a proxy's. Disconnect-Requests are sent to the address
    // known from RADIUS.
    await markSeen(tx, [{ id: device.id, at: new Date() }]);
    if (known && driverOf(device.brand).sendsMessageAuthenticator?.(known))
      await requireMessageAuthenticator(tx, [device.id]);
    // The token proves the address for log lines. A proxy's header counts only if a setting trusts the proxy.
    await proveSources(tx, [{ device: device.id, address: plainAddress(call.request.ip), proof: 'poll' }]);
    if (device.arriving) {
      return device.polling.arrive({
        ...{ nasIdentifier: nas, captiveUrl: captiveOrigin(app.settings, device.slug), coaPort: device.coa_port },
        radius: {
          host: new URL(panelOrigin(app.settings, device.slug)).hostname,
          auth_port: app.settings.RADIUS_AUTH_PORT,
          acct_port: app.settings.RADIUS_ACCT_PORT,
        },
        syslogPort: app.settings.SYSLOG_PORT,
        netflowPort: app.settings.NETFLOW_PORT,
        openHosts: open?.hosts ?? [],
        loginFileUrl: loginFileUrl(app, device.slug, { nas, brand: device.brand }),
        report: { url, token: device.token, id: device.arriving },
      });
    }
    await commandQueries.failStale(tx, device.id, maxAttempts);
    const waiting = await commandQueries.waitingForPoll(tx, device.id, maxCommands);
    const { script, count } = device.polling.script(
      waiting.map(({ id, command }) => ({ id, command })),
      { url, token: device.token, version: known },
    );
    const sent = waiting.slice(0, count).map(({ id }) => id);
    if (sent.length) await commandQueries.claimForPoll(tx, device.id, sent);
    // Some routers lose their files at a restart, and providers come and go.
    return !script && open && (await queries.claimPages(tx, device.id))
      ? device.polling.pages(loginFileUrl(app, device.slug, { nas, brand: device.brand }), open)
      : script;
  });
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** An id. Older RouterOS versions append the line at which a failed command stopped. */
const resultPattern = new RegExp(`^(${uuid})(?:\\.(\\d{1,2}))?$`);
const reasonPattern = new RegExp(`^(${uuid}) (.+)$`);
const parts = (text: string, by: string, form: RegExp) =>
  text.split(by).flatMap(part => {
    const [, id, more] = form.exec(part) ?? [];
    return id ? [{ id, more }] : [];
  });

/** The results of fetched commands, with the router's own error text where it sends one. */
export async function answer(
  call: Context,
  nas: string,
  results: { done: string; failed: string; words: string },
): Promise<void> {
  const device = await findRouter(call, nas);
  if (!device) throw new AppError('not_signed_in');
  const ids = parts(results.done, ',', resultPattern).map(({ id }) => id);
  if (device.arriving && ids.length > 0) await call.app.db.withSystem(tx => deleteArrivingRouter(tx, { nas, ids }));
  const done = parts(results.done, ',', resultPattern).map(({ id }) => ({ id, state: 'done' as const, words: '' }));
  const words = new Map(parts(results.words, '\n', reasonPattern).map(({ id, more = '' }) => [id, oneLine(more)]));
  const failures = parts(results.failed, ',', resultPattern);
  await call.app.db.withTenant(device.tenant_id, async tx => {
    const commands = new Map(
      (
        await commandQueries.commandsOf(
          tx,
          device.id,
          failures.map(it => it.id),
        )
      ).map(({ id, command }) => [id, command]),
    );
    const failed = failures.map(({ id, more }) => {
      const command = commands.get(id);
      const line = command && more !== undefined ? device.polling.line(command, Number(more)) : undefined;
      return {
        id,
        state: 'failed' as const,
        words: words.get(id) ?? (line ? oneLine(`stopped at: ${line}`) : ''),
      };
    });
    await commandQueries.answerPolled(tx, device.id, [...done, ...failed]);
  });
}
