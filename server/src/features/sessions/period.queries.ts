import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { offsetMs, zonedMoment } from '#lib/moments.ts';

const hasOffset = (text: string): boolean => /(Z|[+-]\d{2}:\d{2})$/.test(text);

/** A text as a time in this zone, unless it contains an offset. */
const timeOf = (text: string, zone: Sql): Sql =>
  hasOffset(text) ? sql`${text}::timestamptz` : sql`(${text}::timestamp at time zone ${zone})`;

/** Adds a time to a date without one, such as `2026-11-20`. */
const withTime = (text: string | undefined, time: string): string | undefined =>
  text?.length === 10 ? `${text} ${time}` : text;

/** No zone is further from UTC: Kiribati in the east, Baker Island in the west. */
const [east, west] = [14 * 3_600_000, 12 * 3_600_000];

/**
 * Whether a period ends before it begins. The zone is unknown here: if only one of its times has an offset, the period is
 * reversed if it is so in every zone.
 */
export function isReversed(from: string | undefined, to: string | undefined): boolean {
  const [first, last] = [withTime(from, '00:00:00'), withTime(to, '23:59:59')];
  if (!first || !last) return false;
  const at = (text: string) => Date.parse(hasOffset(text) ? text : `${text.replace(' ', 'T')}Z`);
  if (hasOffset(first) === hasOffset(last)) return at(last) < at(first);
  return hasOffset(first) ? at(last) + west < at(first) : at(last) < at(first) - east;
}

/**
 * Local times, including the end; `2026-11-20` is a whole day. By default, a period ends today and begins `days` days
 * before its end.
 */
interface Between {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly days: number;
}

function bounds(zone: Sql, it: Between): { since: Sql; until: Sql } {
  const from = withTime(it.from, '00:00:00');
  const to = withTime(it.to, '23:59:59');
  const today = sql`date_trunc('day', now() at time zone ${zone})`;
  const last = to ? sql`date_trunc('day', ${timeOf(to, zone)} at time zone ${zone})` : today;
  return {
    since: from ? timeOf(from, zone) : sql`((${last} - make_interval(days => ${it.days})) at time zone ${zone})`,
    until: to
      ? sql`(${timeOf(to, zone)} + interval '1 second')`
      : sql`((${today} + interval '1 day') at time zone ${zone})`,
  };
}

/** The moment of a local time plus `after` milliseconds; undefined if PostgreSQL has to calculate it. */
function exactMoment(text: string | undefined, timeZone: string, after: number): Sql | undefined {
  const moment = text && zonedMoment(text.length === 16 ? `${text}:00` : text, timeZone);
  return moment ? sql`${new Date(moment.getTime() + after).toISOString()}::timestamptz` : undefined;
}

/**
 * The bounds of a period in a time zone, as SQL. Constants are preferred, because every partition would evaluate an
 * expression again.
 */
export function periodIn(timeZone: string, it: Between): { since: Sql; until: Sql } {
  const { since, until } = bounds(sql`${timeZone}::text`, it);
  return {
    since: exactMoment(withTime(it.from, '00:00:00'), timeZone, 0) ?? since,
    until: exactMoment(withTime(it.to, '23:59:59'), timeZone, 1000) ?? until,
  };
}

export interface Period {
  readonly zone: string;
  readonly since: string;
  readonly until: string;
}

const dayMs = 86_400_000;
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The bounds of a period of whole days; undefined if PostgreSQL has to calculate them. */
function wholeDays(timeZone: string, { from, to, days }: Between): Period | undefined {
  if ([from, to].some(day => day !== undefined && day.length !== 10)) return undefined;
  // The last day may be one that the zone skipped.
  if (to && !from) return undefined;
  const now = Date.now();
  const last = Date.parse(to ?? dateOf(now + offsetMs(now, timeZone)));
  const first = from ?? dateOf(last - days * dayMs);
  const since = zonedMoment(`${first} 00:00:00`, timeZone);
  const end = zonedMoment(to ? `${to} 23:59:59` : `${dateOf(last + dayMs)} 00:00:00`, timeZone);
  if (!since || !end) return undefined;
  return { zone: timeZone, since: since.toISOString(), until: new Date(end.getTime() + (to ? 1000 : 0)).toISOString() };
}

/** The bounds of a period in a time zone. Those of whole days need no query. */
export async function periodOf(tx: Tx, timeZone: string, it: Between): Promise<Period> {
  const whole = wholeDays(timeZone, it);
  if (whole) return whole;
  const { since, until } = bounds(sql`z.zone`, it);
  return tx.one<Period>(
    sql`select z.zone, ${since} as since, ${until} as until from (select ${timeZone}::text as zone) z`,
  );
}
