import { paymentHosts } from '@portico/contract/payment-hosts.ts';
import type { App } from '#lib/app.ts';
import { knownProvider, type OpenidClient, signInHosts } from '#lib/openid.ts';
import type { OpenHosts } from '#routers/router-control.ts';
import { openConnectionsAt } from './devices.queries.ts';

/** More providers than these are not asked. */
const maxConnections = 20;

/** Where a guest signs in at a provider. One that does not answer keeps the host of its name. */
async function hostsOf({ settings, secrets }: App, sealed: string): Promise<OpenHosts> {
  const text = secrets.read(sealed);
  if (text === undefined) return { hosts: [], isComplete: false };
  const connection = JSON.parse(text) as OpenidClient;
  try {
    return { hosts: signInHosts(connection, await knownProvider(settings, connection)), isComplete: true };
  } catch {
    return { hosts: signInHosts(connection), isComplete: false };
  }
}

/** The hosts that the routers of a location let guests reach before they are online, besides the portal. */
export async function openHostsAt(app: App, tenantId: string, locationId: string): Promise<OpenHosts> {
  const connections = await app.db.withTenant(tenantId, tx => openConnectionsAt(tx, locationId, maxConnections));
  const all = await Promise.all(
    connections.map(({ kind, connection }) =>
      kind === 'openid' ? hostsOf(app, connection) : { hosts: paymentHosts[kind], isComplete: true },
    ),
  );
  return {
    hosts: [...new Set(all.flatMap(it => it.hosts))],
    isComplete: connections.length < maxConnections && all.every(it => it.isComplete),
  };
}
