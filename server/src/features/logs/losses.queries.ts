import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { LossReason } from './losses.ts';

export interface LossRow {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly reason: LossReason;
  readonly lines: number;
  readonly lastAt: number;
}

/** Adds to what is known of losses; `overflow` is that of all devices together. Runs under withSystem. */
export async function addLosses(tx: Tx, rows: readonly LossRow[], overflow: number): Promise<void> {
  // One order for everybody, so that two processes wait for each other instead of deadlocking.
  const sorted = [...rows].sort((a, b) => (a.deviceId + a.reason < b.deviceId + b.reason ? -1 : 1));
  if (sorted.length > 0)
    await tx.run(sql`
      insert into log_losses (tenant_id, device_id, day, reason, lines, last_at)
      select tenant_id, device_id, (last_at at time zone 'UTC')::date, reason, lines, last_at
      from unnest(${sorted.map(r => r.tenantId)}::uuid[], ${sorted.map(r => r.deviceId)}::uuid[], ${sorted.map(r => r.reason)}::text[],
        ${sorted.map(r => r.lines)}::bigint[], ${sorted.map(r => new Date(r.lastAt).toISOString())}::timestamptz[])
        as v(tenant_id, device_id, reason, lines, last_at)
      on conflict (tenant_id, device_id, day, reason) do update
        set lines = log_losses.lines + excluded.lines, last_at = greatest(log_losses.last_at, excluded.last_at)`);
  if (sorted.length > 0)
    await tx.many(sql`
      select pg_notify('portico', json_build_object('tenant', tenant_id, 'location', location_id, 'topic', 'logs')::text)
      from devices where id = any(${sorted.map(r => r.deviceId)}::uuid[]) group by tenant_id, location_id`);
  if (overflow > 0)
    await tx.run(sql`
      insert into log_overflow (day, lines) values ((now() at time zone 'UTC')::date, ${overflow})
      on conflict (day) do update set lines = log_overflow.lines + excluded.lines`);
}

/** What was lost of a device in the last days, by reason. */
export const listLosses = (tx: Tx, deviceId: string, days: number) =>
  tx.many<{ reason: LossReason; lines: number; last_at: string }>(sql`
    select reason, sum(lines) as lines, max(last_at) as last_at from log_losses
    where device_id = ${deviceId} and day > (now() at time zone 'UTC')::date - ${days}::int
    group by reason order by lines desc, reason`);

export const overflowOf = async (tx: Tx, days: number): Promise<number> =>
  (
    await tx.one<{ lines: number }>(sql`
      select coalesce(sum(lines), 0) as lines from log_overflow where day > (now() at time zone 'UTC')::date - ${days}::int`)
  ).lines;
