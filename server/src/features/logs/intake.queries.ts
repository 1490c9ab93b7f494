import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { writableTenants } from '#features/moves/public.ts';
import { serialNumberBrands } from '#routers/drivers.ts';
import type { LogSender } from '#syslog/senders.ts';
import type { FlowTally } from './flows.ts';
import type { LogStore } from './log-store.ts';
import { StreamMoved } from './reader.ts';
import type { StreamRow } from './streams.ts';
import type { DayPart, DeviceTally } from './tally.ts';

/** All devices for the log listener, with their proven addresses. Runs under withSystem. */
export const listSenders = (tx: Tx) =>
  tx.many<LogSender>(sql`
    select d.tenant_id as "tenantId", d.id as "deviceId", d.location_id as "locationId", d.nas_identifier as "nasIdentifier",
      coalesce((
        select json_agg(json_build_object('address', host(s.network), 'prefix', masklen(s.network), 'proof', s.proof))
        from log_sources s where s.tenant_id = d.tenant_id and s.device_id = d.id and (s.expires_at is null or s.expires_at > now())), '[]') as sources,
      array(
        select encode(c.fingerprint, 'hex') from device_certificates c
        where c.tenant_id = d.tenant_id and c.device_id = d.id and c.revoked_at is null and c.expires_at > now()) as certificates,
      b.slug as brand, case when b.slug = any(${serialNumberBrands}::text[]) then upper(d.mac_address) end as serial,
      l.time_zone as "timeZone", d.logging_enabled as "loggingEnabled"
    from devices d join brands b on b.id = d.brand_id join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
    where not exists (select from tenant_moves m where m.tenant = d.tenant_id and (m.direction = 'out' or m.state = 'arriving'))`);

export const listStreams = (tx: Tx) =>
  tx.many<StreamRow>(sql`select tenant_id, device_id, position, day::text, day_position from log_streams`);

/**
 * Stores the tallies of some streams. Throws StreamMoved if the position of one is not its `from`. Returns the devices whose
 * tallies were dropped, because their tenant leaves or is gone. Runs under withSystem.
 */
export async function commitTallies(
  tx: Tx,
  tallies: readonly DeviceTally[],
  notify: readonly { tenantId: string; locationId: string }[],
  store: LogStore,
): Promise<string[]> {
  const { kept, dropped } = await keepWritable(tx, tallies);
  if (kept.length === 0) return dropped;
  // All processes write in the same order, so that they cannot deadlock.
  const sorted = kept.sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
  await moveStreams(tx, sorted);
  await writeDays(tx, sorted);
  await Promise.all([addFiles(tx, sorted), store.add(tx, sorted)]);
  if (notify.length > 0)
    await tx.many(sql`
      select pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'logs')::text)
      from unnest(${notify.map(t => t.tenantId)}::uuid[], ${notify.map(t => t.locationId)}::uuid[]) as t(tenant_id, location_id)`);
  return dropped;
}

async function keepWritable<T extends { tenantId: string; deviceId: string }>(tx: Tx, tallies: readonly T[]) {
  const writable = await writableTenants(
    tx,
    tallies.map(t => t.tenantId),
  );
  const { kept = [], left = [] } = Object.groupBy(tallies, t => (writable.has(t.tenantId) ? 'kept' : 'left'));
  return { kept, dropped: left.map(t => t.deviceId) };
}

/** Adds the totals of flows and notifies screens. Runs under withSystem. */
export async function addFlows(tx: Tx, counted: readonly FlowTally[], store: LogStore): Promise<void> {
  const { kept: tallies } = await keepWritable(tx, counted);
  if (tallies.length === 0) return;
  await store.add(tx, tallies);
  await tx.many(sql`
    select pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'logs')::text)
    from unnest(${tallies.map(t => t.tenantId)}::uuid[], ${tallies.map(t => t.locationId)}::uuid[]) as t(tenant_id, location_id)
    group by tenant_id, location_id`);
}

