import { bisectOnError } from '#db/batches.ts';
import { decideSignIns, type SignInDecision } from '#features/sessions/public.ts';
import { AppError } from '#http/app-error.ts';
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

/** Guests who wait for a decision. More than these are told at once that the database is away. */
const mostWaiting = 1000;

/** Decides simultaneous guests in one query, so that a rush costs few queries. */
export function createAuthorizer(app: App): AuthorizeGuest {
  const decideAll = async (batch: readonly Pending[]): Promise<undefined[]> => {
    const requests = batch.map(it => it.request);
    const decisions = await app.db.systemTrip(tx => decideSignIns(tx, requests));
    // At once, because another part of the batch may fail. A ticket is used once per key, also if it is asked again.
    return batch.map((it, i) => void it.resolve(decisions[i]!));
  };
  const run = async (batch: readonly Pending[]): Promise<void> => {
    await bisectOnError(batch, decideAll, (it, error) => void it.reject(error)).catch((error: unknown) => {
      for (const it of batch) it.reject(error);
    });
  };
  const { add } = createBatcher<Pending>({ size: 50, waitMs: 2, inFlight: 2, capacity: mostWaiting, run });
  return (context, { username, mac, ip, same = false }) => {
    const { tenantId: tenant, device_id: device } = context;
    const request = { tenant, device, user_name: username, mac, ip, key: newId(), same };
    return new Promise((resolve, reject) => {
      if (!add({ request, resolve, reject })) reject(new AppError('away'));
    });
  };
}
