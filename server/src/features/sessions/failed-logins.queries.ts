import type { FailedLogin } from '@portico/contract/sessions.ts';
import sql, { empty, type Sql } from 'sql-template-tag';
import { jsonTime } from '#db/json.ts';
import { bound, countRows, pageOf } from '#db/list.ts';
import { inLocalPeriod, type LocalPeriod } from '#db/local-period.ts';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { andGuest } from './sessions.queries.ts';

export interface FailedLoginFilter extends LocalPeriod {
  readonly mac?: string | undefined;
  readonly ip?: string | undefined;
  readonly deviceIds?: readonly string[] | undefined;
  /** The hash of a typed name. */
  readonly typed?: Buffer | undefined;
  readonly page: number;
  readonly per_page: number;
}

export interface FailedLoginGroup {
  client_mac: string | null;
  client_ip: string | null;
  total: number;
  last_at: string;
  attempts: (Omit<FailedLogin['attempts'][number], 'params' | 'elsewhere'> & {
    params: string | null;
    location_id: string;
  })[];
}

/** Whether the typed user name was that of a visitor, for a row `f`. The link to the visitor is erased with the input. */
export const isKnown = (f: Sql): Sql => sql`
  case when ${f}.provider_slug = 'username' and ${f}.params is not null and ${f}.reason <> 'unsupported_method'
    then ${f}.visitor_id is not null end`;

/** Deletes the typed values of some old failed sign-ins, across tenants. Returns their number. */
export const eraseInputs = (tx: Tx, days: number, limit: number) =>
  tx.run(sql`
    update failed_logins set params = null, typed_hash = null, visitor_id = null
    where (tenant_id, id) in (
      select f.tenant_id, f.id from failed_logins f
      where f.params is not null and f.created_at < now() - make_interval(days => ${days})
      order by f.created_at limit ${limit} for update skip locked)`);

/** Deletes some failed sign-ins that are older still, across tenants. Returns their number. */
export const dropOldFailures = (tx: Tx, days: number, limit: number) =>
  tx.run(sql`
    delete from failed_logins where (tenant_id, id) in (
      select t.id, f.id from tenants t cross join lateral (
        select x.id from failed_logins x
        where x.tenant_id = t.id and x.created_at < now() - make_interval(days => ${days})
        order by x.created_at limit ${limit}) f)`);

/** Failed sign-ins grouped by guest device and address, latest first. `params` is encrypted. */
export async function listFailedLogins(
  tx: Tx,
  scope: Scope,
  filter: FailedLoginFilter,
): Promise<{ rows: FailedLoginGroup[]; total: number }> {
  const found = sql`from failed_logins f
    where ${inLocalPeriod(sql`f.created_at`, sql`f.location_id`, filter)}
    ${andDevice(scope, sql`f.location_id`, sql`f.device_id`)}
    ${filter.deviceIds ? sql`and f.device_id = any(${filter.deviceIds})` : empty}
    ${filter.typed ? sql`and f.typed_hash = ${filter.typed}` : empty}
    ${andGuest({ mac: sql`f.client_mac`, ip: sql`f.client_ip` }, filter.mac, filter.ip)}`;
  // All groups are made to find the latest ones, so their number costs nothing.
  const page = await tx.many<FailedLoginGroup & { groups: number }>(sql`
      select g.client_mac, host(g.client_ip) as client_ip, g.total, g.last_at, a.attempts, g.groups
      from (
        select f.client_mac, f.client_ip, count(*) as total, max(f.created_at) as last_at, count(*) over () as groups, (array_agg(f.id order by f.id desc))[:50] as latest
        ${found} group by f.client_mac, f.client_ip order by max(f.created_at) desc ${pageOf(filter)}) g
      cross join lateral (
        select json_agg(json_build_object('provider_slug', x.provider_slug, 'params', x.params, 'reason', x.reason,
          'is_known', ${isKnown(sql`x`)}, 'location_id', x.location_id,
          'device', case when d.id is not null then json_build_object('id', d.id, 'name', d.name) end,
          'visitor', case when v.id is not null then json_build_object('id', v.id, 'name', v.name) end,
          'created_at', ${jsonTime(sql`x.created_at`)}) order by x.id desc) as attempts
        from failed_logins x left join devices d on d.id = x.device_id left join visitors v on v.id = x.visitor_id
        where x.id = any(g.latest)) a
      order by g.last_at desc`);
  // A page after the last one has no row that could tell it.
  const count = () => countRows(tx, sql`from (select 1 ${found} group by f.client_mac, f.client_ip) g`, filter);
  const groups = page[0]?.groups ?? (filter.page === 1 ? 0 : await count());
  const rows = page.map(({ client_mac, client_ip, total, last_at, attempts }) => {
    return { client_mac, client_ip, total, last_at, attempts };
  });
  return { rows, total: groups };
}

export interface FoundFailure {
  readonly params: string | null;
  readonly location: { readonly id: string; readonly name: string };
}

/** The latest failed sign-in of a guest device, or with a typed name that no visitor has, at each location. Older ones say nothing about now. */
export const findFailures = (tx: Tx, scope: Scope, of: { typed: Buffer } | { mac: string }, limit: number) =>
  tx.nested<FoundFailure>(sql`
    select f.params, l.id as "location.id", l.name as "location.name"
    from (
      select distinct on (f.location_id) f.* from failed_logins f
      where ${'mac' in of ? sql`f.client_mac = ${of.mac}::macaddr` : sql`f.typed_hash = ${of.typed} and f.visitor_id is null`}
        and f.created_at > now() - interval '30 days'
        ${andDevice(scope, sql`f.location_id`, sql`f.device_id`)}
      order by f.location_id, f.created_at desc) f
    join locations l on l.id = f.location_id
    order by f.created_at desc limit ${bound(limit)}`);

/** Deletes the failed sign-ins of a guest who erases their data, including anonymous ones of their device. */
export const eraseFailedLogins = (tx: Tx, it: { visitorId: string; locationId: string; mac: string }) =>
  tx.run(sql`
    delete from failed_logins where location_id = ${it.locationId}
      and (visitor_id = ${it.visitorId} or (visitor_id is null and client_mac = parse_mac(${it.mac})))`);
