import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { LocalHour } from './local-day.ts';
import type { DeviceCounts, TopRow } from './log-store.ts';
import { maxBytes, type TopKind } from './tally.ts';

/** A sum that fits the column, and that JSON holds exactly. */
const limited = (sum: Sql): Sql => sql`least(${sum}, ${maxBytes}::bigint)`;

/** Adds to the counts; runs under withSystem. */
export async function addCounts(tx: Tx, counted: readonly DeviceCounts[]): Promise<void> {
  await Promise.all([addHours(tx, counted), addTops(tx, counted)]);
}

/** Lines per minute between two times, by hour in milliseconds since 1970. Omits hours without lines. */
export const minutesBetween = (tx: Tx, deviceId: string, from: Date, to: Date) =>
  tx.many<{ hour: number; minutes: number[] }>(sql`
    select extract(epoch from hour) * 1000 as hour, minutes from log_hours
    where device_id = ${deviceId} and hour > ${from.toISOString()}::timestamptz - interval '1 hour' and hour < ${to.toISOString()}
    order by hour`);

export const hoursBetween = (tx: Tx, deviceId: string, from: Date, to: Date) =>
  tx.many<{ hour: number; lines: number }>(sql`
    select extract(epoch from hour) * 1000 as hour, lines from log_hours
    where device_id = ${deviceId} and hour >= ${from.toISOString()} and hour < ${to.toISOString()}
    order by hour`);

/**
 * Complete days are read from the daily totals, the first and the last day from the hourly ones. If a day has no hourly totals
 * any more, all of it counts.
 */
export function listTops(tx: Tx, deviceId: string, kind: TopKind, { from, to }: { from: LocalHour; to: LocalHour }) {
  const parts = [...(from.hour > 0 ? [from.day] : []), ...(to.hour < 23 ? [to.day] : [])];
  return tx.many<TopRow>(sql`
    select name as domain, ${limited(sql`sum(recv)`)} as recv, ${limited(sql`sum(sent)`)} as sent, ${limited(sql`sum(recv) + sum(sent)`)} as total,
      sum(connections) as connections
    from (
      select name, recv, sent, connections from log_tops t
      where device_id = ${deviceId} and kind = ${kind} and day between ${from.day} and ${to.day} and (day <> all(${parts}::date[])
        or not exists (select from log_top_hours h where h.device_id = ${deviceId} and h.kind = ${kind} and h.day = t.day))
      union all
      select name, recv, sent, connections from log_top_hours
      where device_id = ${deviceId} and kind = ${kind} and day = any(${parts}::date[])
        and (day, hour) >= (${from.day}::date, ${from.hour}::int) and (day, hour) <= (${to.day}::date, ${to.hour}::int)) u
    group by name order by total desc, connections desc, name limit 20`);
}

async function addHours(tx: Tx, counted: readonly DeviceCounts[]): Promise<void> {
  const rows = counted.flatMap(({ tenantId, deviceId, hours }) =>
    [...(hours ?? [])].map(([hour, minutes]) => ({
      tenantId,
      deviceId,
      hour: new Date(hour).toISOString(),
      minutes,
      lines: minutes.reduce((a, b) => a + b, 0),
    })),
  );
  if (rows.length === 0) return;
  await tx.run(sql`
    insert into log_hours (tenant_id, device_id, hour, lines, minutes)
    select tenant_id, device_id, hour, lines, minutes::int[]
    from unnest(${rows.map(r => r.tenantId)}::uuid[], ${rows.map(r => r.deviceId)}::uuid[], ${rows.map(r => r.hour)}::timestamptz[],
      ${rows.map(r => r.lines)}::bigint[], ${rows.map(r => `{${r.minutes.join(',')}}`)}::text[]) as v(tenant_id, device_id, hour, lines, minutes)
    on conflict (tenant_id, device_id, hour) do update
      set lines = log_hours.lines + excluded.lines, minutes = add_minutes(log_hours.minutes, excluded.minutes)`);
}

async function addTops(tx: Tx, counted: readonly DeviceCounts[]): Promise<void> {
  const rows = counted.flatMap(({ tenantId, deviceId, tops }) =>
    [...tops.values()].map(top => ({ tenantId, deviceId, ...top })),
  );
  if (rows.length === 0) return;
  const key = (r: (typeof rows)[number]) => `${r.deviceId}${r.kind}${r.day}${r.hour}${r.name}`;
  rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  await tx.run(sql`
    with v as materialized (select * from unnest(${rows.map(r => r.tenantId)}::uuid[], ${rows.map(r => r.deviceId)}::uuid[], ${rows.map(r => r.day)}::date[], ${rows.map(r => r.hour)}::smallint[],
      ${rows.map(r => r.kind)}::text[], ${rows.map(r => r.name)}::text[], ${rows.map(r => r.recv)}::bigint[], ${rows.map(r => r.sent)}::bigint[],
      ${rows.map(r => r.connections)}::bigint[]) as t(tenant_id, device_id, day, hour, kind, name, recv, sent, connections)),
    hours as (
      insert into log_top_hours (tenant_id, device_id, day, hour, kind, name, recv, sent, connections) select * from v
      on conflict (tenant_id, device_id, kind, day, hour, name) do update
        set recv = ${limited(sql`log_top_hours.recv::numeric + excluded.recv`)}, sent = ${limited(sql`log_top_hours.sent::numeric + excluded.sent`)},
          connections = log_top_hours.connections + excluded.connections)
    insert into log_tops (tenant_id, device_id, day, kind, name, recv, sent, connections)
    select tenant_id, device_id, day, kind, name, ${limited(sql`sum(recv)`)}, ${limited(sql`sum(sent)`)}, sum(connections) from v
    group by tenant_id, device_id, day, kind, name order by device_id, kind, day, name
    on conflict (tenant_id, device_id, kind, day, name) do update
      set recv = ${limited(sql`log_tops.recv::numeric + excluded.recv`)}, sent = ${limited(sql`log_tops.sent::numeric + excluded.sent`)},
        connections = log_tops.connections + excluded.connections`);
}
