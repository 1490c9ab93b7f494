import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { App } from '#lib/app.ts';
import type { GuestRequest } from '../arrival/check-arrival.ts';
import { findRefusal } from './refusals.queries.ts';

/** Why a verified guest is still refused; null if it is not. */
export const refusalFor = (
  app: App,
  { context, visit }: GuestRequest,
  visitorId: string,
): Promise<GuestProblem | null> =>
  app.db.readTenant(context.tenantId, tx =>
    findRefusal(tx, { visitorId, deviceId: context.device_id, mac: visit.mac, ip: visit.ip }),
  );
