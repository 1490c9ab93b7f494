import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';
import type { SessionReport } from '../imports.queries.ts';

/** The bytes that the tenant's unfinished imports take or will take. Until the transaction ends no other file is announced. */
export async function unfinishedBytes(tx: Tx): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('session-imports' || current_tenant(), 0))`);
  const { bytes } = await tx.one<{ bytes: number }>(sql`
    select coalesce(sum(case when i.state in ('uploading', 'reading') then i.bytes else 0 end
      + (select coalesce(sum(pg_column_size(c.data)), 0) from session_import_chunks c where c.import_id = i.id)
    ), 0)::float8 as bytes
    from visitor_imports i where i.source = 'sessions' and i.state <> 'done'`);
  return bytes;
}

export const insertSessionImport = (
  tx: Tx,
  it: { id: string; location_id: string; file_name: string; bytes: number; created_by: string },
) =>
  tx.run(sql`
    insert into visitor_imports (id, location_id, source, file_name, state, groups, findings, total, created_by, bytes)
    values (${it.id}, ${it.location_id}, 'sessions', ${it.file_name}, 'uploading', '[]', '{}', 0, ${it.created_by}, ${it.bytes})`);

/** Keeps a part. The file is read once its last part is here. */
export async function insertPart(tx: Tx, importId: string, startsAt: number, data: Buffer): Promise<void> {
  await tx.run(
    sql`insert into session_import_parts (import_id, starts_at, data) values (${importId}, ${startsAt}, ${data})`,
  );
  await tx.run(sql`
    update visitor_imports set received = ${startsAt + data.length}, progress_at = now(),
      state = case when bytes = ${startsAt + data.length} then 'reading' else state end
    where id = ${importId}`);
}

/**
 * The next file of this size that is to be read, across tenants: the oldest of the tenant whose file was read longest ago. `not`: those
 * that are left for later.
 */
export const nextUnread = (
  tx: Tx,
  { atLeast, below, not }: { atLeast: number; below: number; not: readonly string[] },
) =>
  tx.maybe<{ tenant_id: string; id: string; location_id: string; bytes: number; attempts: number }>(sql`
    select i.tenant_id, i.id, i.location_id, i.bytes::float8 as bytes, i.attempts from visitor_imports i
    where i.state = 'reading' and i.next_attempt_at <= now() and i.bytes >= ${atLeast}::float8 and i.bytes < ${below}::float8
      and i.id <> all (${not}::uuid[])
    order by (select max(d.progress_at) from visitor_imports d
      where d.tenant_id = i.tenant_id and d.source = 'sessions' and d.state not in ('uploading', 'reading')) nulls first, i.created_at
    limit 1`);

/** The next attempt comes later, each time twice as late. */
export const readLater = (tx: Tx, id: string, seconds: number) =>
  tx.run(sql`
    update visitor_imports set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${seconds} * 2 ^ attempts)
    where id = ${id} and state = 'reading'`);

export const isReading = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from visitor_imports where id = ${id} and state = 'reading'`)) !== undefined;

/** The first part at this place of the file or behind it. */
export const nextPart = (tx: Tx, importId: string, from: number) =>
  tx.maybe<{ starts_at: number; data: Buffer }>(sql`
    select starts_at::float8 as starts_at, data from session_import_parts
    where import_id = ${importId} and starts_at >= ${from} order by starts_at limit 1`);

/** The sessions of a list, with moments by the clocks of the location. */
const sessionsOf = (list: string, locationId: string): Sql => {
  const moment = (text: Sql) =>
    sql`case when ${text} like '%Z' then ${text}::timestamptz else ${text}::timestamp at time zone l.time_zone end`;
  return sql`(
    select decode(x.k, 'base64') as source_key, x.u as user_name, x.m as client_mac, x.i as client_ip, x.n as nas, ${moment(sql`x.s`)} as started_at,
      ${moment(sql`x.e`)} as ended_at, x.t as seconds, x.up as upload, x.dn as download, x.c as terminate_cause
    from jsonb_to_recordset(${list}::jsonb) as x(k text, u text, m macaddr, i inet, n text, s text, e text, t bigint, up bigint, dn bigint, c text),
      locations l where l.id = ${locationId}) x`;
};

/** Older sessions would be forgotten at once. */
const counts = (days: number): Sql => sql`x.ended_at >= now() - make_interval(days => ${days})`;

/** Keeps a list until the import is started, and says what of it would be imported. */
export async function keepList(
  tx: Tx,
  it: { importId: string; locationId: string; n: number; list: string; rows: number; days: number },
) {
  await tx.run(sql`
    insert into session_import_chunks (import_id, n, rows, data) values (${it.importId}, ${it.n}, ${it.rows}, ${it.list})
    on conflict do nothing`);
  await tx.run(sql`update visitor_imports set progress_at = now() where id = ${it.importId}`);
  return tx.one<{ old: number; existing: number; first_at: string | null; last_at: string | null }>(sql`
    select count(*) filter (where not (${counts(it.days)}))::int as old,
      count(*) filter (where ${counts(it.days)} and s.id is not null)::int as existing,
      min(x.started_at) filter (where ${counts(it.days)}) as first_at, max(x.started_at) filter (where ${counts(it.days)}) as last_at
    from ${sessionsOf(it.list, it.locationId)}
    left join imported_sessions s on s.location_id = ${it.locationId} and s.source_key = x.source_key`);
}

