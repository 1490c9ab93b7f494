import { markSeen } from '#features/devices/public.ts';
import { openUnreported } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import type { GuestContext } from '../guest-context.ts';
import type { PackedGrant } from './unreported-grant.ts';

/**
 * Opens the session that the portal granted, for a router that reports none: once a controller has admitted the guest, else
 * when the router sends the guest here.
 */
export async function openUnreportedSession(
  app: App,
  { driver, device_id: deviceId, tenantId }: GuestContext,
  { mac, ip, class: grantClass, ends, key }: PackedGrant,
): Promise<void> {
  if (driver.speaksRadius || ends * 1000 < Date.now()) return;
  await openUnreported(app, { tenantId, deviceId, mac, ip, class: grantClass, ends, key });
  await app.db.withTenant(tenantId, tx => markSeen(tx, [{ id: deviceId, at: new Date() }]));
}
