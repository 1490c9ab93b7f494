import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

export interface DeviceKey {
  tenant_id: string;
  device_id: string;
}

export interface DayToSeal {
  start_position: number;
  end_position: number;
  day: string;
  part: number;
  brand: string | null;
}

/** Devices with past days that are not sealed. All queries here run under withSystem. */
export const devicesToSeal = (tx: Tx) =>
  tx.many<DeviceKey>(sql`
    select distinct y.tenant_id, y.device_id from log_days y join log_streams s using (tenant_id, device_id)
    where y.sealed_at is null and y.end_position is not null and s.sealing_until < now() limit 1000`);

/** Devices whose chain has links without a stamp. */
export const devicesToStamp = (tx: Tx) =>
  tx.many<DeviceKey>(sql`
    select tenant_id, device_id from log_streams where stamped_length < chain_length and sealing_until < now() limit 1000`);

/** Devices whose chain has files that were not moved to the store. */
export const devicesToStore = (tx: Tx) =>
  tx.many<DeviceKey>(sql`
    select tenant_id, device_id from log_streams where stored_length < chain_length and sealing_until < now() limit 1000`);

export const markStored = (tx: Tx, { tenant_id, device_id }: DeviceKey, length: number) =>
  tx.run(
    sql`update log_streams set stored_length = ${length} where tenant_id = ${tenant_id} and device_id = ${device_id}`,
  );

/** Devices with sealed files. */
export const devicesToCheck = (tx: Tx) =>
  tx.many<DeviceKey>(
    sql`select tenant_id, device_id from log_streams where chain_length > 0 and sealing_until < now()`,
  );

export const headOf = (tx: Tx, { tenant_id, device_id }: DeviceKey) =>
  tx.maybe<{ length: number; chain: string; name: string | null; location_id: string | null }>(sql`
    select s.chain_length as length, s.chain_head as chain, d.name, d.location_id
    from log_streams s left join devices d on d.tenant_id = s.tenant_id and d.id = s.device_id
    where s.tenant_id = ${tenant_id} and s.device_id = ${device_id}`);

/** Devices with files from before a day. */
export const devicesToErase = (tx: Tx, before: string) =>
  tx.many<DeviceKey>(sql`
    select distinct f.tenant_id, f.device_id from log_files f join log_streams s using (tenant_id, device_id)
    where f.erased_at is null and f.sealed_at is not null and f.day < ${before}::date and s.sealing_until < now() limit 1000`);

/** Claims the files of a device for ten minutes; false if another process has claimed them. */
export const claim = async (tx: Tx, { tenant_id, device_id }: DeviceKey): Promise<boolean> =>
  (await tx.run(sql`
    update log_streams set sealing_until = now() + interval '10 minutes'
    where tenant_id = ${tenant_id} and device_id = ${device_id} and sealing_until < now()`)) === 1;

/** Renews a claim; false if it has ended, and another process may have the files. */
export const renewClaim = async (tx: Tx, { tenant_id, device_id }: DeviceKey): Promise<boolean> =>
  (await tx.run(sql`
    update log_streams set sealing_until = now() + interval '10 minutes'
    where tenant_id = ${tenant_id} and device_id = ${device_id} and sealing_until > now()`)) === 1;

export const release = (tx: Tx, { tenant_id, device_id }: DeviceKey) =>
  tx.run(
    sql`update log_streams set sealing_until = '-infinity' where tenant_id = ${tenant_id} and device_id = ${device_id}`,
  );

export const daysToSeal = (tx: Tx, { tenant_id, device_id }: DeviceKey) =>
  tx.many<DayToSeal>(sql`
    select y.start_position, y.end_position, y.day::text, y.part, brand_of_lines(d.brand_id, d.former_brands, y.day) as brand
    from log_days y
      left join devices d on d.tenant_id = y.tenant_id and d.id = y.device_id
    where y.tenant_id = ${tenant_id} and y.device_id = ${device_id} and y.sealed_at is null and y.end_position is not null
    order by y.start_position`);

export interface SealedFile {
  type: string;
  lines: number;
  bytes: number;
  path: string;
  fileBytes: number;
  sha256: string;
  number: number;
  previous: string;
}

/** Stores the sealed files of a day. Deletes rows of types for which no file was made. */
export async function markSealed(
  tx: Tx,
  { tenant_id, device_id }: DeviceKey,
  day: DayToSeal,
  files: readonly SealedFile[],
): Promise<void> {
  for (const f of files)
    await tx.run(sql`
      insert into log_files (tenant_id, device_id, start_position, type, day, part, lines, bytes, sealed_at, path, file_bytes, sha256, chain_number, chain_previous)
      values (${tenant_id}, ${device_id}, ${day.start_position}, ${f.type}, ${day.day}, ${day.part}, ${f.lines}, ${f.bytes}, now(), ${f.path},
        ${f.fileBytes}, ${f.sha256}, ${f.number}, ${f.previous})
      on conflict (tenant_id, device_id, start_position, type) do update
        set lines = excluded.lines, bytes = excluded.bytes, sealed_at = now(), updated_at = now(), path = excluded.path,
          file_bytes = excluded.file_bytes, sha256 = excluded.sha256, chain_number = excluded.chain_number, chain_previous = excluded.chain_previous`);
  await tx.run(sql`
    delete from log_files where tenant_id = ${tenant_id} and device_id = ${device_id} and start_position = ${day.start_position} and sealed_at is null`);
  await tx.run(sql`
    update log_days set sealed_at = now() where tenant_id = ${tenant_id} and device_id = ${device_id} and start_position = ${day.start_position}`);
}

