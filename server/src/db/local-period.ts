import sql, { type Sql } from 'sql-template-tag';

/** The bounds of a period of local times, worked out in one zone. `until` is not part of it. */
export interface LocalPeriod {
  readonly since: string | Sql;
  readonly until: string | Sql;
  readonly zone: string;
}

/**
 * The condition that a time lies in a period by the clocks of its row's location, for rows of several zones. No two zones
 * are 27 hours apart. So the plain outer bounds are for the index, and times well inside need no look at the location. A
 * period that ends before it starts holds no time.
 */
export const inLocalPeriod = (time: Sql, location: Sql, { since, until, zone }: LocalPeriod): Sql => sql`
  ${time} >= ${since}::timestamptz - interval '27 hours' and ${time} < ${until}::timestamptz + interval '27 hours'
  and (${time} >= ${since}::timestamptz + interval '27 hours' and ${time} < ${until}::timestamptz - interval '27 hours'
    or (select tsrange(least(${since}::timestamptz, ${until}::timestamptz) at time zone ${zone}, ${until}::timestamptz at time zone ${zone}))
      @> (${time} at time zone coalesce((select l.time_zone from locations l where l.id = ${location}), ${zone})))`;