async function moveStreams(tx: Tx, tallies: readonly DeviceTally[]): Promise<void> {
  const tenants = tallies.map(t => t.tenantId);
  const devices = tallies.map(t => t.deviceId);
  const from = tallies.map(t => t.from);
  const fresh = tallies.filter(t => t.from === 0);
  if (fresh.length > 0)
    await tx.run(sql`
      insert into log_streams (tenant_id, device_id, position)
      select tenant_id, device_id, 0 from unnest(${fresh.map(t => t.tenantId)}::uuid[], ${fresh.map(t => t.deviceId)}::uuid[]) as v(tenant_id, device_id)
      on conflict do nothing`);
  const last = tallies.map(t => t.parts.at(-1));
  const moved = await tx.run(sql`
    update log_streams s set position = v.reached,
      day = case when v.closed then null else coalesce(v.day, s.day) end,
      day_position = case when v.closed then null else coalesce(v.day_position, s.day_position) end
    from unnest(${tenants}::uuid[], ${devices}::uuid[], ${from}::bigint[], ${tallies.map(t => t.to)}::bigint[], ${tallies.map(t => t.closed)}::bool[],
      ${last.map(p => p?.day ?? null)}::date[], ${last.map(p => p?.start ?? null)}::bigint[])
      as v(tenant_id, device_id, position, reached, closed, day, day_position)
    where s.tenant_id = v.tenant_id and s.device_id = v.device_id and s.position = v.position`);
  if (moved !== tallies.length)
    throw new StreamMoved(`${tallies.length - moved} of ${tallies.length} streams have another position`);
}

async function writeDays(tx: Tx, tallies: readonly DeviceTally[]): Promise<void> {
  for (const tally of tallies) {
    const { tenantId, deviceId, parts } = tally;
    const end = tally.closed ? tally.to : parts.find(part => part.startsDay)?.start;
    if (end === undefined) continue;
    await tx.run(sql`
      update log_days set end_position = ${end} where tenant_id = ${tenantId} and device_id = ${deviceId} and end_position is null`);
    const started = parts.filter(part => part.startsDay);
    for (const [i, part] of started.entries())
      await tx.run(sql`
        insert into log_days (tenant_id, device_id, start_position, end_position, day, part)
        select ${tenantId}, ${deviceId}, ${part.start}, ${started[i + 1]?.start ?? null}, ${part.day},
          coalesce(max(part), 0) + 1 from log_days where tenant_id = ${tenantId} and device_id = ${deviceId} and day = ${part.day}`);
  }
}

async function addFiles(tx: Tx, tallies: readonly DeviceTally[]): Promise<void> {
  const rows = tallies.flatMap(({ tenantId, deviceId, parts }) =>
    parts.flatMap((part: DayPart) =>
      [...part.types].map(([type, count]) => ({ tenantId, deviceId, start: part.start, type, ...count })),
    ),
  );
  if (rows.length === 0) return;
  await tx.run(sql`
    insert into log_files (tenant_id, device_id, start_position, type, day, part, lines, bytes)
    select v.tenant_id, v.device_id, v.start_position, v.type, d.day, d.part, v.lines, v.bytes
    from unnest(${rows.map(r => r.tenantId)}::uuid[], ${rows.map(r => r.deviceId)}::uuid[], ${rows.map(r => r.start)}::bigint[],
      ${rows.map(r => r.type)}::text[], ${rows.map(r => r.lines)}::bigint[], ${rows.map(r => r.bytes)}::bigint[])
      as v(tenant_id, device_id, start_position, type, lines, bytes)
    join log_days d on d.tenant_id = v.tenant_id and d.device_id = v.device_id and d.start_position = v.start_position
    on conflict (tenant_id, device_id, start_position, type) do update
      set lines = log_files.lines + excluded.lines, bytes = log_files.bytes + excluded.bytes, updated_at = now()`);
}
