import sql, { empty, join, type Sql } from 'sql-template-tag';
import { andLocation, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { keepRebuildsAway } from '../finished-months.queries.ts';

/** A batch whose rows are in the archive. */
export interface ArchivedBatch {
  readonly batch: number;
  /** Its sessions began within this time, in microseconds since 1970. */
  readonly since: number;
  readonly until: number;
  readonly rows: number;
}

const micros = (time: Sql): Sql => sql`(extract(epoch from ${time}) * 1000000)::bigint`;
const monthEnd = sql`(month + interval '1 month')::timestamp at time zone 'UTC'`;
const monthStart = sql`month::timestamp at time zone 'UTC'`;

/** The archived batches, newest first. */
export const listArchived = (tx: Tx) =>
  tx.many<ArchivedBatch>(sql`
    select batch, ${micros(monthStart)} as since, ${micros(monthEnd)} as until, rows
    from session_archives where state = 'archived' order by batch desc`);

/** Whether sessions are, or until yesterday were, in the archive. */
export const hasArchive = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from session_archives where state <> 'copying' limit 1`)) !== undefined;

/** Whether readers need the archive. Of a copy that was merely begun all sessions are here. */
export const needsArchive = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from session_archives where state = 'archived' limit 1`)) !== undefined;

/** The sessions that the archive found, as a relation `s`. The tenant is checked once more. */
export const archivedRows = (rows: readonly object[]): Sql => sql`(
  select * from json_to_recordset(${JSON.stringify(rows)}::json) as x(tenant_id uuid, id uuid, location_id uuid, device_id uuid,
    visitor_id uuid, user_name text, acct_session_id text, client_mac macaddr, client_ip inet, started_at timestamptz,
    ended_at timestamptz, upload bigint, download bigint, close_reason text)
  where x.tenant_id = current_tenant()) s`;

/** Moments in microseconds since 1970. */
export const momentsOf = async (tx: Tx, since: string | Sql, until: string | Sql) =>
  tx.one<{ since: number; until: number }>(
    sql`select ${micros(sql`${since}::timestamptz`)} as since, ${micros(sql`${until}::timestamptz`)} as until`,
  );

/** The zones of the tenant's locations, each with the bounds of a period by its clocks. */
export const zonesOf = (tx: Tx, { since, until, zone }: { since: string | Sql; until: string | Sql; zone: string }) =>
  tx.many<{ zone: string; locations: string[]; since: number; until: number }>(sql`
    select l.time_zone as zone, array_agg(l.id) as locations,
      ${micros(sql`(${since}::timestamptz at time zone ${zone}) at time zone l.time_zone`)} as since,
      ${micros(sql`(${until}::timestamptz at time zone ${zone}) at time zone l.time_zone`)} as until
    from locations l where l.time_zone <> ${zone} group by l.time_zone`);

export const locationsIn = async (tx: Tx, scope: Scope): Promise<string[]> =>
  (await tx.many<{ id: string }>(sql`select l.id from locations l where true ${andLocation(scope, sql`l.id`)}`)).map(
    ({ id }) => id,
  );

/** Everything below works across tenants. */

export interface Batch {
  readonly batch: number;
  readonly month: string;
  readonly state: 'copying' | 'archived' | 'dropping';
  readonly watched: boolean;
  readonly changed: boolean;
  readonly copied_id: string | null;
  readonly kept_after: string;
}

const batchColumns = sql`batch, month::text, state, watched, changed, copied_id, kept_after`;

/** Adds a batch for each month that is old enough and has sessions here, unless it is being moved already. */
export const addBatches = (tx: Tx, months: number) =>
  tx.run(sql`
    select add_archive(p.month, now() - interval '62 days', false)
    from (
      select to_date(right(c.relname, 7), 'YYYY_MM') as month
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'session_history'::regclass and c.relname ~ '^session_history_[0-9]{4}_[0-9]{2}$') p
    where p.month + interval '1 month' <= date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${months})
      and not exists (select from session_archives a where a.month = p.month and a.state = 'copying')
      and exists (select from session_history h where h.started_at >= p.month::timestamp at time zone 'UTC'
        and h.started_at < (p.month + interval '1 month')::timestamp at time zone 'UTC')
    order by p.month`);