/** Ends the reading with its report. */
export async function finishReading(
  tx: Tx,
  id: string,
  state: 'ready' | 'failed',
  it: { total: number; created: number; skipped: number; findings: SessionReport },
): Promise<void> {
  await tx.run(sql`
    update visitor_imports set state = ${state}, total = ${it.total}, created = ${it.created}, skipped = ${it.skipped},
      findings = ${JSON.stringify(it.findings)}::jsonb, progress_at = now()
    where id = ${id} and state = 'reading'`);
  await tx.run(sql`delete from session_import_parts where import_id = ${id}`);
  if (state === 'failed') await tx.run(sql`delete from session_import_chunks where import_id = ${id}`);
}

/** Imports the next list; false if there is none. What was imported before stays as it is. */
export async function importList(
  tx: Tx,
  it: { importId: string; locationId: string; days: number },
): Promise<{ rows: number; created: number } | undefined> {
  const list = await tx.maybe<{ n: number; rows: number; data: string }>(sql`
    select n, rows, data from session_import_chunks where import_id = ${it.importId} order by n limit 1`);
  if (!list) return undefined;
  // No visitor of these is deleted before its sessions are here, and goes without them.
  await tx.run(sql`
    select from visitors v where v.location_id = ${it.locationId}
      and v.username in (select x.u from jsonb_to_recordset(${list.data}::jsonb) as x(u text)) order by v.id for key share`);
  const created = await tx.run(sql`
    insert into imported_sessions (location_id, import_id, source_key, user_name, visitor_id, client_mac, client_ip, nas, started_at, ended_at,
      seconds, upload, download, terminate_cause)
    select ${it.locationId}, ${it.importId}, x.source_key, x.user_name, v.id, x.client_mac, x.client_ip, x.nas, x.started_at,
      -- In the hour that a clock repeats, a stop may be before its start.
      greatest(x.started_at, x.ended_at), coalesce(x.seconds, greatest(0, extract(epoch from x.ended_at - x.started_at))::bigint), x.upload, x.download, x.terminate_cause
    from ${sessionsOf(list.data, it.locationId)}
    left join visitors v on v.location_id = ${it.locationId} and v.username = x.user_name
    where ${counts(it.days)}
    on conflict do nothing`);
  await tx.run(sql`delete from session_import_chunks where import_id = ${it.importId} and n = ${list.n}`);
  await tx.run(sql`
    update visitor_imports set created = created + ${created}, skipped = skipped + ${list.rows - created}, progress_at = now()
    where id = ${it.importId}`);
  return { rows: list.rows, created };
}

const deletedAtOnce = 10_000;

/**
 * Deletes some sessions of an import, and with the last of them the import. Returns whether others are left: millions are more than one
 * transaction should delete.
 */
export async function deleteSome(tx: Tx, importId: string): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from imported_sessions where id in (select id from imported_sessions where import_id = ${importId} limit ${deletedAtOnce})`);
  if (deleted < deletedAtOnce) await tx.run(sql`delete from visitor_imports where id = ${importId}`);
  else await tx.run(sql`update visitor_imports set state = 'deleting' where id = ${importId} and state <> 'deleting'`);
  return deleted === deletedAtOnce;
}

/** An import of each tenant whose sessions are being deleted, except for some. */
export const deletingImports = (tx: Tx, { not }: { not: readonly string[] }) =>
  tx.many<{ tenant_id: string; id: string }>(sql`
    select distinct on (tenant_id) tenant_id, id from visitor_imports
    where state = 'deleting' and id <> all(${not}::uuid[]) order by tenant_id, id`);

/** Deletes some sessions of locations that are deleted, across tenants. Returns their number. */
export const forgetPlaces = (tx: Tx): Promise<number> =>
  tx.run(sql`
    with recursive places as (
      (select s.tenant_id, s.location_id from imported_sessions s order by s.tenant_id, s.location_id limit 1)
      union all
      -- The index gives the next place without the rows between.
      select n.tenant_id, n.location_id from places p cross join lateral (
        select s.tenant_id, s.location_id from imported_sessions s where (s.tenant_id, s.location_id) > (p.tenant_id, p.location_id)
        order by s.tenant_id, s.location_id limit 1) n)
    delete from imported_sessions where (tenant_id, id) in (
      select s.tenant_id, s.id from places p join imported_sessions s on (s.tenant_id, s.location_id) = (p.tenant_id, p.location_id)
      where not exists (select from locations l where (l.tenant_id, l.id) = (p.tenant_id, p.location_id)) limit ${deletedAtOnce})`);

/** Deletes some sessions that ended before the retention period, across tenants. Returns their number. */
export const forgetSessions = (tx: Tx, { days, limit }: { days: number; limit: number }): Promise<number> =>
  tx.run(sql`
    delete from imported_sessions where (tenant_id, id) in (
      select tenant_id, id from imported_sessions where ended_at < now() - make_interval(days => ${days}) limit ${limit})`);
