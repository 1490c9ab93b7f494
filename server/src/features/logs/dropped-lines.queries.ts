import type { dropReasons } from '@portico/contract/logs.ts';
import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import { writableTenants } from '#features/moves/public.ts';

export type DropReason = (typeof dropReasons)[number];

/** Drops that belong to no known device. */
export interface UnassignedDrops {
  /** Lines that the kernel dropped. */
  readonly overflow: number;
  readonly unknownLines: number;
  /** NetFlow packets. */
  readonly unknownFlows: number;
}

export interface DroppedLinesRow {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly reason: DropReason;
  readonly lines: number;
  readonly lastAt: number;
}

/** Adds to the dropped lines of devices whose tenant stays. Runs under withSystem. */
export async function addDroppedLines(
  tx: Tx,
  rows: readonly DroppedLinesRow[],
  unassigned: UnassignedDrops,
): Promise<void> {
  const writable = await writableTenants(
    tx,
    rows.map(r => r.tenantId),
  );
  const kept = rows.filter(r => writable.has(r.tenantId));
  // All processes write in the same order, so that they cannot deadlock.
  const sorted = kept.sort((a, b) => (a.deviceId + a.reason < b.deviceId + b.reason ? -1 : 1));
  if (sorted.length > 0)
    await tx.run(sql`
      insert into log_dropped_lines (tenant_id, device_id, day, reason, lines, last_at)
      select tenant_id, device_id, (last_at at time zone 'UTC')::date, reason, lines, last_at
      from unnest(${sorted.map(r => r.tenantId)}::uuid[], ${sorted.map(r => r.deviceId)}::uuid[], ${sorted.map(r => r.reason)}::text[],
        ${sorted.map(r => r.lines)}::bigint[], ${sorted.map(r => new Date(r.lastAt).toISOString())}::timestamptz[])
        as v(tenant_id, device_id, reason, lines, last_at)
      on conflict (tenant_id, device_id, day, reason) do update
        set lines = log_dropped_lines.lines + excluded.lines, last_at = greatest(log_dropped_lines.last_at, excluded.last_at)`);
  if (sorted.length > 0)
    await tx.many(sql`
      select pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'logs')::text)
      from devices where id = any(${sorted.map(r => r.deviceId)}::uuid[]) group by tenant_id, location_id`);
  const { overflow, unknownLines, unknownFlows } = unassigned;
  if (overflow > 0 || unknownLines > 0 || unknownFlows > 0)
    await tx.run(sql`
      insert into log_overflow (day, lines, unknown_lines, unknown_flows)
      values ((now() at time zone 'UTC')::date, ${overflow}, ${unknownLines}, ${unknownFlows})
      on conflict (day) do update set lines = log_overflow.lines + excluded.lines,
        unknown_lines = log_overflow.unknown_lines + excluded.unknown_lines, unknown_flows = log_overflow.unknown_flows + excluded.unknown_flows`);
}

/** The dropped lines of a device in the last days, by reason. */
export const listDroppedLines = (tx: Tx, deviceId: string, days: number) =>
  tx.many<{ reason: DropReason; lines: number; last_at: string }>(sql`
    select reason, sum(lines) as lines, max(last_at) as last_at from log_dropped_lines
    where device_id = ${deviceId} and day > (now() at time zone 'UTC')::date - ${days}::int
    group by reason order by lines desc, reason`);

/** The dropped lines of no known device in the last days. */
export const unassignedDrops = (tx: Tx, days: number) =>
  tx.one<{ overflow: number; unknown_lines: number; unknown_flows: number }>(sql`
    select coalesce(sum(lines), 0) as overflow, coalesce(sum(unknown_lines), 0) as unknown_lines, coalesce(sum(unknown_flows), 0) as unknown_flows
    from log_overflow where day > (now() at time zone 'UTC')::date - ${days}::int`);
