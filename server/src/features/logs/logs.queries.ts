import type { logFileTypes, recordProblems } from '@portico/contract/logs.ts';
import sql, { empty } from 'sql-template-tag';
import { pageOf } from '#db/list.ts';
import { andDevice } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Actor } from '#http/actor.ts';
import type { Rows } from '#http/page.ts';

type FileType = (typeof logFileTypes)[number];

/** A device that the actor may see, with the time zone of its location. */
export const findLogDevice = (tx: Tx, actor: Actor, id: string) =>
  tx.maybe<{ id: string; name: string; time_zone: string; location_id: string; brand: string }>(sql`
    select d.id, d.name, l.time_zone, d.location_id, b.slug as brand
    from devices d join locations l on l.id = d.location_id join brands b on b.id = d.brand_id
    where d.id = ${id} ${andDevice(actor.reach, sql`d.location_id`, sql`d.id`)}`);

export interface FileRow {
  id: string;
  day: string;
  part: number;
  type: FileType;
  lines: number;
  bytes: number;
  sealed: boolean;
  sha256: string | null;
  stamped: boolean;
  problem: 'missing' | 'changed' | null;
  created_at: string;
}

export async function listFiles(
  tx: Tx,
  deviceId: string,
  filter: {
    page: number;
    per_page: number;
    types: readonly FileType[];
    from: string | undefined;
    to: string | undefined;
  },
): Promise<Rows<FileRow>> {
  const where = sql`from log_files where device_id = ${deviceId} and erased_at is null and type = any(${filter.types})
    ${filter.from ? sql`and day >= ${filter.from}::date` : empty} ${filter.to ? sql`and day <= ${filter.to}::date` : empty}`;
  const [rows, { total }] = await Promise.all([
    tx.many<FileRow>(sql`
      select id, day::text, part, type, lines, coalesce(file_bytes, bytes) as bytes, sealed_at is not null as sealed, sha256,
        chain_number is not null and chain_number <= (select s.stamped_length from log_streams s where s.device_id = ${deviceId}) as stamped, problem, created_at ${where}
      order by day desc, type, part ${pageOf(filter)}`),
    tx.one<{ total: number }>(sql`select count(*) as total ${where}`),
  ]);
  return { rows, total };
}

export interface StoredFile {
  id: string;
  device_id: string;
  device_name: string | null;
  location_id: string | null;
  /** Null: the device was deleted, or got another brand about that day. */
  brand: string | null;
  type: string;
  day: string;
  part: number;
  path: string | null;
  start_position: number;
  end_position: number;
}

/** A file and the place of its lines: a sealed file, or a range of the raw stream. */
const storedFile = sql`
  select f.id, f.device_id, d.name as device_name, d.location_id, f.type, f.day::text, f.part, f.path, f.start_position,
    brand_of_lines(d.brand_id, d.former_brands, f.day) as brand, coalesce(y.end_position, s.position) as end_position
  from log_files f
    join log_streams s on s.tenant_id = f.tenant_id and s.device_id = f.device_id
    join log_days y on y.tenant_id = f.tenant_id and y.device_id = f.device_id and y.start_position = f.start_position
    left join devices d on d.tenant_id = f.tenant_id and d.id = f.device_id`;

export const findFile = (tx: Tx, id: string) =>
  tx.maybe<StoredFile>(sql`${storedFile} where f.id = ${id} and f.erased_at is null`);

/** The files of a device with this type in a period, in the order of their lines. */
export const filesOfDays = (tx: Tx, deviceId: string, type: FileType, days: { from: string; to: string }) =>
  tx.many<StoredFile>(sql`${storedFile}
    where f.device_id = ${deviceId} and f.type = ${type} and f.day between ${days.from} and ${days.to} and f.erased_at is null
    order by f.start_position`);

/** The state of the chain of a device. */
export const findRecord = (tx: Tx, deviceId: string) =>
  tx.one<{
    logging_enabled: boolean;
    last_line_at: string | null;
    sealed_files: number;
    stamped_files: number;
    checked_at: string | null;
    problem: (typeof recordProblems)[number] | null;
    problem_where: string | null;
  }>(sql`
    select d.logging_enabled, s.checked_at, s.problem, s.problem_where, coalesce(f.sealed, 0) as sealed_files,
      coalesce(f.stamped, 0) as stamped_files, coalesce(f.last_line_at, h.last_line_at) as last_line_at
    from devices d
      left join log_streams s on s.tenant_id = d.tenant_id and s.device_id = d.id
      left join lateral (
        select count(*) filter (where sealed_at is not null) as sealed, count(*) filter (where chain_number <= s.stamped_length) as stamped,
          max(updated_at) filter (where sealed_at is null) as last_line_at
        from log_files where device_id = d.id and erased_at is null) f on true
      -- After the day is sealed, the last minute with a line is used.
      left join lateral (
        select least(now(), hour + (select max(i) - 1 from unnest(minutes) with ordinality as m(n, i) where n > 0) * interval '1 minute') as last_line_at
        from log_hours where device_id = d.id order by hour desc limit 1) h on true
    where d.id = ${deviceId}`);
