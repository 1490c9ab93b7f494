import { decideSignIns, type SignInDecision } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import type { GuestContext } from '../guest-context.ts';

/** The decision that RADIUS gives about a user name at a device. `same`: a ticket or a MAC, which is its own password. */
export async function authorizeGuest(
  app: App,
  context: GuestContext,
  guest: { username: string; mac: string; ip: string; same?: boolean },
): Promise<SignInDecision> {
  const request = {
    tenant: context.tenantId,
    device: context.device_id,
    user_name: guest.username,
    mac: guest.mac,
    ip: guest.ip,
    key: newId(),
    same: guest.same ?? false,
  };
  const [decision] = await app.db.withSystem(tx => decideSignIns(tx, [request]));
  return decision!;
}
