import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { gatherByTenant } from '#db/gather.ts';
import type { App } from '#lib/app.ts';
import type { GuestRequest } from '../guest-context.ts';
import { findRefusals, type RefusalQuery } from './refusals.queries.ts';

/** Why a verified guest is still refused; null if it is not. */
export type RefusalFor = (request: GuestRequest, visitorId: string) => Promise<GuestProblem | null>;

export function createRefusals(app: App): RefusalFor {
  const reasonOf = gatherByTenant((tenantId, batch: readonly RefusalQuery[]) =>
    app.db.readTenant(tenantId, tx => {
      // Planning takes longer than running, on each connection of a rush.
      tx.useGenericPlans();
      return findRefusals(tx, batch);
    }),
  );
  return async ({ context, visit }, visitorId) => {
    const guest = { visitorId, deviceId: context.device_id, mac: visit.mac, ip: visit.ip };
    const reason = await reasonOf(context.tenantId, guest);
    if (reason === undefined) throw new Error('The visitor or its device is gone');
    return reason;
  };
}
