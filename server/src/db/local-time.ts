import sql, { type Sql } from 'sql-template-tag';

/**
 * A moment on the clocks of a zone with its offset, for files: `2026-10-25 02:10:00+01`. Without it, a time that occurs
 * twice when the clocks go back would be ambiguous. PostgreSQL writes it so in the export of sessions.
 */
export function localTime(moment: Sql, zone: string | Sql): Sql {
  const local = sql`(${moment} at time zone ${zone})`;
  const offset = sql`(${local} - ${moment} at time zone 'UTC')`;
  // Of a negative interval, to_char would write the sign before the minutes too.
  return sql`to_char(${local}, 'YYYY-MM-DD HH24:MI:SS') || case when ${offset} < interval '0' then '-' else '+' end
          || replace(to_char(greatest(${offset}, -${offset}), 'HH24:MI'), ':00', '')`;
}