/** Whether a tenant is moving to another installation: its sessions are being read, or are to be removed. */
export const isTenantLeaving = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from tenant_moves where direction = 'out' and state in ('frozen', 'moved') limit 1`)) !==
  undefined;

/** Gives up copies whose partition is gone, because its sessions were deleted. */
export const giveUpGone = (tx: Tx) =>
  tx.run(sql`
    update session_archives set state = 'dropping', changed_at = now()
    where state = 'copying' and to_regclass('session_history_' || to_char(month, 'YYYY_MM')) is null`);

export const listBatches = (tx: Tx, state: Batch['state']) =>
  tx.many<Batch>(sql`select ${batchColumns} from session_archives where state = ${state} order by batch`);

/** Lets all copies under way begin again: they were made while the rows of a tenant were hidden. */
export const copyAgain = (tx: Tx) => tx.run(sql`update session_archives set changed = true where state = 'copying'`);

/** Begins a copy again, under another number, and notes changes from now on. False: indexes are rebuilt now. */
export async function watch(tx: Tx, batch: number): Promise<boolean> {
  if (!(await keepRebuildsAway(tx))) return false;
  await tx.run(sql`select watch_archive(${batch})`);
  return true;
}

const inMonth = ({ month }: Pick<Batch, 'month'>): Sql => sql`
  h.started_at >= ${month}::timestamp at time zone 'UTC' and h.started_at < (${month}::date + interval '1 month')::timestamp at time zone 'UTC'`;
const goes = (it: Batch): Sql => sql`${inMonth(it)} and h.ended_at < ${it.kept_after}::timestamptz`;

const time = (column: Sql): Sql => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;
const copied = join(
  [
    ...[
      'tenant_id',
      'id',
      'location_id',
      'device_id',
      'network_id',
      'visitor_id',
      'profile_id',
      'user_name',
      'acct_session_id',
    ],
  ].map(column => sql([`h.${column}`])),
);

export interface Page {
  /** One JSON list a line. */
  readonly lines: string;
  readonly count: number;
  readonly id: string | null;
}

/** The rows of a batch behind those that are copied. */
export const nextPage = (tx: Tx, it: Batch, limit: number) =>
  tx.one<Page>(sql`
    select coalesce(string_agg(x.line, E'\n' order by x.id), '') as lines, count(*)::int as count,
      (array_agg(x.id order by x.id desc))[1] as id
    from (
      select h.id, json_build_array(${it.batch}::bigint, ${copied},
        coalesce(replace(h.client_mac::text, ':', ''), ''), coalesce(host(h.client_ip), ''), ${time(sql`h.started_at`)}, ${time(sql`h.ended_at`)},
        h.seconds, h.upload, h.download, h.close_reason, coalesce(h.terminate_cause, ''))::text as line
      from session_history h
      where ${goes(it)}
        ${it.copied_id === null ? empty : sql`and h.id > ${it.copied_id}::uuid`}
      order by h.id limit ${limit}) x`);

/** Remembers how far a batch is copied. 0: another process went on, or began again. */
export const copiedTo = (tx: Tx, it: Batch, page: Page) =>
  tx.run(sql`
    update session_archives set copied_id = ${page.id}, rows = rows + ${page.count}
    where batch = ${it.batch} and state = 'copying' and not changed
      and copied_id is not distinct from ${it.copied_id}::uuid`);

/** The sums of the sessions that are moved, as texts. The last digits of ids and addresses count as numbers. */
export const sumsOf = (tx: Tx, it: Batch) =>
  tx.one<Record<string, string>>(sql`
    select count(*)::text as rows, coalesce(sum(h.seconds), 0)::text as seconds, coalesce(sum(h.upload), 0)::text as upload,
      coalesce(sum(h.download), 0)::text as download, coalesce(sum(${micros(sql`h.started_at`)}), 0)::text as started,
      coalesce(sum(${micros(sql`h.ended_at`)}), 0)::text as ended,
      coalesce(sum(octet_length(h.user_name) + octet_length(h.acct_session_id)), 0)::text as names,
      coalesce(sum(('x' || right(h.id::text, 8))::bit(32)::bigint), 0)::text as ids,
      coalesce(sum(('x' || right(h.visitor_id::text, 8))::bit(32)::bigint), 0)::text as visitors,
      coalesce(sum(('x' || right(replace(h.client_mac::text, ':', ''), 8))::bit(32)::bigint), 0)::text as macs
    from session_history h where ${goes(it)}`);

export const listStaying = (tx: Tx, it: Batch) =>
  tx.many<{ tenant_id: string; id: string }>(
    sql`select h.tenant_id, h.id from session_history h where ${inMonth(it)} and h.ended_at >= ${it.kept_after}::timestamptz`,
  );

/**
 * Days of these sessions cannot be computed again, as those of deleted sessions. Rows that only the reconciliation
 * needs, and commands, which nothing reads of sessions that old, are deleted.
 */
export async function endReconciliation(tx: Tx, it: Batch): Promise<void> {
  await tx.run(sql`
    insert into figures_since as f (tenant_id, location_id, day)
    select h.tenant_id, h.location_id, (max(h.ended_at) at time zone 'UTC')::date + 2
    from session_history h join locations l on l.tenant_id = h.tenant_id and l.id = h.location_id
    where ${goes(it)} group by 1, 2
    on conflict (tenant_id, location_id) do update set day = greatest(f.day, excluded.day)`);
  await tx.run(sql`
    delete from session_parts p using session_history h
    where ${goes(it)} and p.tenant_id = h.tenant_id and p.session_id = h.id`);
  await tx.run(sql`
    delete from session_commands k using session_history h
    where ${goes(it)} and k.tenant_id = h.tenant_id and k.session_id = h.id`);
  await tx.run(sql`
    update session_archives set last_ended_at = (select max(h.ended_at) from session_history h where ${goes(it)}) where batch = ${it.batch} and state = 'copying'`);
}

/** Drops the month here. False: it changed meanwhile, was in use, or indexes are rebuilt now. */
export const dropHere = async (tx: Tx, it: Batch, staying: readonly { tenant_id: string; id: string }[]) =>
  (await keepRebuildsAway(tx)) &&
  (
    await tx.one<{ dropped: boolean }>(sql`
      select drop_archived(${it.batch}, ${staying.map(s => s.tenant_id)}::uuid[], ${staying.map(s => s.id)}::uuid[]) as dropped`)
  ).dropped;

/** Batches all of whose sessions need not be kept any more: readers leave them out from now on. */
export const expire = (tx: Tx, days: number) =>
  tx.run(sql`
    update session_archives set state = 'dropping', changed_at = now()
    where state = 'archived' and coalesce(last_ended_at, changed_at) < now() - make_interval(days => ${days})`);

/** Batches with a session that began before the limit, and so may have ended before it. */
export const listExpiring = (tx: Tx, days: number) =>
  tx.many<{ batch: number; before: number }>(sql`
    select batch, ${micros(sql`now() - make_interval(days => ${days})`)} as before from session_archives
    where state = 'archived' and ${monthStart} < now() - make_interval(days => ${days})`);

export const setRows = (tx: Tx, batch: number, rows: number) =>
  tx.run(sql`update session_archives set rows = ${rows} where batch = ${batch} and state = 'archived'`);

/** Forgets batches that were dropped. A day later, because a process that stood still may have added rows since. */
export const forgetDropped = (tx: Tx) =>
  tx.run(sql`delete from session_archives where state = 'dropping' and changed_at < now() - interval '1 day'`);

/** Addresses of sessions that ended before the limit and are not here. */
export const deleteAddresses = (tx: Tx, { days, limit }: { days: number; limit: number }) =>
  tx.run(sql`
    delete from session_addresses where (tenant_id, session_id, network) in (
      select a.tenant_id, a.session_id, a.network from session_addresses a
      where a.last_at < now() - make_interval(days => ${days})
        and not exists (select from online_sessions o where o.tenant_id = a.tenant_id and o.id = a.session_id)
        and not exists (select from session_history h where h.tenant_id = a.tenant_id and h.id = a.session_id)
      limit ${limit})`);

export const listErasures = (tx: Tx) =>
  tx.many<{ tenant_id: string; visitors: string[] }>(sql`
    select tenant_id, array_agg(visitor_id) as visitors from (
      select * from session_archive_erasures order by created_at limit 1000) e group by tenant_id`);
export const forgetErasures = (tx: Tx, tenantId: string, visitors: readonly string[]) =>
  tx.run(
    sql`delete from session_archive_erasures where tenant_id = ${tenantId} and visitor_id = any(${visitors}::uuid[])`,
  );
