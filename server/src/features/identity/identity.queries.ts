import sql, { empty, type Sql } from 'sql-template-tag';
import { jsonTime } from '#db/json.ts';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { type ArchivedSession, archivedRows, holding, ipv6TimesOf } from '#features/sessions/public.ts';

/** A device whose logs are searched. `behind`: its router had the requested address at that time. */
export interface SearchedDevice {
  id: string;
  name: string;
  time_zone: string;
  behind: boolean;
}

/**
 * Devices within the scope, those behind the address first. Uses the addresses that a device proved around the requested time,
 * or its latest address if there are none.
 */
export const listSearchedDevices = (tx: Tx, scope: Scope, address: string, at: string) =>
  tx.many<SearchedDevice>(sql`
    select d.id, d.name, l.time_zone, coalesce(s.behind, host(d.last_address) = ${address}, false) as behind
    from devices d join locations l on l.id = d.location_id
      left join lateral (
        select bool_or(s.network >>= ${address}::inet) as behind from log_sources s
        where s.device_id = d.id and s.proof <> 'operator' and s.first_at <= ${at}::timestamptz + interval '1 hour'
          and s.proven_at >= ${at}::timestamptz - interval '24 hours') s on true
    where true ${andDevice(scope, sql`d.location_id`, sql`d.id`)}
    order by behind desc, d.last_seen_at desc nulls last limit 200`);

/** `citizen_id` and `birth_date` are encrypted. */
export interface SessionAt {
  id: string;
  started_at: string;
  ended_at: string | null;
  covers: boolean;
  /** Reported by the router's accounting. Otherwise the portal opened the session, with the address of the browser. */
  reported: boolean;
  client_mac: string | null;
  /** The address at that time, if an IPv4 address was asked for. Otherwise the last one. */
  client_ip: string | null;
  /** The first report of the IPv4 address. */
  address_at: string;
  ipv6: { address: string; first_at: string; last_at: string }[];
  user_name: string;
  upload: number;
  download: number;
  time_zone: string;
  guest: {
    id: string;
    name: string;
    provider_type: string;
    phone: string | null;
    email: string | null;
    username: string | null;
    room_number: string | null;
    citizen_id: string | null;
    birth_date: string | null;
    created_at: string;
  } | null;
  consent: { version: string; language: string; agreed_at: string } | null;
  location: { id: string; name: string };
  device_id: string;
  device: { id: string; name: string; nas_identifier: string; address: string | null } | null;
}

export interface AtQuery {
  readonly at: string;
  readonly address?: string | undefined;
  readonly mac?: string | null | undefined;
  readonly deviceIds?: readonly string[] | undefined;
  readonly limit: number;
}

/** The maximum age of a session that may still cover the time: with a known address, or any session of a device. */
const maxAge = { one: sql`interval '400 days'`, any: sql`interval '8 days'` };
const tolerance = sql`interval '5 minutes'`;
/** The longest time between two reports of a router. An address was in use some time before its first and after its last report. */
const betweenReports = sql`interval '15 minutes'`;

/** An IPv4 address of session `s`, which has rows only if its address changed. */
const changed = (alias: string): Sql =>
  sql`from session_addresses ${sql([alias])} where ${sql([alias])}.tenant_id = s.tenant_id and ${sql([alias])}.session_id = s.id
    and family(${sql([alias])}.network) = 4`;

/** Sessions `s` that had the address at some time; of addresses that changed within a session, around that time. */
const hadAddress = (address: string, at: Sql): Sql => {
  const around = sql`a.first_at <= ${at} + ${betweenReports} and a.last_at >= ${at} - ${betweenReports}`;
  return address.includes(':')
    ? sql`and s.id = any(array(select a.session_id from session_addresses a where ${holding(address)} and ${around}))`
    : sql`and (s.client_ip = ${address}::inet
          and not exists (select ${changed('a')} and a.network = ${address}::inet and a.first_at > ${at} + ${betweenReports})
        or s.id = any(array(select a.session_id from session_addresses a where a.network = ${address}::inet and ${around})))`;
};

/**
 * Whether session `s` had the IPv4 address at that time: the reports before and after name it. The address that was reported last
 * of all is held until the session ends. The time between reports of two addresses belongs to neither.
 */
const heldAddress = (address: string, at: Sql): Sql => sql`(
  not exists (select ${changed('b')} and b.network <> ${address}::inet and b.held @> ${at})
  and coalesce((
    select a.held @> ${at} or ${at} > upper(a.held) and a.network = s.client_ip
      and not exists (select ${changed('b')} and upper(b.held) > upper(a.held))
    ${changed('a')} and a.network = ${address}::inet), true))`;

/** The first report of the IPv4 address in the part of session `s` that the time is in, or in the part before. */
const firstReport = (address: string | null, at: Sql): Sql => sql`(
  select coalesce((select max(lower(r)) from unnest(a.held) r where lower(r) <= ${at}), a.first_at)
  ${changed('a')} and a.network = ${address}::inet)`;

