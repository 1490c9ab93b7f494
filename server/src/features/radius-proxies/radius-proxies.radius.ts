import { radsecSecret } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import type { CertifiedProxy, RadiusHandlers, RadiusProxy } from '#radius/types.ts';
import * as queries from './radius-proxies.queries.ts';

const proxyOf = (row: queries.TrustedProxy, secret: Buffer): RadiusProxy => ({
  id: row.id,
  tenantId: row.tenant_id,
  address: row.address ?? undefined,
  secret,
  requireMessageAuthenticator: row.require_message_authenticator,
  locations: new Set(row.locations),
});

/** The handlers of proxies. */
export const proxyHandlers = (app: Pick<App, 'db' | 'secrets'>): Pick<RadiusHandlers, 'listProxies' | 'seenProxy'> => ({
  listProxies: async () => {
    const rows = await app.db.withSystem(queries.allProxies);
    return rows.flatMap(row => {
      const secret = app.secrets.read(row.secret);
      return secret === undefined ? [] : [proxyOf(row, Buffer.from(secret))];
    });
  },
  seenProxy: async (proxy, at) => {
    await app.db.withTenant(proxy.tenantId, tx => queries.markProxySeen(tx, proxy.id, at));
  },
});

/** The proxies of valid certificates, by fingerprint (SHA-256, hex). */
export async function certifiedProxies(
  { db }: Pick<App, 'db'>,
  fingerprints: readonly string[],
): Promise<Map<string, CertifiedProxy>> {
  const rows = await db.withSystem(tx => queries.findCertifiedProxies(tx, fingerprints));
  return new Map(
    rows.map(row => [
      row.certificate_fingerprint!.toString('hex'),
      { id: row.id, proxy: proxyOf(row, radsecSecret), expiresAt: new Date(row.certificate_expires_at!) },
    ]),
  );
}
