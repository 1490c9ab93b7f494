import sql from 'sql-template-tag';
import { localTime } from '#db/local-time.ts';
import type { Tx } from '#db/tenant.ts';
import { isReported } from '#features/sessions/public.ts';
import type { DueMail } from './report-mails.queries.ts';

type Period = Pick<DueMail, 'location_id' | 'time_zone' | 'first_day' | 'last_day'>;
type Row = readonly (string | number | null)[];

const rowsOf = async (rows: Promise<{ row: Row }[]>): Promise<Row[]> => (await rows).map(({ row }) => row);

/** The visits, guests and bytes of each day of the period, including empty days. */
export const visitRows = (tx: Tx, it: Period) =>
  rowsOf(
    tx.many<{ row: Row }>(sql`
      select json_build_array(d.day::date::text, coalesce(s.sessions, 0), coalesce(g.guests, 0), coalesce(s.download, 0), coalesce(s.upload, 0),
        coalesce(f.failed, 0)) as row
      from generate_series(${it.first_day}::date, ${it.last_day}::date, '1 day') d(day)
      left join lateral (
        select sum(sessions)::bigint as sessions, round(sum(download) / 10000) / 100 as download, round(sum(upload) / 10000) / 100 as upload
        from session_days where location_id = ${it.location_id} and day = d.day::date) s on true
      left join lateral (
        select count(*) as guests from visitor_days where location_id = ${it.location_id} and day = d.day::date) g on true
      left join lateral (
        select count(*) as failed from failed_logins where location_id = ${it.location_id}
          and created_at >= d.day::timestamp at time zone ${it.time_zone}
          and created_at < (d.day::timestamp + interval '1 day') at time zone ${it.time_zone}) f on true
      order by d.day`),
  );

export const saleRows = (tx: Tx, it: Period, withNames: boolean) =>
  rowsOf(
    tx.many<{ row: Row }>(sql`
      select json_build_array(s.sold_on::text, case when ${withNames} then v.name else regexp_replace(v.name, '(\\S)\\S*', '\\1***', 'g') end,
        f.name, s.days, s.unit_price, s.total, upper(s.currency)) as row
      from sales s left join visitors v on v.id = s.visitor_id left join profiles f on f.id = s.profile_id
      where s.location_id = ${it.location_id} and s.sold_on between ${it.first_day}::date and ${it.last_day}::date
      order by s.sold_on, s.id limit ${maxRows + 1}`),
  );

/** Maximum rows in a mail. The panel shows all of them. */
export const maxRows = 20_000;

/** The sessions that started in the period, newest first. */
export const sessionRows = (tx: Tx, it: Period, withNames: boolean) =>
  rowsOf(
    tx.many<{ row: Row }>(sql`
      select json_build_array(
        case when ${withNames} then v.name else regexp_replace(v.name, '(\\S)\\S*', '\\1***', 'g') end,
        case when ${withNames} then v.phone else '***' || right(v.phone, 2) end, upper(s.client_mac::text), host(s.client_ip),
        ${localTime(sql`s.started_at`, it.time_zone)},
        ${localTime(sql`s.ended_at`, it.time_zone)},
        case when ${isReported} then round(s.download / 10000) / 100 end, case when ${isReported} then round(s.upload / 10000) / 100 end) as row
      from (
        select * from (
          select visitor_id, client_mac, client_ip, started_at, ended_at, download, upload, acct_session_id from session_history
          where location_id = ${it.location_id} and started_at >= ${it.first_day}::timestamp at time zone ${it.time_zone}
            and started_at < (${it.last_day}::timestamp + interval '1 day') at time zone ${it.time_zone}
          union all
          select visitor_id, client_mac, client_ip, started_at, null, download, upload, acct_session_id from online_sessions
          where location_id = ${it.location_id} and started_at >= ${it.first_day}::timestamp at time zone ${it.time_zone}
            and started_at < (${it.last_day}::timestamp + interval '1 day') at time zone ${it.time_zone}) a
        order by started_at desc limit ${maxRows + 1}) s
      left join visitors v on v.id = s.visitor_id order by s.started_at desc`),
  );