export const setHead = (
  tx: Tx,
  { tenant_id, device_id }: DeviceKey,
  head: { length: number; chain: string; stamped?: number | undefined },
) =>
  tx.run(sql`
    update log_streams set chain_length = ${head.length}, chain_head = ${head.chain}, stamped_length = coalesce(${head.stamped ?? null}, stamped_length)
    where tenant_id = ${tenant_id} and device_id = ${device_id}`);

/** The position from which raw lines are still needed. */
export const neededFrom = async (tx: Tx, { tenant_id, device_id }: DeviceKey): Promise<number> =>
  (
    await tx.one<{ position: number }>(sql`
    select coalesce((select min(start_position) from log_days where tenant_id = ${tenant_id} and device_id = ${device_id} and sealed_at is null),
      (select position from log_streams where tenant_id = ${tenant_id} and device_id = ${device_id}), 0) as position`)
  ).position;

export const filesToErase = (tx: Tx, { tenant_id, device_id }: DeviceKey, before: string) =>
  tx.many<{ id: string; path: string }>(sql`
    select id, path from log_files where tenant_id = ${tenant_id} and device_id = ${device_id} and erased_at is null and sealed_at is not null
      and day < ${before}::date order by day, chain_number`);

export const markErased = (tx: Tx, { tenant_id }: DeviceKey, id: string) =>
  tx.run(sql`update log_files set erased_at = now(), path = null where tenant_id = ${tenant_id} and id = ${id}`);

/** Stores the result of a check: the first finding, and the missing and changed files. `read`: files whose content was read. */
export async function setChecked(
  tx: Tx,
  { tenant_id, device_id }: DeviceKey,
  found: {
    first: { problem: string; where: string } | undefined;
    missing: readonly string[];
    changed: readonly string[];
    read: readonly string[];
  },
): Promise<void> {
  await tx.run(sql`
    update log_streams set checked_at = now(), problem = ${found.first?.problem ?? null}, problem_where = ${found.first?.where ?? null}
    where tenant_id = ${tenant_id} and device_id = ${device_id}`);
  await tx.run(sql`
    update log_files set problem = case when path = any(${found.missing}) then 'missing' when path = any(${found.changed}) then 'changed' end
    where tenant_id = ${tenant_id} and device_id = ${device_id} and path is not null
      and (path = any(${found.missing}) or path = any(${found.read}) or problem = 'missing')`);
}

/** Deletes the counts of days before the retention. */
export async function eraseCounts(tx: Tx, before: string): Promise<void> {
  await tx.run(sql`delete from log_hours where hour < ${before}::date`);
  await tx.run(sql`delete from log_tops where day < ${before}::date`);
  await tx.run(sql`delete from log_top_hours where day < ${before}::date`);
  await tx.run(sql`delete from log_dropped_lines where day < ${before}::date`);
  await tx.run(sql`delete from log_overflow where day < ${before}::date`);
}

interface Trim {
  /** The number of names to keep for a past day or hour, and for one of today. */
  readonly past: number;
  readonly today: number;
  /** The retention in days. */
  readonly days: number;
  /** Counts up with each run. */
  readonly round: number;
}

/** The days to trim: the last four, and one older day per run, because lines may have been read late. */
const daysToTrim = ({ days, round }: Trim) => sql`
  (day >= (now() at time zone 'UTC')::date - 4 or day = (now() at time zone 'UTC')::date - 5 - ${round % Math.max(1, days - 4)}::int)`;

/** Deletes the less used names of each day. The current day keeps more of them, because they may still be used more. */
export const trimTops = (tx: Tx, keep: Trim) =>
  tx.run(sql`
    delete from log_tops t using (
      select tenant_id, device_id, kind, day, name, day < (now() at time zone 'UTC')::date - 1 as over,
        row_number() over (partition by tenant_id, device_id, kind, day order by recv + sent desc, connections desc) as rank
      from log_tops where ${daysToTrim(keep)}) r
    where r.rank > case when r.over then ${keep.past}::int else ${keep.today}::int end and t.tenant_id = r.tenant_id and t.device_id = r.device_id
      and t.kind = r.kind and t.day = r.day and t.name = r.name`);

/** Deletes old hourly names, and the less used names of each hour. */
export async function trimTopHours(tx: Tx, keep: Trim): Promise<void> {
  await tx.run(sql`delete from log_top_hours where day < (now() at time zone 'UTC')::date - ${keep.days}::int`);
  await tx.run(sql`
    delete from log_top_hours t using (
      select tenant_id, device_id, kind, day, hour, name, day < (now() at time zone 'UTC')::date - 1 as over,
        row_number() over (partition by tenant_id, device_id, kind, day, hour order by recv + sent desc, connections desc) as rank
      from log_top_hours where ${daysToTrim(keep)}) r
    where r.rank > case when r.over then ${keep.past}::int else ${keep.today}::int end and t.tenant_id = r.tenant_id and t.device_id = r.device_id
      and t.kind = r.kind and t.day = r.day and t.hour = r.hour and t.name = r.name`);
}

export const heads = (tx: Tx) =>
  tx.many<DeviceKey & { chain_length: number; chain_head: string }>(sql`
    select tenant_id, device_id, chain_length, chain_head from log_streams where chain_length > 0 order by tenant_id, device_id`);
