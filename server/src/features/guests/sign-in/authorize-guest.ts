import { gather } from '#db/gather.ts';
import { decideSignIns, type SignInDecision } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import type { GuestContext } from '../guest-context.ts';

interface GuestOfContext {
  readonly username: string;
  readonly mac: string;
  readonly ip: string;
  /** The user name is a ticket or a MAC, which is its own password. */
  readonly same?: boolean;
}

/** The decision that RADIUS gives about a user name at a device. */
export type AuthorizeGuest = (context: GuestContext, guest: GuestOfContext) => Promise<SignInDecision>;

/** Decides simultaneous guests in one query. A ticket is used once per key, also if it is asked again. */
export function createAuthorizer(app: App): AuthorizeGuest {
  const decide = gather((batch: Parameters<typeof decideSignIns>[1]) =>
    app.db.systemTrip(tx => decideSignIns(tx, batch)),
  );
  return (context, { username, mac, ip, same = false }) => {
    const { tenantId: tenant, device_id: device } = context;
    return decide({ tenant, device, user_name: username, mac, ip, key: newId(), same });
  };
}