/** The sessions at a time or within five minutes of it. Those that cover it come first. */
export function sessionsAt(tx: Tx, scope: Scope, it: AtQuery, archived: readonly ArchivedSession[] = []) {
  const at = sql`${it.at}::timestamptz`;
  const which = sql`s.started_at <= ${at} + ${tolerance} ${andDevice(scope, sql`s.location_id`, sql`s.device_id`)}
    ${it.address ? hadAddress(it.address, at) : empty}
    ${it.mac ? sql`and s.client_mac = ${it.mac}::macaddr` : empty}
    ${it.deviceIds ? sql`and s.device_id = any(${it.deviceIds})` : empty}`;
  const ipv4 = it.address?.includes(':') ? undefined : it.address;
  const held = ipv4 ? heldAddress(ipv4, at) : sql`true`;
  const columns = sql`s.tenant_id, s.id, s.started_at, s.client_mac, s.client_ip, s.user_name, s.upload, s.download, s.visitor_id, s.device_id, s.location_id,
    s.acct_session_id not like 'unreported-%' as reported`;
  return tx.many<SessionAt>(sql`
    select s.id, s.started_at, s.ended_at, s.covers, s.reported, s.client_mac,
      ${ipv4 ? sql`${ipv4}::text` : sql`host(s.client_ip)`} as client_ip, coalesce(${firstReport(ipv4 ?? null, at)}, s.started_at) as address_at, ${ipv6TimesOf(sql`s.id`, jsonTime)} as ipv6, s.user_name,
      s.upload, s.download, l.time_zone,
      case when v.id is not null and v.erased_at is null then json_build_object('id', v.id, 'name', v.name, 'provider_type', v.provider_type, 'phone', v.phone,
        'email', v.email, 'username', v.username, 'room_number', v.room_number, 'citizen_id', v.citizen_id, 'birth_date', v.birth_date,
        'created_at', v.created_at)
        else e.identity::json end as guest,
      c.consent, json_build_object('id', l.id, 'name', l.name) as location, s.device_id,
      case when d.id is not null then json_build_object('id', d.id, 'name', d.name, 'nas_identifier', d.nas_identifier,
        'address', host(d.last_address)) end as device
    from (
      select s.*, s.started_at <= ${at} and (s.ended_at is null or s.ended_at >= ${at}) and ${held} as covers from (
        select ${columns}, null::timestamptz as ended_at from online_sessions s where ${which}
        union all
        select ${columns}, s.ended_at from session_history s
        where ${which} and s.started_at > ${at} - ${it.address || it.mac ? maxAge.one : maxAge.any} and s.ended_at >= ${at} - ${tolerance}
        ${
          archived.length > 0
            ? sql`union all
        select ${columns}, s.ended_at from ${archivedRows(archived)} where ${which}`
            : empty
        }) s
      order by covers desc, s.started_at desc, s.id desc limit ${it.limit}) s
    join locations l on l.id = s.location_id
    left join visitors v on v.id = s.visitor_id
    left join erased_guests e on e.id = s.visitor_id
    left join devices d on d.id = s.device_id
    left join lateral (
      select json_build_object('version', c.version, 'language', c.language, 'agreed_at', ${jsonTime(sql`c.created_at`)}) as consent
      from consents c where c.visitor_id = s.visitor_id and c.created_at <= ${at} + ${tolerance}
      order by c.client_mac = s.client_mac desc, c.created_at desc limit 1) c on true
    order by s.covers desc, s.started_at desc, s.id desc`);
}

/** The times that the archive is asked for, in microseconds, and the sessions that had the address by their list of addresses. */
export async function archiveQueryAt(tx: Tx, it: AtQuery) {
  const at = sql`${it.at}::timestamptz`;
  const micros = (time: Sql) => sql`(extract(epoch from ${time}) * 1000000)::bigint`;
  const moments = await tx.one<{ at: number; since: number; until: number; ended_from: number }>(sql`
    select ${micros(at)} as at, ${micros(sql`${at} - ${it.address || it.mac ? maxAge.one : maxAge.any}`)} as since,
      ${micros(sql`${at} + ${tolerance}`)} as until, ${micros(sql`${at} - ${tolerance}`)} as ended_from`);
  const around = sql`a.first_at <= ${at} + ${betweenReports} and a.last_at >= ${at} - ${betweenReports}`;
  const addressed = it.address
    ? await tx.many<{ id: string }>(sql`
        select distinct a.session_id as id from session_addresses a
        where ${it.address.includes(':') ? holding(it.address) : sql`a.network = ${it.address}::inet`} and ${around}`)
    : [];
  return { moments, addressed: addressed.map(({ id }) => id) };
}

export const findSigningKey = (tx: Tx) =>
  tx.maybe<{ private_key: string; certificate: Buffer }>(sql`select private_key, certificate from signing_keys`);

/** Stores a key, or replaces an `unreadable` one. If two processes create a key at once, the first one stays. */
export const storeSigningKey = (
  tx: Tx,
  key: { privateKey: string; certificate: Buffer },
  unreadable: string | undefined,
) =>
  tx.run(sql`
    insert into signing_keys as k (private_key, certificate) values (${key.privateKey}, ${key.certificate})
    on conflict (tenant_id) do update set private_key = excluded.private_key, certificate = excluded.certificate
    where k.private_key = ${unreadable ?? null}`);

/** The name of the tenant in reports and their certificate. */
export const tenantName = (tx: Tx) =>
  tx.one<{ name: string }>(
    sql`select coalesce(nullif(brand_long_name, ''), brand_name) as name from tenants where id = current_tenant()`,
  );
