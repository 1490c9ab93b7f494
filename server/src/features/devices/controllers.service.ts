import type { App } from '#lib/app.ts';
import { RouterError, type RouterLink } from '#routers/router-control.ts';
import { openRouter, readConnection } from './connection.service.ts';
import { findConnection, pinCertificate } from './router-link.queries.ts';

/** Opens the connection of a device, and pins the certificate that it shows first; undefined without a connection. */
export async function openController(
  app: App,
  { tenantId, deviceId }: { readonly tenantId: string; readonly deviceId: string },
): Promise<RouterLink | undefined> {
  const row = await app.db.withTenant(tenantId, tx => findConnection(tx, deviceId));
  if (!row) return undefined;
  const connection = readConnection(app.secrets, row.connection);
  if (!connection) throw new RouterError('login', 'the stored password cannot be read: enter the connection again');
  const timeoutMs = app.settings.COA_TIMEOUT * 1000;
  const link = await openRouter(app, connection, { brand: row.brand, pin: row.certificate, timeoutMs });
  const { certificate } = link;
  if (certificate && !row.certificate)
    await app.db.withTenant(tenantId, tx => pinCertificate(tx, deviceId, { certificate, connection: row.connection }));
  return link;
}
