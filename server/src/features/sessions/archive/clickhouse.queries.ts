import { isId } from '#lib/ids.ts';

/** The archive of sessions in ClickHouse. Everything that reads it goes through `rowsOf`, which names the tenant. */

/**
 * A batch is a partition, so that it can be dropped at once. Empty texts stand for null. Left out: what only matches a router's
 * reports with open sessions (accounting_id, class, interim, reopened), and what follows from the rest (day, hour).
 */
export const schema = [
  `create table if not exists session_archive (
    batch UInt64, tenant_id UUID, id UUID CODEC(ZSTD(1)), location_id UUID CODEC(ZSTD(1)), device_id UUID CODEC(ZSTD(1)),
    network_id Nullable(UUID) CODEC(ZSTD(1)), visitor_id Nullable(UUID) CODEC(ZSTD(1)), profile_id Nullable(UUID) CODEC(ZSTD(1)),
    user_name String CODEC(ZSTD(1)), acct_session_id String CODEC(ZSTD(1)), client_mac String CODEC(ZSTD(1)), client_ip String CODEC(ZSTD(1)),
    started_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)), ended_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    seconds Int64 CODEC(T64, ZSTD(1)), upload Int64 CODEC(T64, ZSTD(1)), download Int64 CODEC(T64, ZSTD(1)),
    close_reason LowCardinality(String), terminate_cause LowCardinality(String),
    index by_mac client_mac type bloom_filter(0.01) granularity 1,
    index by_ip client_ip type bloom_filter(0.01) granularity 1,
    index by_visitor visitor_id type bloom_filter(0.01) granularity 1
  ) engine = MergeTree partition by batch order by (tenant_id, started_at, id)
  settings non_replicated_deduplication_window = 100000`,
];

/** The columns in the order of `copied` in archive.queries.ts. */
export const into = `session_archive (batch, tenant_id, id, location_id, device_id, network_id, visitor_id, profile_id, user_name,
  acct_session_id, client_mac, client_ip, started_at, ended_at, seconds, upload, download, close_reason, terminate_cause)`;

const wholeNumber = (value: number): string => {
  if (!Number.isSafeInteger(value)) throw new Error('A batch is a whole number');
  return String(value);
};

export const dropBatch = (batch: number): string => `alter table session_archive drop partition ${wholeNumber(batch)}`;

/** The counts of all batches, from the list of parts. */
export const countBatches = `
  select partition as batch, sum(rows) as rows from system.parts
  where database = currentDatabase() and table = 'session_archive' and active group by partition`;

const tailOf = (hex: string): string => `reinterpretAsUInt32(reverse(unhex(right(${hex}, 8))))`;
/** The sums of a batch, as `sumsOf` in archive.queries.ts computes them. */
export const sumsOf = `
  select toString(count()) as rows, toString(sum(seconds)) as seconds, toString(sum(toInt128(upload))) as upload, toString(sum(toInt128(download))) as download,
    toString(sum(toInt128(toUnixTimestamp64Micro(started_at)))) as started, toString(sum(toInt128(toUnixTimestamp64Micro(ended_at)))) as ended,
    toString(sum(length(user_name) + length(acct_session_id))) as names, toString(sum(${tailOf('toString(id)')})) as ids,
    toString(sum(if(visitor_id is null, 0, ${tailOf('toString(assumeNotNull(visitor_id))')}))) as visitors,
    toString(sum(if(client_mac = '', 0, ${tailOf('client_mac')}))) as macs
  from session_archive where batch = {batch:UInt64}`;

/** One tenant's rows in some batches, as far as they are still to be kept. The only way to sessions in the archive. */
export const rowsOf = (batches: readonly number[]): string =>
  `session_archive where tenant_id = {tenant:UUID} and batch in (${batches.map(wholeNumber).join(', ')})
    and ended_at >= fromUnixTimestamp64Micro({kept:Int64})`;

/** The columns of a session as PostgreSQL reads them from JSON. */
export const columns = `
  s.tenant_id as tenant_id, s.id as id, s.location_id as location_id, s.device_id as device_id, s.visitor_id as visitor_id,
  s.user_name as user_name, s.acct_session_id as acct_session_id, nullIf(s.client_mac, '') as client_mac, nullIf(s.client_ip, '') as client_ip,
  concat(toString(s.started_at), '+00') as started_at, concat(toString(s.ended_at), '+00') as ended_at,
  s.upload as upload, s.download as download, s.close_reason as close_reason`;

/** A list of ids. They are written into the text, because a bound value may have 128 KiB only. */
export function idList(ids: readonly string[]): string {
  for (const id of ids) if (!isId(id)) throw new Error('An id is a UUID');
  return ids.length === 0 ? '(null)' : `(${ids.map(id => `'${id}'`).join(', ')})`;
}

/** Blanks the user names of visitors of a tenant. ClickHouse does it in the background. */
export const blankNames = (tenant: string, visitors: readonly string[]): string =>
  `alter table session_archive update user_name = '' where tenant_id in ${idList([tenant])} and visitor_id in ${idList(visitors)} and user_name <> ''`;
export const countNamed = (visitors: readonly string[]): string => `
  select distinct visitor_id as visitor from session_archive
  where tenant_id = {tenant:UUID} and visitor_id in ${idList(visitors)} and user_name <> ''`;
export const countRunning = `
  select count() as n from system.mutations
  where database = currentDatabase() and table = 'session_archive' and not is_done and not is_killed`;

/** Deletes the sessions of a batch that need not be kept any more. ClickHouse does it in the background. */
export const deleteEnded = (batch: number, before: number): string =>
  `alter table session_archive delete in partition ${wholeNumber(batch)} where ended_at < fromUnixTimestamp64Micro(${wholeNumber(before)})`;
export const countEnded = `
  select countIf(ended_at < fromUnixTimestamp64Micro({before:Int64})) as ended, countIf(ended_at >= fromUnixTimestamp64Micro({before:Int64})) as left
  from session_archive where batch = {batch:UInt64}`;
