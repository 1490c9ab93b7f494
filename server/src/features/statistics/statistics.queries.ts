import type { Overview, Visits } from '@portico/contract/statistics.ts';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { inLocalPeriod } from '#db/local-period.ts';
import { andDevice, andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

/**
 * The scope of the actor's question, and its period from `since` to `until`. Roll-ups use the local days and hours of
 * each location: for several locations, equal local times are added up.
 */
export interface CountFilter {
  readonly scope: Scope;
  readonly deviceIds?: readonly string[] | undefined;
  readonly since: string;
  readonly until: string;
  readonly zone: string;
}

const andSelected = (it: CountFilter, location: Sql, device?: Sql): Sql => sql`
  ${device ? andDevice(it.scope, location, device) : andLocation(it.scope, location)}
  ${it.deviceIds && device ? sql`and ${device} = any(${it.deviceIds})` : empty}`;

/** The devices to which the scope is limited; null without a limit. */
const visibleDevices = (scope: Scope): readonly string[] | null =>
  scope.kind === 'locations' ? scope.deviceIds : null;

/** The local days that a period touches. */
const days = (it: CountFilter) => sql`between (${it.since}::timestamptz at time zone ${it.zone})::date
  and ((${it.until}::timestamptz - interval '1 second') at time zone ${it.zone})::date`;

/** The preceding period of the same length in local days and hours, regardless of clock changes. */
export const periodBefore = (tx: Tx, it: CountFilter) =>
  tx.one<Pick<CountFilter, 'since' | 'until'>>(sql`
    select (p.since - (p.until - p.since)) at time zone ${it.zone} as since, p.since at time zone ${it.zone} as until
    from (select ${it.since}::timestamptz at time zone ${it.zone} as since, ${it.until}::timestamptz at time zone ${it.zone} as until) p`);

const failedLogins = (it: CountFilter) => sql`
  (select count(*) from failed_logins f where ${inLocalPeriod(sql`f.created_at`, sql`f.location_id`, it)}
    ${andSelected(it, sql`f.location_id`, sql`f.device_id`)}) as failed_logins`;
/**
 * Visitors with the days on which they began a session. Of all locations or of devices they come from an index alone. Of
 * chosen locations they are read in `visitor_days`, whose key begins with the location.
 */
const visitorDays = (it: CountFilter): Sql =>
  it.deviceIds || visibleDevices(it.scope) || it.scope.kind === 'tenant'
    ? sql`select d.visitor_id, d.day from visitor_device_days d
        where d.day ${days(it)} ${andSelected(it, sql`d.location_id`, sql`d.device_id`)}`
    : sql`select d.visitor_id, d.day from visitor_days d where d.sessions > 0 and d.day ${days(it)} ${andSelected(it, sql`d.location_id`)}`;

/** A caller limited to devices sees visitors of these devices, and those without one. */
const andVisible = (it: CountFilter): Sql => {
  const limit = visibleDevices(it.scope);
  return limit ? sql`and (v.device_id is null or v.device_id = any(${limit}))` : empty;
};

/** Never more than the visitors whom the caller sees. */
const returnedUsers = (it: CountFilter) => sql`
  (select count(*) from (select d.visitor_id from (${visitorDays(it)}) d
    group by d.visitor_id having min(d.day) < max(d.day)) r
    ${visibleDevices(it.scope) ? sql`join visitors v on v.id = r.visitor_id ${andVisible(it)}` : empty}) as returned_users`;

/** Visitors without a device are visible to all, but belong to no selected device, as in the list of visitors. */
const visitors = (it: CountFilter): Sql => sql`
  ${andSelected(it, sql`v.location_id`)} ${it.deviceIds ? sql`and v.device_id = any(${it.deviceIds})` : empty} ${andVisible(it)}`;

/** The counts of a period. */
export const countPeriod = (tx: Tx, it: CountFilter) =>
  tx.one<{ failed_logins: number; returned_users: number }>(sql`select ${failedLogins(it)}, ${returnedUsers(it)}`);

/** The locations of the selected devices, as far as the caller may see these devices. */
const andOfDevices = (it: CountFilter): Sql =>
  it.deviceIds
    ? sql`and exists (select 1 from devices d where d.location_id = l.id ${andSelected(it, sql`d.location_id`, sql`d.id`)})`
    : empty;

/** Counts use indexes, the range of the period or daily roll-ups, so their cost does not grow with history. */
export const getOverview = (tx: Tx, it: CountFilter) =>
  tx.one<Omit<Overview, 'notifications' | 'previous'>>(sql`
    select
      (select count(*) from online_sessions s where s.updated_at > now() - 3 * s.interim * interval '1 second'
        ${andSelected(it, sql`s.location_id`, sql`s.device_id`)}) as onlines,
      ${failedLogins(it)}, ${returnedUsers(it)},
      (select count(*) from devices d where true ${andSelected(it, sql`d.location_id`, sql`d.id`)}) as devices,
      (select count(*) from visitors v where true ${visitors(it)}) as users,
      (select count(*) from locations l where true ${andSelected(it, sql`l.id`)} ${andOfDevices(it)}) as locations,
      (select count(*) from integrations i where true ${andSelected(it, sql`i.location_id`)}) as integrations`);

/** Sign-ins of the period by a property of the browser, most frequent first. */
export const countAgents = (tx: Tx, it: CountFilter, kind: 'platform' | 'browser' | 'device') =>
  tx.many<{ value: string; sign_ins: number }>(sql`
    select a.value, sum(a.sign_ins) as sign_ins from guest_agent_days a
    where a.kind = ${kind} and a.day ${days(it)} ${andSelected(it, sql`a.location_id`, sql`a.device_id`)}
    group by a.value order by 2 desc, 1 limit 20`);

type Bucket = Visits['bucket'];
export interface VisitRow {
  label: string;
  visits: number;
  upload: number;
  download: number;
}
const labels: Record<Bucket, string> = { hour: 'YYYY-MM-DD HH24:00', day: 'YYYY-MM-DD', month: 'YYYY-MM' };

/** Visits and bytes per bucket, including empty ones, from roll-ups and the uncounted usage of open sessions. */
export function countVisits(tx: Tx, it: CountFilter, bucket: Bucket): Promise<VisitRow[]> {
  const hourly = bucket === 'hour';
  const local = (column: Sql) => sql`date_trunc('${raw(bucket)}', ${column})`;
  const since = sql`(${it.since}::timestamptz at time zone ${it.zone})`;
  const last = sql`((${it.until}::timestamptz - interval '1 second') at time zone ${it.zone})`;
  const at = (table: Sql) =>
    hourly ? sql`${table}.day + make_interval(hours => ${table}.hour)` : sql`${table}.day::timestamp`;
  const chosen = (table: Sql) => andSelected(it, sql`${table}.location_id`, sql`${table}.device_id`);
  return tx.many<VisitRow>(sql`
    select to_char(b.at, '${raw(labels[bucket])}') as label, coalesce(sum(f.visits), 0) as visits,
      exact_sum(coalesce(sum(f.upload), 0)) as upload, exact_sum(coalesce(sum(f.download), 0)) as download
    from generate_series(${local(since)}, ${last}, '1 ${raw(bucket)}') b(at)
    left join (
      select ${local(at(sql`d`))} as at, d.sessions as visits, d.upload, d.download
      from ${hourly ? sql`session_hours` : sql`session_days`} d where d.day ${days(it)} ${chosen(sql`d`)}
      union all
      select ${local(at(sql`o`))}, 0, o.upload - o.counted_upload, o.download - o.counted_download
      from online_sessions o where o.day ${days(it)} ${chosen(sql`o`)}) f on f.at = b.at
    group by b.at order by b.at`);
}

/** Sign-ins with one browser, platform or kind of device at a device since `at`, within a minute. */
export interface CountedAgents {
  readonly locationId: string;
  readonly deviceId: string;
  readonly at: Date;
  readonly kind: string;
  readonly value: string;
  readonly signIns: number;
}

/** Adds to the counters, in one order, so that two processes cannot deadlock. Counts of a deleted location are dropped. */
export const addAgents = (tx: Tx, rows: readonly CountedAgents[]) =>
  tx.run(sql`
    insert into guest_agent_days (location_id, device_id, day, kind, value, sign_ins)
    select l.id, c."deviceId", (c.at at time zone l.time_zone)::date, c.kind, c.value, sum(c."signIns")
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as c("locationId" uuid, "deviceId" uuid, at timestamptz, kind text, value text, "signIns" int)
    join locations l on l.id = c."locationId"
    group by 1, 2, 3, 4, 5 order by 1, 3, 2, 4, 5
    on conflict (tenant_id, location_id, day, device_id, kind, value) do update set
      sign_ins = guest_agent_days.sign_ins + excluded.sign_ins`);
