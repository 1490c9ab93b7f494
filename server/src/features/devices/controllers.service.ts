import type { App } from '#lib/app.ts';
import { asRouterError, RouterError, type RouterLink } from '#routers/router-control.ts';
import { openRouter, readConnection } from './connection.service.ts';
import { type ControllerPlace, noteFailure, watched } from './controller-states.service.ts';
import { findConnection, pinCertificate } from './router-link.queries.ts';

/**
 * Opens the connection of a device, and pins the certificate that it shows first; undefined without a connection. How the
 * controller answers is remembered, for the doctor and for those who look after the device.
 */
export async function openController(app: App, at: ControllerPlace): Promise<RouterLink | undefined> {
  const row = await app.db.withTenant(at.tenantId, tx => findConnection(tx, at.deviceId));
  if (!row) return undefined;
  try {
    return watched(app, at, await open(app, at, row));
  } catch (error) {
    await noteFailure(app, at, asRouterError(error));
    throw error;
  }
}

async function open(
  app: App,
  { tenantId, deviceId }: ControllerPlace,
  row: NonNullable<Awaited<ReturnType<typeof findConnection>>>,
): Promise<RouterLink> {
  const connection = readConnection(app.secrets, row.connection);
  if (!connection) throw new RouterError('login', 'the stored password cannot be read: enter the connection again');
  const timeoutMs = app.settings.COA_TIMEOUT * 1000;
  const link = await openRouter(app, connection, { brand: row.brand, pin: row.certificate, timeoutMs });
  const { certificate } = link;
  if (certificate && !row.certificate)
    await app.db.withTenant(tenantId, tx => pinCertificate(tx, deviceId, { certificate, connection: row.connection }));
  return link;
}
