import type { CurrentProblem } from '@portico/contract/statistics.ts';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { andDevice, andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { daysLeft } from '#features/locations/public.ts';

export interface ProblemFilter {
  readonly scope: Scope;
  readonly kinds: readonly CurrentProblem['kind'][];
}

/** At most this many failed sign-ins of a day are read, the latest. */
const maxAttempts = sql`20000`;

/** The current problems, one row for each that an operator can solve. At least one kind is needed. */
export function problems({ scope, kinds }: ProblemFilter): Sql {
  const ofLocation = andLocation(scope, sql`l.id`);
  const ofDevice = andDevice(scope, sql`d.location_id`, sql`d.id`);
  const place = sql`json_build_object('id', l.id, 'name', l.name) as location`;

  // Within a week, or in the last 30 days.
  const ending = (column: 'trial_end_at' | 'license_end_at', where: Sql) => {
    const end = sql`l.${raw(column)}`;
    return sql`
      select l.id, l.name, ${place}, greatest(0, ${daysLeft(end)})::bigint as amount, ${end} as since
      from locations l
      where ${end} < now() + interval '7 days' and ${end} > now() - interval '30 days' and l.suspended_at is null and ${where}
        ${ofLocation}`;
  };

  const queries: Record<CurrentProblem['kind'], Sql> = {
    // Three times as many in the last hour as in an average hour of the day before, and at least ten. A gateway that is set to
    // EAP or MS-CHAP tries no passwords.
    failed_logins: sql`
      select l.id, l.name, ${place}, f.recent as amount, null::timestamptz as since
      from (
        select location_id, count(*) filter (where created_at > now() - interval '1 hour') as recent, count(*) as all_day,
          -- Hours before the last one that were read.
          case when max(read) < ${maxAttempts} then 24
            else greatest(0.01, extract(epoch from now() - interval '1 hour' - min(oldest)) / 3600) end as hours
        from (
          select f.*, count(*) over () as read, min(created_at) over () as oldest from (
          select f.location_id, f.created_at from failed_logins f
          where f.created_at > now() - interval '25 hours' and f.reason <> 'unsupported_method' ${andDevice(scope, sql`f.location_id`, sql`f.device_id`)}
          order by f.created_at desc limit ${maxAttempts}) f) a
        group by 1) f
      join locations l on l.id = f.location_id
      where f.recent >= 10 and f.recent > 3 * (f.all_day - f.recent) / f.hours ${ofLocation}`,
    demo: ending('trial_end_at', sql`l.license_end_at is null`),
    licence: ending('license_end_at', sql`true`),
    // No guest can sign in through it.
    controller: sql`
      select d.id, d.name, ${place}, null::bigint as amount, s.failing_since as since
      from controller_states s
      join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
      join locations l on l.id = d.location_id
      where s.failing_since is not null and s.told ${ofDevice}`,
    // It sent logs before and serves guests now, but has sent none for a day.
    log_silence: sql`
      select d.id, d.name, ${place}, null::bigint as amount, g.hour as since
      from devices d
      join locations l on l.id = d.location_id
      cross join lateral (
        select h.hour from log_hours h where h.tenant_id = d.tenant_id and h.device_id = d.id order by h.hour desc limit 1) g
      where d.logging_enabled and d.down_since is null and d.last_seen_at > now() - interval '1 hour'
        and g.hour < now() - interval '25 hours' ${ofDevice}`,
    // Blocks and releases that a router has not taken for ten minutes, though it was online.
    backlog: sql`
      select d.id, d.name, ${place}, c.waiting as amount, c.since
      from (
        select device_id, count(*) as waiting, min(created_at) as since from router_commands
        where state in ('queued', 'sent') and created_at < now() - interval '10 minutes' group by 1) c
      join devices d on d.id = c.device_id
      join locations l on l.id = d.location_id
      where d.last_seen_at is not null and d.down_since is null
        and (d.up_since is null or d.up_since < now() - interval '10 minutes') ${ofDevice}`,
    // Within 30 days, unless the device has one that lasts longer.
    certificate: sql`
      select d.id, d.name, ${place}, null::bigint as amount, c.expires_at as since
      from devices d
      join locations l on l.id = d.location_id
      cross join lateral (
        select max(c.expires_at) as expires_at from device_certificates c
        where c.tenant_id = d.tenant_id and c.device_id = d.id and c.revoked_at is null) c
      where c.expires_at < now() + interval '30 days' and c.expires_at > now() - interval '30 days' ${ofDevice}`,
    sms: sql`
      select l.id, l.name, ${place}, greatest(0, l.sms_limit - l.sms_used)::bigint as amount, null::timestamptz as since
      from locations l
      where l.sms_used > 0 and l.sms_used >= 0.9 * l.sms_limit ${ofLocation}`,
    // A webhook of the whole tenant has no location.
    integration: sql`
      select i.id, i.name, case when l.id is not null then json_build_object('id', l.id, 'name', l.name) end as location,
        null::bigint as amount, i.last_tried_at as since
      from integrations i left join locations l on l.id = i.location_id
      where i.problem is not null ${ofLocation}`,
  };
  const parts = kinds.map(
    (kind, i) => sql`select ${i}::int as rank, ${kind}::text as kind, p.* from (${queries[kind]}) p`,
  );
  return join(parts, ' union all ');
}

/** Nothing has stopped yet because of these. */
const isWarning = sql`case kind when 'backlog' then true when 'certificate' then since > now()
  when 'sms' then amount > 0 when 'demo' then amount > 0 when 'licence' then amount > 0 else false end`;

/** Failures first, then by kind; the most failed sign-ins and waiting commands, and the fewest messages and days that are left. */
export const listProblems = (tx: Tx, filter: ProblemFilter, limit: number) =>
  tx.many<CurrentProblem>(sql`
    select kind, id, name, location, amount, since from (${problems(filter)}) x
    order by ${isWarning}, rank, case when kind in ('failed_logins', 'backlog') then -amount else amount end, since, id limit ${limit}`);

/** Under withSystem. */
export const listTenantsWithDevices = (tx: Tx) =>
  tx.many<{ id: string }>(
    sql`select t.id from tenants t where exists (select from devices d where d.tenant_id = t.id)`,
  );
