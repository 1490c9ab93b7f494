import { paymentHosts } from '@portico/contract/payment-hosts.ts';
import type { App } from '#lib/app.ts';
import { knownProvider, type OpenidClient } from '#lib/openid.ts';
import { openConnectionsAt } from './devices.queries.ts';

const hostOf = (address: string): string[] => (URL.canParse(address) ? [new URL(address).hostname] : []);

/** Where a guest signs in at a provider. One that does not answer keeps the host of its name. */
async function signInHosts({ settings, secrets }: App, sealed: string): Promise<string[]> {
  let own: string[] = [];
  try {
    const connection = JSON.parse(secrets.decrypt(sealed)) as OpenidClient;
    own = hostOf(connection.issuer);
    const { authorization_endpoint = '' } = (await knownProvider(settings, connection)).serverMetadata();
    return [...own, ...hostOf(authorization_endpoint)];
  } catch {
    return own;
  }
}

/** The hosts that the routers of a location let guests reach before they are online, besides the portal. */
export async function openHostsAt(app: App, tenantId: string, locationId: string): Promise<string[]> {
  const connections = await app.db.withTenant(tenantId, tx => openConnectionsAt(tx, locationId));
  const hosts = await Promise.all(
    connections.map(({ kind, connection }) => (kind === 'openid' ? signInHosts(app, connection) : paymentHosts[kind])),
  );
  return [...new Set(hosts.flat())];
}
