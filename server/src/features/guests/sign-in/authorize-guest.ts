import { decideSignIns, type SignInDecision } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { createBatcher } from '#radius/batcher.ts';
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

interface Pending {
  readonly request: Parameters<typeof decideSignIns>[1][number];
  readonly resolve: (decision: SignInDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** Decides simultaneous guests in one query, so that a rush costs few queries. */
export function createAuthorizer(app: App): AuthorizeGuest {
  const decide = async (batch: readonly Pending[]): Promise<void> => {
    try {
      const requests = batch.map(it => it.request);
      const decisions = await app.db.systemTrip(tx => decideSignIns(tx, requests));
      for (const [i, it] of batch.entries()) it.resolve(decisions[i]!);
    } catch (error) {
      // One guest's bad input must not fail the others. A ticket is used once per key, also if it is asked again.
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const it of batch) await decide([it]);
    }
  };
  const { add } = createBatcher<Pending>({ size: 50, waitMs: 2, inFlight: 2, capacity: Infinity, run: decide });
  return (context, { username, mac, ip, same = false }) => {
    const { tenantId: tenant, device_id: device } = context;
    const request = { tenant, device, user_name: username, mac, ip, key: newId(), same };
    return new Promise((resolve, reject) => add({ request, resolve, reject }));
  };
}
