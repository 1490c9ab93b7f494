import { markSeen } from '#features/devices/public.ts';
import { openUnreported } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import type { GuestContext } from '../guest-context.ts';
import type { OnlineFacts, Visit } from '../guest-state.ts';

/** Opens the session that the portal granted, for a router that reports none. It begins when the router sends the guest here. */
export async function openUnreportedSession(
  app: App,
  { driver, device_id: deviceId, tenantId }: GuestContext,
  { mac, ip }: Visit,
  facts: OnlineFacts,
): Promise<void> {
  const ends = Number(facts.ends);
  if (driver.speaksRadius || !facts.class || ends * 1000 < Date.now()) return;
  await openUnreported(app, { tenantId, deviceId, mac, ip, class: facts.class, ends });
  await app.db.withTenant(tenantId, tx => markSeen(tx, deviceId, { at: new Date() }));
}
