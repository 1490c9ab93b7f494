import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The time zone in which somebody means times: that of the location, else the product's default. */
export const zoneOf = async (tx: Tx, locationId: string | null): Promise<string> =>
  (await tx.maybe<{ time_zone: string }>(sql`select time_zone from locations where id = ${locationId}`))?.time_zone ??
  'Europe/Istanbul';

/** A period given in local times, `to` included; either left out: `from` the given days ago, `to` the end of today. */
export const periodOf = (
  tx: Tx,
  zone: string,
  it: { from?: string | undefined; to?: string | undefined; days: number },
) =>
  tx.one<{ since: string; until: string }>(sql`
    select coalesce(${it.from ?? null}::timestamp, date_trunc('day', now() at time zone ${zone}) - make_interval(days => ${it.days})) at time zone ${zone} as since,
      coalesce(${it.to ?? null}::timestamp + interval '1 second', date_trunc('day', now() at time zone ${zone}) + interval '1 day') at time zone ${zone} as until`);
