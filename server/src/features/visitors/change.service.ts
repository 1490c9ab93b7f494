import { isLocalTime } from '@portico/contract/fields.ts';
import type { ChangedVisitor, ExtendForm, MoveForm } from '@portico/contract/visitor-changes.ts';
import type { Tx } from '#db/tenant.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { findPrice } from '#features/profiles/public.ts';
import { soldNow } from '#features/reports/public.ts';
import { chargeRoom } from '#features/room-charges/public.ts';
import { found, invalid } from '#http/app-error.ts';
import { checkExpected, expectedEnd } from '#http/expected-end.ts';
import { momentsAt } from './import.queries.ts';
import { endsAfter, sellDays } from './paid-days.service.ts';
import { queueCommands, sendCommands } from './running.service.ts';
import { changed, trace } from './trace.service.ts';
import * as queries from './visitors.queries.ts';
import { type Call, describe, notErased } from './visitors.service.ts';

/** Changes one visitor, and its running sessions with it. */
async function change(
  call: Call,
  id: string,
  work: (tx: Tx, before: queries.StoredVisitor) => Promise<queries.VisitorChange>,
  afterSale?: (tx: Tx) => Promise<void>,
): Promise<ChangedVisitor> {
  const { visitor, told } = await call.inTenant(async tx => {
    const before = notErased(found(await queries.findVisitor(tx, call.actor.reach, id, 'lock')));
    await queries.updateVisitor(tx, id, await work(tx, before));
    await sellDays(tx, [id]);
    await afterSale?.(tx);
    const after = found(await queries.findVisitor(tx, call.actor.reach, id));
    await trace(tx, call.actor, 'update', after, changed(before, after));
    return { visitor: describe(call, after), told: await queueCommands(tx, call.actor, id) };
  });
  sendCommands(call, told);
  return { ...visitor, told };
}

/** Charges what was just sold to the room of the visitor. */
async function chargeDays(tx: Tx, visitorId: string, language: 'tr' | 'en'): Promise<void> {
  const sold = await soldNow(tx, visitorId);
  if (!sold) throw invalid({ charge_room: 'room_no_price' });
  const words = language === 'tr' ? `Wi-Fi, ${sold.days} gün` : `Wi-Fi, ${sold.days} days`;
  const { id: saleId, amount, currency } = sold;
  if (!(await chargeRoom(tx, { key: saleId, saleId, visitorId, amount, currency, words })))
    throw invalid({ charge_room: 'room_no_charge' });
}

/** More time. Days on a paid profile are days sold. */
export const extendVisitor = (call: Call, id: string, form: ExtendForm): Promise<ChangedVisitor> => {
  const charge = form.charge_room ? (tx: Tx) => chargeDays(tx, id, call.language) : undefined;
  const extend = async (tx: Tx, before: queries.StoredVisitor): Promise<queries.VisitorChange> => {
    const { days, until: typed } = form;
    const { session_end_at: end, location_id: locationId, profile_id: profileId } = before;
    checkExpected(expectedEnd(form.expected_end_at, end), {
      field: 'expected_paid_day',
      expected: form.expected_paid_day,
      stored: before.total_paid_day,
      message: 'days_changed',
    });
    const start = before.session_start_at ? Date.parse(before.session_start_at) : 0;
    const until = typed && isLocalTime(typed) ? (await momentsAt(tx, locationId, [typed]))[0] : typed;
    if (until && Date.parse(until) <= Date.now()) throw invalid({ until: 'in_future' });
    if (until && Date.parse(until) <= start) throw invalid({ until: 'after_start' });
    if (!days) return { session_end_at: until ?? end };
    const paid = profileId ? (await findPrice(tx, locationId, profileId))?.paid_sale.is_active : false;
    if (!end && !paid) throw invalid({ days: 'no_end' });
    return {
      ...(await endsAfter(tx, before, days, Boolean(paid))),
      ...(paid && { total_paid_day: before.total_paid_day + days }),
    };
  };
  return change(call, id, extend, charge);
};

export const pauseVisitor = (call: Call, id: string): Promise<ChangedVisitor> =>
  change(call, id, async () => ({ blocked: true }));

export const resumeVisitor = (call: Call, id: string): Promise<ChangedVisitor> =>
  change(call, id, async () => ({ blocked: false }));

/** A visitor who has paid for no days gets a paid profile in its form, where days are sold with it. */
async function checkMove(
  tx: Tx,
  locationId: string,
  profileId: string | null | undefined,
  { total_paid_day: days, profile_id, session_end_at: end }: queries.StoredVisitor,
): Promise<void> {
  if (!profileId) return;
  const profile = await findPrice(tx, locationId, profileId);
  if (!profile) throw invalid({ profile_id: 'unknown' });
  if (profile.paid_sale.is_active && days === 0 && !end && profileId !== profile_id)
    throw invalid({ profile_id: 'paid_profile' });
}

/** Another profile, or another location with one of its profiles: sessions at the old one end. */
export const moveVisitor = (call: Call, id: string, form: MoveForm): Promise<ChangedVisitor> =>
  change(call, id, async (tx, before) => {
    const to = form.location_id ?? before.location_id;
    if (to === before.location_id) {
      // Without a profile in the request, the default is not meant.
      if (form.profile_id === undefined) throw invalid({ profile_id: 'required' });
      await checkMove(tx, to, form.profile_id, before);
      return { profile_id: form.profile_id ?? null };
    }
    const locationId = await chooseLocation(tx, call.actor, to);
    await checkMove(tx, locationId, form.profile_id, before);
    if (before.username && (await queries.usernameTaken(tx, locationId, before.username, id)))
      throw invalid({ location_id: 'username_there' });
    const { secrets } = call.app;
    const number = before.provider_type === 'citizen-id' && before.citizen_id && secrets.read(before.citizen_id);
    if (number && (await queries.citizenTaken(tx, locationId, secrets.index(number), id)))
      throw invalid({ location_id: 'username_there' });
    if (await queries.portalMacTaken(tx, locationId, id)) throw invalid({ location_id: 'username_there' });
    return { location_id: locationId, profile_id: form.profile_id ?? null, device_id: null };
  });
