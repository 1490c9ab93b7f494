import type { extendForm } from '@portico/contract/customers.ts';
import type { Location } from '@portico/contract/locations.ts';
import type { z } from 'zod';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { leaveLocation } from '#features/auth/public.ts';
import {
  findLocation,
  licenseLocation,
  resumeLocation,
  setOwner,
  suspendLocation,
} from '#features/locations/public.ts';
import { notify } from '#features/notifications/public.ts';
import { keepPortals } from '#features/portals/public.ts';
import { tellOfWebhooksOf } from '#features/team/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import { checkExpected, expectedEnd } from '#http/expected-end.ts';
import * as queries from './customers.queries.ts';

const subjectOf = ({ id, name }: Location) => ({ type: 'location' as const, id, name });

/** Locks the customer until the transaction ends; 404 if it does not belong to the actor. */
async function lockCustomer(tx: Tx, actor: Actor, id: string): Promise<Location> {
  await queries.lockCustomers(tx, actor, [id]);
  return found(await findLocation(tx, actor, id));
}

/** Licenses all customers or none. The call is refused if one of them does not belong to the actor. */
export async function extendLicences(
  tx: Tx,
  actor: Actor,
  { ids, expected_end_at: expected = {}, ...license }: z.output<typeof extendForm>,
): Promise<number> {
  const wanted = [...new Set(ids)];
  if ((await queries.lockCustomers(tx, actor, wanted)) !== wanted.length) throw invalid({ ids: 'selected_gone' });
  const ends = await queries.licenceEnds(tx, wanted);
  checkExpected(...ends.map(it => expectedEnd(expected[it.id], it.license_end_at, `expected_end_at.${it.id}`)));
  for (const id of wanted) await licenseLocation(tx, actor, id, license);
  return wanted.length;
}

export async function suspendCustomer(tx: Tx, actor: Actor, id: string): Promise<Location> {
  const before = await lockCustomer(tx, actor, id);
  const by = actor.isTeamAdmin ? 'tenant-admin' : 'reseller';
  // An administrator's suspension replaces a reseller's, not the other way round.
  if (before.suspended_by === 'tenant-admin' || before.suspended_by === by) return before;
  await suspendLocation(tx, id, by);
  return tell(tx, actor, before, 'location_suspended');
}

export async function resumeCustomer(tx: Tx, actor: Actor, id: string): Promise<Location> {
  const before = await lockCustomer(tx, actor, id);
  if (!before.suspended_at) return before;
  if (before.suspended_by === 'tenant-admin' && !actor.isTeamAdmin) throw new AppError('suspended_above');
  await resumeLocation(tx, id);
  return tell(tx, actor, before, 'location_resumed');
}

async function tell(
  tx: Tx,
  actor: Actor,
  before: Location,
  kind: 'location_suspended' | 'location_resumed',
): Promise<Location> {
  const after = found(await findLocation(tx, actor, before.id));
  await notify(tx, {
    kind,
    to: { location: after.id },
    data: { location: after.name },
    locationId: after.id,
  });
  await audit(tx, actor, { verb: 'update', subject: subjectOf(after), locationId: after.id, before, after });
  return after;
}

/** Transfers a customer. The receiver is identified by e-mail address, so that resellers do not see each other. */
export async function handOver(tx: Tx, actor: Actor, id: string, email: string | null): Promise<void> {
  const customer = await lockCustomer(tx, actor, id);
  const receiver = email === null ? undefined : await queries.findReceiver(tx, email);
  if (email !== null && !receiver) throw invalid({ email: 'no_receiver' });
  const ownerId = receiver?.id ?? null;
  const before = await queries.ownerOf(tx, id);
  if (before === ownerId) throw invalid({ email: 'has_it' });
  if (before) await leaveLocation(tx, before, id);
  await setOwner(tx, id, ownerId);
  if (before) await tellOfWebhooksOf(tx, before, id);
  await keepPortals(tx, id);
  const data = { location: customer.name, user: await queries.nameOf(tx, actor.userId) };
  const about = { kind: 'customer_given', data, locationId: id } as const;
  if (ownerId !== actor.userId)
    await notify(tx, { ...about, to: ownerId ? { users: [ownerId] } : { tenant: 'admins' } });
  await audit(tx, actor, {
    verb: 'grant',
    subject: subjectOf(customer),
    locationId: id,
    before: { owner: before && (await queries.nameOf(tx, before)) },
    after: { owner: receiver?.name ?? null },
  });
}
