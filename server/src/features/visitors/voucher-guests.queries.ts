import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** Visitors who signed in with a voucher. */

const noLimit = (option: string) => ({ is_active: false, option, value: 1 });

/** Creates the visitor of a voucher. Its access ends `valid_for` from now, and at the latest with the last day. */
export const insertVoucherGuest = (
  tx: Tx,
  id: string,
  it: {
    locationId: string;
    deviceId: string;
    name: string;
    profileId: string | null;
    devices: number;
    validFor: object;
    validUntil: string | null;
  },
) =>
  tx.run(sql`
    insert into visitors (id, location_id, device_id, provider_type, name, profile_id, shared_user, session_start_at, session_end_at,
      session_duration, max_upload, max_download)
    select ${id}, l.id, ${it.deviceId}, 'voucher', ${it.name}, ${it.profileId}, ${it.devices}, now(),
      least(now() + make_interval(secs => limit_seconds(${it.validFor}::jsonb)), voucher_end(${it.validUntil}::date, l.time_zone)),
      ${noLimit('day')}, ${noLimit('mbps')}, ${noLimit('mbps')}
    from locations l where l.id = ${it.locationId}`);

/** Ends the access of visitors after so many seconds from now, where it would end later. */
export const shortenVoucherGuests = (tx: Tx, guests: readonly { id: string; seconds: number }[]) =>
  tx.run(sql`
    update visitors v set session_end_at = now() + make_interval(secs => g.seconds), updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(guests)}::jsonb) as g(id uuid, seconds double precision)
    where v.id = g.id and (v.session_end_at is null or v.session_end_at > now() + make_interval(secs => g.seconds))`);

/**
 * Gives these visitors more days by the clocks of the location, if their access is running, or ended with the last day of
 * their batch: those have the new last day, which counts from today where the old one has passed. Guests who added a voucher of
 * another batch may have access for longer, and keep it.
 */
export const extendVoucherGuests = (
  tx: Tx,
  it: { visitorIds: readonly string[]; days: number; lastDay: string | null; newLastDay: string | null },
) =>
  tx.run(sql`
    update visitors v set updated_at = now(), session_end_at = greatest(v.session_end_at,
      case when v.session_end_at = voucher_end(${it.lastDay}::date, l.time_zone) then voucher_end(${it.newLastDay}::date, l.time_zone)
      else least(
        ((v.session_end_at at time zone l.time_zone) + make_interval(days => ${it.days})) at time zone l.time_zone,
        voucher_end(${it.newLastDay}::date, l.time_zone)) end)
    from locations l
    where l.id = v.location_id and v.id = any(${it.visitorIds}) and v.erased_at is null
      and (v.session_end_at > now() or v.session_end_at = voucher_end(${it.lastDay}::date, l.time_zone))`);

// The limits in total of a profile count per visitor, so that a second voucher would add none of them.
const canTakeMore = sql`
  v.provider_type = 'voucher' and v.erased_at is null and not v.blocked and v.session_end_at is not null
  and not exists (select from profiles p where p.id = v.profile_id
    and (limit_bytes(p.total_quota) is not null or limit_seconds(p.total_duration) is not null))`;

/** The guest of a voucher that another one could extend; locked until the transaction ends. */
export const lockVoucherGuest = (tx: Tx, id: string, locationId: string) =>
  tx.maybe<{ profile_id: string | null; shared_user: number }>(sql`
    select v.profile_id, v.shared_user from visitors v
    where v.id = ${id} and v.location_id = ${locationId} and ${canTakeMore} for no key update of v`);

/** Whether a guest has a voucher that another one could extend. */
export const canAddVoucher = async (tx: Tx, id: string, locationId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from visitors v where v.id = ${id} and v.location_id = ${locationId} and ${canTakeMore}`)) !== undefined;

/**
 * Adds the time of a voucher to that of its guest, until the last day of the voucher. Returns what it added; undefined if the
 * access would not end later. A voucher without a limit and a last day ends no access.
 */
export const addVoucherTime = (tx: Tx, id: string, it: { validFor: object; validUntil: string | null }) =>
  tx.maybe<{ added_from: string; added_until: string | null }>(sql`
    update visitors v set session_end_at = x.ends, updated_at = now()
    from (select w.id, greatest(w.session_end_at, now()) as begins,
      least(greatest(w.session_end_at, now()) + make_interval(secs => limit_seconds(${it.validFor}::jsonb)),
        voucher_end(${it.validUntil}::date, l.time_zone)) as ends
      from visitors w join locations l on l.id = w.location_id where w.id = ${id}) x
    where v.id = x.id and (x.ends is null or x.ends > v.session_end_at)
    returning x.begins as added_from, x.ends as added_until`);

// The sale is recorded in the transaction of the first use.
const ofVoucher = sql`s.kind = 'voucher' and s.visitor_id = k.visitor_id and s.batch_id = k.batch_id and s.sold_at = k.used_at`;

/** The voucher of a sale; undefined if its guest was deleted or moved. */
export const findVoucherOfSale = (tx: Tx, saleId: string) =>
  tx.maybe<{ id: string; visitor_id: string; revoked_at: string | null }>(sql`
    select k.id, k.visitor_id, k.revoked_at from sales s join vouchers k on ${ofVoucher} where s.id = ${saleId} limit 1`);

/** The vouchers of guests as parts of their access, the newest first. */
export interface VoucherPart {
  visitor_id: string;
  id: string;
  /** Until the end of the access; null: it has none. */
  left: number | null;
  /** How much the voucher added, in seconds: null if that is without end, or if it began the access. */
  added: number | null;
  /** From now until the voucher's part began. */
  begins: number | null;
}

/** The sale of voucher `k` was reversed, so that it gives nothing any more. */
const isReversed = sql`exists (
  select from sales s join sales r on r.reverses = s.id where ${ofVoucher})`;

/**
 * The access from the vouchers of these guests, without vouchers that were revoked or whose sale was reversed before.
 * `endedNow`: those that are being revoked or reversed. Locks the guests.
 */
export async function lockParts(tx: Tx, visitorIds: readonly string[], endedNow: readonly string[]) {
  await tx.run(sql`select from visitors where id = any(${visitorIds}) order by id for no key update`);
  return tx.many<VoucherPart & Record<string, unknown>>(sql`
    select k.visitor_id, k.id, extract(epoch from v.session_end_at - now())::float8 as "left",
      case when k.added_from is null then limit_seconds(b.valid_for)::float8
        else extract(epoch from k.added_until - k.added_from)::float8 end as added,
      extract(epoch from k.added_from - now())::float8 as begins
    from vouchers k join visitors v on v.id = k.visitor_id join voucher_batches b on b.id = k.batch_id
    where k.visitor_id = any(${visitorIds}) and (k.revoked_at is null or k.id = any(${endedNow})) and not ${isReversed}
    order by k.visitor_id, k.used_at desc, k.id desc`);
}
