import type { LogSourceRow, QuarantinedSource } from '@portico/contract/log-sources.ts';
import sql from 'sql-template-tag';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { AddressProof } from '#syslog/proof.ts';

/** A proof is valid for a day, so that an address stays proven during a night without traffic. */
const validFor = sql`interval '24 hours'`;
/** Once the device has proven another address, its provider may give the old one to another customer. Devices with two uplinks prove both in turn. */
const validBesideAnother = sql`interval '1 hour'`;
/** The shortest interval between two updates of a proof. */
const renewalInterval = sql`interval '5 minutes'`;

/** An address that a device has proven. */
export interface ProvenAddress {
  readonly device: string;
  /** Left out: the tenant of the transaction. */
  readonly tenant?: string;
  readonly address: string;
  readonly proof: AddressProof;
}

/** Stores which addresses devices have proven. Deleted devices are left out. */
export const proveSources = (tx: Tx, addresses: readonly ProvenAddress[]) =>
  tx.run(sql`
    with proven as (
      insert into log_sources as s (tenant_id, device_id, network, proof, expires_at)
      select distinct d.tenant_id, d.id, a.address, a.proof, now() + ${validFor}
      from jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as a (tenant uuid, device uuid, address inet, proof text)
      join devices d on d.tenant_id = coalesce(a.tenant, current_tenant()) and d.id = a.device
      order by 1, 2, 3, 4
      on conflict (tenant_id, device_id, network, proof) do update set proven_at = excluded.proven_at, expires_at = excluded.expires_at
        where s.proven_at < now() - ${renewalInterval}
      returning tenant_id, device_id, network)
    update log_sources s set expires_at = now() + ${validBesideAnother}
    from proven p where s.tenant_id = p.tenant_id and s.device_id = p.device_id and s.network <> p.network
      and s.proof <> 'operator' and s.expires_at > now() + ${validBesideAnother}`);

const columns = sql`id, case when masklen(network) = case family(network) when 4 then 32 else 128 end then host(network) else text(network) end as address,
  proof, proven_at, expires_at`;

export const findDevice = (tx: Tx, scope: Scope, id: string) =>
  tx.maybe<{ id: string; name: string; location_id: string }>(sql`
    select d.id, d.name, d.location_id from devices d where d.id = ${id} ${andDevice(scope, sql`d.location_id`, sql`d.id`)}`);

/** The addresses from which lines are accepted now. */
export const listSources = (tx: Tx, deviceId: string) =>
  tx.many<LogSourceRow>(sql`
    select ${columns} from log_sources where device_id = ${deviceId} and (expires_at is null or expires_at > now())
    order by proof = 'operator', proven_at desc, id`);

export const countTrusted = async (tx: Tx, deviceId: string): Promise<number> =>
  (
    await tx.one<{ n: number }>(
      sql`select count(*) as n from log_sources where device_id = ${deviceId} and proof = 'operator'`,
    )
  ).n;

/** Trusts an address or network. Idempotent. */
export const trustSource = (tx: Tx, deviceId: string, address: string, userId: string) =>
  tx.one<LogSourceRow>(sql`
    insert into log_sources as s (device_id, network, proof, created_by) values (${deviceId}, network(${address}::inet), 'operator', ${userId})
    on conflict (tenant_id, device_id, network, proof) do update set created_by = s.created_by
    returning ${columns}`);

export const deleteSource = (tx: Tx, deviceId: string, id: string) =>
  tx.maybe<LogSourceRow>(
    sql`delete from log_sources where device_id = ${deviceId} and id = ${id} returning ${columns}`,
  );

const others = '0.0.0.0';

/**
 * The quarantined lines by address, the most lines first, and the number of lines of the addresses that are not listed. Omits
 * addresses that the device has proven since, because a new router sends its first lines before its first RADIUS request.
 */
export async function listQuarantined(
  tx: Tx,
  deviceId: string,
): Promise<{ quarantined: QuarantinedSource[]; other_lines: number }> {
  const rows = await tx.many<QuarantinedSource>(sql`
    select host(q.address) as address, q.lines, q.first_at, q.last_at, q.samples from log_quarantine q
    where q.device_id = ${deviceId} and not exists (
      select from log_sources s where s.device_id = q.device_id and s.network >>= q.address and (s.expires_at is null or s.expires_at > now()))
    order by q.lines desc, q.last_at desc`);
  return {
    quarantined: rows.filter(row => row.address !== others),
    other_lines: rows.find(row => row.address === others)?.lines ?? 0,
  };
}

/** Deletes the quarantined lines of an address that is trusted now. */
export const clearQuarantine = (tx: Tx, deviceId: string, address: string) =>
  tx.run(sql`delete from log_quarantine where device_id = ${deviceId} and address <<= network(${address}::inet)`);

