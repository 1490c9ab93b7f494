import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { defaultZone, zonedMoment } from '#lib/moments.ts';

const zoned = (text: string): boolean => /(Z|[+-]\d{2}:\d{2})$/.test(text);

/** A text as a time: of this zone, unless it names its own offset. */
const timeOf = (text: string, zone: Sql): Sql =>
  zoned(text) ? sql`${text}::timestamptz` : sql`(${text}::timestamp at time zone ${zone})`;

/** `2026-11-20` as the beginning or the end of that day. */
const whole = (text: string | undefined, time: string): string | undefined =>
  text?.length === 10 ? `${text} ${time}` : text;

/** True where a period would end before it begins; of a local time and one of another zone that cannot be told here. */
export function isReversed(from: string | undefined, to: string | undefined): boolean {
  const [first, last] = [whole(from, '00:00:00'), whole(to, '23:59:59')];
  if (!first || !last || zoned(first) !== zoned(last)) return false;
  const at = (text: string) => Date.parse(zoned(text) ? text : `${text.replace(' ', 'T')}Z`);
  return at(last) < at(first);
}

/**
 * Local times, the end included; `2026-11-20` is a whole day. Left out: to the end of today, and from the beginning of the day
 * that is `days` before the end.
 */
interface Between {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly days: number;
}

function bounds(zone: Sql, it: Between): { since: Sql; until: Sql } {
  const from = whole(it.from, '00:00:00');
  const to = whole(it.to, '23:59:59');
  const today = sql`date_trunc('day', now() at time zone ${zone})`;
  const last = to ? sql`date_trunc('day', ${timeOf(to, zone)} at time zone ${zone})` : today;
  return {
    since: from ? timeOf(from, zone) : sql`((${last} - make_interval(days => ${it.days})) at time zone ${zone})`,
    until: to
      ? sql`(${timeOf(to, zone)} + interval '1 second')`
      : sql`((${today} + interval '1 day') at time zone ${zone})`,
  };
}

/** The moment of a text without a zone, `after` a while; undefined where PostgreSQL must be asked. */
function known(text: string | undefined, timeZone: string, after: number): Sql | undefined {
  const moment = text && zonedMoment(text.length === 16 ? `${text}:00` : text, timeZone);
  return moment ? sql`${new Date(moment.getTime() + after).toISOString()}::timestamptz` : undefined;
}

/**
 * The beginning and the end of a period in local times of a time zone, for the query that needs them. As moments where they
 * can be: each month's partition would work them out anew.
 */
export function periodIn(timeZone: string, it: Between): { since: Sql; until: Sql } {
  const { since, until } = bounds(sql`${timeZone}::text`, it);
  return {
    since: known(whole(it.from, '00:00:00'), timeZone, 0) ?? since,
    until: known(whole(it.to, '23:59:59'), timeZone, 1000) ?? until,
  };
}

export interface Period {
  /** In which local times are meant: the location's, else the product's default. */
  readonly zone: string;
  readonly since: string;
  readonly until: string;
}

/** A period in local times of a location. */
export const periodOf = (tx: Tx, locationId: string | null, it: Between) => {
  const { since, until } = bounds(sql`z.zone`, it);
  return tx.one<Period>(sql`
    select z.zone, ${since} as since, ${until} as until
    from (select coalesce((select l.time_zone from locations l where l.id = ${locationId}), ${defaultZone}) as zone) z`);
};
