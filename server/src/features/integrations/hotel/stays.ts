import { createHash } from 'node:crypto';
import type { StayProfile } from '@portico/contract/integration-kinds.ts';
import type { Tx } from '#db/tenant.ts';
import { changeStays, endStays } from '#features/sessions/public.ts';
import { applyStays, endHotelGuests, type Stay } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { isSuspiciouslyEmpty } from '../pms/empty.ts';
import * as queries from './hotel-stays.queries.ts';

/** A guest of a stay as a hotel system reports it. */
export interface HotelStay {
  /** The number that the system uses for the stay. */
  readonly reservation: string;
  /** The number of the person, if the system has one. */
  readonly profile_number: string | null;
  readonly firstname: string;
  readonly surname: string;
  readonly room: string;
  /** Local days or times at the hotel, `2026-11-20` or `2026-11-20 14:00:00`. */
  readonly arrival: string | null;
  readonly departure: string | null;
  readonly birth_date: string | null;
  readonly id_number: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly vip: string | null;
  readonly rate: string | null;
  readonly shared: boolean;
  readonly no_charges: boolean;
}

/** Where the stays belong to. */
export interface Hotel {
  readonly id: string;
  readonly location_id: string;
  readonly time_zone: string;
  readonly profiles: readonly StayProfile[];
}

/** A guest without a known departure may stay so long, unless the hotel reports the check-out. */
const openStayDays = 30;

const localTime = (timeZone: string, at = Date.now()): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at);

function timeOf(text: string | null, clock: string): string | null {
  const time = text && (text.length > 10 ? text.replace('T', ' ').slice(0, 19) : `${text} ${clock}`);
  return time && isRealTime(time) ? time : null;
}

/**
 * Whether a local time is one that PostgreSQL takes, between the years 1900 and 9999. Systems have days such as 0000-00-00, 2026-02-31
 * and those of the year 10000. One of them must not keep the other guests out.
 */
export function isRealTime(text: string): boolean {
  const [, day] =
    /^((?:19|[2-9]\d)\d\d-\d\d-\d\d) (?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?|24:00(?::00)?)$/.exec(text) ?? [];
  const time = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day!);
}

/** The guest is in the house, so access does not begin later than now. */
function timesOf(stay: HotelStay, { time_zone }: Hotel): { starts: string; ends: string } {
  const now = localTime(time_zone);
  const arrival = timeOf(stay.arrival, '00:00:00');
  const departure = timeOf(stay.departure, '23:59:59');
  const starts = arrival && arrival < now ? arrival : now;
  return { starts, ends: departure ?? localTime(time_zone, Date.now() + openStayDays * 86_400_000) };
}

const profileOf = ({ profiles }: Hotel, stay: HotelStay): string | null =>
  profiles.find(it => (it.by === 'vip' ? stay.vip : stay.rate)?.toUpperCase() === it.code.toUpperCase())?.profile_id ??
  null;

/**
 * The id of a visitor: the reservation, the person and the first arrival. The room is not part of it, because a guest who moves
 * is the same guest. A reservation number that is used again later is another stay.
 */
const externalId = (stay: HotelStay, starts: string): string =>
  createHash('sha256')
    .update([stay.reservation, stay.profile_number ?? '', starts.slice(0, 10)].join('|'))
    .digest('hex')
    .slice(0, 32);

/**
 * A text of a hotel system as PostgreSQL stores it: without control characters and half characters, which a cut may leave too. One
 * bad row must not keep the others out.
 */
export const clean = (text: string, max = 1000): string =>
  text.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim().slice(0, max).toWellFormed().replaceAll('\uFFFD', '');
const cleanOrNull = (text: string | null, max?: number): string | null => (text && clean(text, max)) || null;

const cleanStay = (it: HotelStay): HotelStay => ({
  ...it,
  reservation: clean(it.reservation),
  profile_number: cleanOrNull(it.profile_number),
  firstname: clean(it.firstname),
  surname: clean(it.surname),
  room: clean(it.room, 32),
  birth_date: cleanOrNull(it.birth_date),
  id_number: cleanOrNull(it.id_number, 64),
  email: cleanOrNull(it.email?.toLowerCase() ?? null, 254),
  phone: cleanOrNull(it.phone, 32),
  vip: cleanOrNull(it.vip),
  rate: cleanOrNull(it.rate),
});

/** Applies a report in a transaction: of all guests in the house, or of some. Call `sendSoon` after it. */
export async function applyHotelStays(
  app: App,
  tx: Tx,
  hotel: Hotel & { last_read_empty?: boolean },
  all: readonly HotelStay[],
  { isComplete }: { isComplete: boolean },
): Promise<void> {
  const stays = all.map(cleanStay).filter(it => it.reservation && it.room && (it.surname || it.firstname));
  if (isComplete && (await isSuspiciouslyEmpty(tx, hotel, stays.length))) return;
  if (!isComplete && stays.length === 0) return;
  const known = await queries.findStays(tx, hotel.id, [...new Set(stays.map(it => it.reservation))], hotel.time_zone);
  const encrypt = (text: string | null) => (text ? app.secrets.encrypt(text) : null);
  const rows = new Map<string, { visitor: Stay; stay: queries.StayRow }>();
  for (const it of stays) {
    const times = timesOf(it, hotel);
    const here = known.find(
      row => row.reservation === it.reservation && row.profile_number === it.profile_number && !row.left_at,
    );
    const external_id = here?.external_id ?? externalId(it, times.starts);
    const starts = here?.starts && here.starts < times.starts ? here.starts : times.starts;
    // The hotel lets a guest leave before the arrival: a mistake of the system, so the guest has no access.
    if (times.ends <= starts) continue;
    rows.set(external_id, {
      visitor: {
        external_id,
        name: clean([it.firstname, it.surname].filter(Boolean).join(' '), 120),
        room_number: it.room,
        birth_date: encrypt(it.birth_date),
        citizen_id: encrypt(it.id_number),
        email: it.email,
        phone: it.phone,
        starts,
        ends: times.ends,
        ...(hotel.profiles.length > 0 && { profile_id: profileOf(hotel, it) }),
      },
      stay: {
        external_id,
        reservation: it.reservation,
        profile_number: it.profile_number,
        surname: encrypt(it.surname || it.firstname),
        vip: it.vip,
        rate: it.rate,
        shared: it.shared,
        no_charges: it.no_charges,
      },
    });
  }
  const report = { integrationId: hotel.id, locationId: hotel.location_id, zone: hotel.time_zone, isComplete };
  const visitors = [...rows.values()].map(it => it.visitor);
  const changed = await applyStays(tx, report, visitors);
  await queries.saveStays(
    tx,
    { integrationId: hotel.id, locationId: hotel.location_id },
    [...rows.values()].map(it => it.stay),
  );
  if (isComplete) await queries.leaveOthers(tx, hotel.id, [...rows.keys()]);
  await endStays(tx, hotel.id);
  await changeStays(tx, changed);
}

/** A check-out: the access of the guests of the reservation ends now. One that is not known changes nothing. */
export async function checkOut(tx: Tx, integrationId: string, reservation: string): Promise<void> {
  const guests = await queries.leaveReservation(tx, integrationId, clean(reservation));
  if (!guests.length) return;
  await endHotelGuests(tx, guests);
  await endStays(tx, integrationId);
}