export interface QuarantineRow {
  readonly tenantId: string;
  readonly deviceId: string;
  /** Null for addresses that are counted together. */
  readonly address: string | null;
  readonly lines: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly samples: readonly string[];
}

/** The limits of the quarantine of a device: the addresses with the most lines, and some lines of each. */
export const quarantineBounds = { addresses: 20, samples: 20, sampleLength: 300 } as const;

/** Adds to the quarantine. Runs under withSystem. */
export async function addQuarantined(tx: Tx, rows: readonly QuarantineRow[]): Promise<void> {
  const key = (r: QuarantineRow) => `${r.deviceId} ${r.address}`;
  const sorted = [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const iso = (at: number) => new Date(at).toISOString();
  const json = sorted.map(r => ({
    ...r,
    address: r.address ?? others,
    firstAt: iso(r.firstAt),
    lastAt: iso(r.lastAt),
  }));
  await tx.run(sql`
    insert into log_quarantine as q (tenant_id, device_id, address, lines, first_at, last_at, samples)
    select r."tenantId", r."deviceId", r.address, r.lines, r."firstAt", r."lastAt", r.samples
    from jsonb_to_recordset(${JSON.stringify(json)}::jsonb) as r("tenantId" uuid, "deviceId" uuid, address inet, lines bigint,
      "firstAt" timestamptz, "lastAt" timestamptz, samples text[])
    join devices d on d.tenant_id = r."tenantId" and d.id = r."deviceId"
    on conflict (tenant_id, device_id, address) do update set lines = q.lines + excluded.lines, last_at = greatest(q.last_at, excluded.last_at),
      samples = (array_cat(q.samples, excluded.samples))[
        greatest(1, cardinality(q.samples) + cardinality(excluded.samples) - ${quarantineBounds.samples - 1}::int):]`);
  // Addresses beyond the limit are added to the row of the other addresses.
  await tx.run(sql`
    with ranked as (
      select tenant_id, device_id, address, row_number() over (partition by tenant_id, device_id order by lines desc, last_at desc) as rank
      from log_quarantine where device_id = any(${[...new Set(sorted.map(r => r.deviceId))]}::uuid[]) and address <> ${others}::inet),
    gone as (
      delete from log_quarantine q using ranked r
      where r.rank > ${quarantineBounds.addresses} and (q.tenant_id, q.device_id, q.address) = (r.tenant_id, r.device_id, r.address)
      returning q.*)
    insert into log_quarantine as q (tenant_id, device_id, address, lines, first_at, last_at)
    select tenant_id, device_id, ${others}::inet, sum(lines), min(first_at), max(last_at) from gone group by tenant_id, device_id
    on conflict (tenant_id, device_id, address) do update set lines = q.lines + excluded.lines, last_at = greatest(q.last_at, excluded.last_at)`);
  await tx.many(sql`
    select pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'logs')::text)
    from devices where id = any(${sorted.map(r => r.deviceId)}::uuid[]) group by tenant_id, location_id`);
}

export interface QuarantinedDevice {
  readonly tenant_id: string;
  readonly device_id: string;
  readonly device: string;
  readonly location_id: string;
  readonly lines: number;
  readonly address: string;
  /** The ISO week, such as 2026-47. */
  readonly week: string;
}

/**
 * Devices with recent lines from unproven addresses. The last minutes are left out, because a new router sends its first lines
 * before it proves its address. Runs under withSystem.
 */
export const listQuarantinedDevices = (tx: Tx) =>
  tx.many<QuarantinedDevice>(sql`
    select d.tenant_id, d.id as device_id, d.name as device, d.location_id, sum(q.lines)::bigint as lines,
      (array_agg(host(q.address) order by q.lines desc))[1] as address, to_char(now(), 'IYYY-IW') as week
    from log_quarantine q join devices d on d.tenant_id = q.tenant_id and d.id = q.device_id
    where d.logging_enabled and q.address <> ${others}::inet and q.first_at < now() - interval '10 minutes'
      and q.last_at > now() - interval '1 day' and not exists (
        select from log_sources s where s.tenant_id = q.tenant_id and s.device_id = q.device_id and s.network >>= q.address
          and (s.expires_at is null or s.expires_at > now()))
    group by d.tenant_id, d.id, d.name, d.location_id`);

/** Deletes old quarantined lines, and proofs that expired before the retention of the record. Runs under withSystem. */
export async function deleteOld(tx: Tx, it: { quarantineDays: number; retentionDays: number }): Promise<void> {
  await tx.run(sql`delete from log_quarantine where last_at < now() - ${it.quarantineDays} * interval '1 day'`);
  await tx.run(sql`delete from log_sources where expires_at < now() - ${it.retentionDays} * interval '1 day'`);
}
