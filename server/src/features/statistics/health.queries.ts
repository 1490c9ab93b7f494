import type { LastDay, LocationHealth, SetupFacts } from '@portico/contract/statistics.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { nameOrder } from '#db/list.ts';
import { andDevice, andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { online } from '#features/devices/public.ts';
import { type ProblemFilter, problems } from './problems.queries.ts';

export interface Selected {
  readonly scope: Scope;
  readonly deviceIds?: readonly string[] | undefined;
}

/** The steps to the first guest. Each is read from what exists, so none can be ticked by hand. */
export const getSetup = (tx: Tx, { scope }: Selected) => {
  const within = (column: Sql) => andLocation(scope, column);
  const devices = andDevice(scope, sql`d.location_id`, sql`d.id`);
  return tx.one<SetupFacts>(sql`
    select exists (select 1 from locations l where true ${within(sql`l.id`)}) as location,
      (select json_build_object('id', d.id, 'name', d.name) from devices d where true ${devices} order by d.id limit 1) as device,
      exists (select 1 from devices d where d.last_seen_at is not null ${devices}) as connected,
      exists (select 1 from locations l where l.portal_id is not null ${within(sql`l.id`)}) as portal,
      exists (select 1 from visitors v where true ${within(sql`v.location_id`)})
        or exists (select 1 from voucher_batches b where true ${within(sql`b.location_id`)}) as visitor,
      exists (select 1 from online_sessions o where true ${within(sql`o.location_id`)})
        or (select s.day from session_days s where true ${within(sql`s.location_id`)} order by s.day desc limit 1) is not null as online`);
};

/** The hours that end now on the clocks of the location, from roll-ups, beside those of one and of seven days before. */
export const countLastDay = (tx: Tx, { scope, deviceIds }: Selected, zone: string) =>
  tx.many<{ label: string; values: number; yesterday: number; last_week: number }>(sql`
    with day as (select date_trunc('hour', now() at time zone ${zone}) as hour)
    select to_char(h.at, 'YYYY-MM-DD HH24:00') as label, coalesce(sum(f.sessions) filter (where f.back = 0), 0) as values,
      coalesce(sum(f.sessions) filter (where f.back = 1), 0) as yesterday,
      coalesce(sum(f.sessions) filter (where f.back = 7), 0) as last_week
    from day cross join generate_series(day.hour - interval '23 hours', day.hour, '1 hour') h(at)
    left join (
      select s.day + make_interval(hours => s.hour, days => b.back) as at, b.back, s.sessions
      from day cross join (values (0), (1), (7)) b(back)
      join session_hours s on s.day between (day.hour - interval '23 hours')::date - b.back and day.hour::date - b.back
      where true ${andDevice(scope, sql`s.location_id`, sql`s.device_id`)}
        ${deviceIds ? sql`and s.device_id = any(${deviceIds})` : empty}) f on f.at = h.at
    group by h.at order by h.at`);

export const columnsOf = (rows: Awaited<ReturnType<typeof countLastDay>>): LastDay => ({
  labels: rows.map(row => row.label),
  values: rows.map(row => row.values),
  yesterday: rows.map(row => row.yesterday),
  last_week: rows.map(row => row.last_week),
});

/** An ended licence or demo is `service`, not one more problem. The worst first: guests can't sign in, devices offline, other problems, devices that never connected. */
export const listHealth = (tx: Tx, filter: ProblemFilter, limit: number) =>
  tx.many<LocationHealth & { total: number; well: number }>(sql`
    select *, count(*) over () as total, count(*) filter (where is_well) over () as well
    from (
      select x.*, x.service = 'running' and x.offline = 0 and x.problems = 0 and x.waiting = 0 as is_well
      from (
        select json_build_object('id', l.id, 'name', l.name) as location, l.name,
          case when l.suspended_at is not null then 'suspended'
            when coalesce(l.license_end_at, l.trial_end_at) <= now() then 'ended' else 'running' end as service,
          coalesce(d.devices, 0) as devices, coalesce(d.offline, 0) as offline, coalesce(d.waiting, 0) as waiting,
          coalesce(p.problems, 0) as problems, coalesce(o.onlines, 0) as onlines
        from locations l
        left join (
          select d.location_id, count(*) as devices, count(*) filter (where d.last_seen_at is null) as waiting,
            count(*) filter (where d.last_seen_at is not null and not ${online}) as offline
          from devices d where true ${andDevice(filter.scope, sql`d.location_id`, sql`d.id`)} group by 1) d on d.location_id = l.id
        left join (
          select (p.location->>'id')::uuid as location_id, count(*) as problems from (${problems(filter)}) p
          where p.kind not in ('demo', 'licence') or p.amount > 0 group by 1) p on p.location_id = l.id
        left join (
          select s.location_id, count(*) as onlines from online_sessions s
          where s.updated_at > now() - 3 * s.interim * interval '1 second'
            ${andDevice(filter.scope, sql`s.location_id`, sql`s.device_id`)} group by 1) o on o.location_id = l.id
        where true ${andLocation(filter.scope, sql`l.id`)}) x) y
    order by service = 'running', offline desc, problems desc, waiting desc, ${nameOrder(sql`name`)} limit ${limit}`);
