import { AppError } from '#http/app-error.ts';
import { type Clickhouse, createClickhouse } from '#lib/clickhouse.ts';
import { counter } from '#lib/metrics.ts';
import type {
  ArchivedDevice,
  ArchivedSession,
  ArchiveFilter,
  ReadBatch,
  SessionArchive,
  Span,
  TenantArchive,
} from './archive-store.ts';
import * as queries from './clickhouse.queries.ts';

const refused = () =>
  counter(
    'portico_archive_refusals_total',
    'Reads of sessions that were refused because the archive is away or lacks some',
  );

const dayMicros = 86_400_000_000;
/** Lists of ids may be long. */
const longQuery = { max_query_size: 8_000_000 };
/** The parts of the batches are counted again after this time. */
const countedForMs = 60_000;

type Values = Record<string, string | number>;

/** The conditions of a filter, and the values that they bind. */
export function conditions(filter: ArchiveFilter): { where: string; values: Values } {
  const values: Values = {};
  let names = 0;
  const bind = (type: string, value: string | number): string => {
    const name = `v${names++}`;
    values[name] = value;
    return `{${name}:${type}}`;
  };
  const moment = (at: number) => `fromUnixTimestamp64Micro(${bind('Int64', at)})`;
  const began = ({ since, until }: Span) => `started_at >= ${moment(since)} and started_at < ${moment(until)}`;
  const all: string[] = [];
  const among = (column: string, ids: readonly string[] | undefined) => {
    if (ids) all.push(`${column} in ${queries.idList(ids)}`);
  };
  const { zones = [], ip } = filter;
  if (filter.began && zones.length === 0) all.push(began(filter.began));
  if (filter.began && zones.length > 0) {
    // The widest bounds come first, for the index.
    const spans = [filter.began, ...zones];
    all.push(
      began({ since: Math.min(...spans.map(it => it.since)), until: Math.max(...spans.map(it => it.until)) }),
      `(${[
        `location_id not in ${queries.idList(zones.flatMap(it => it.locations))} and ${began(filter.began)}`,
        ...zones.map(it => `location_id in ${queries.idList(it.locations)} and ${began(it)}`),
      ].join(' or ')})`,
    );
  }
  if (filter.endedFrom !== undefined) all.push(`ended_at >= ${moment(filter.endedFrom)}`);
  among('location_id', filter.locations);
  for (const list of filter.devices ?? []) among('device_id', list);
  if (filter.mac !== undefined) all.push(`client_mac = ${bind('String', filter.mac)}`);
  if (filter.macPart !== undefined) all.push(`position(client_mac, ${bind('String', filter.macPart)}) > 0`);
  if (ip !== undefined) {
    const same = `client_ip = ${bind('String', ip)}`;
    all.push(filter.orIds?.length ? `(${same} or id in ${queries.idList(filter.orIds)})` : same);
  }
  if (filter.ipPart !== undefined) all.push(`position(client_ip, ${bind('String', filter.ipPart)}) > 0`);
  among('id', filter.ids);
  among('visitor_id', filter.visitors);
  if (filter.found) {
    const { visitors, macs, ids, begun } = filter.found;
    const text = (value: string) => bind('String', value);
    const digits = (mac: string) => text(mac.replaceAll(':', '').toLowerCase());
    all.push(
      [
        `visitor_id in ${queries.idList(visitors)}`,
        macs && `client_mac >= ${digits(macs[0])} and client_mac <= ${digits(macs[1])}`,
        ...ids.map(id => `acct_session_id = ${text(id)}`),
        ...begun.map(([from, until]) => `acct_session_id >= ${text(from)} and acct_session_id < ${text(until)}`),
      ]
        .filter(it => it !== undefined)
        .map(it => `(${it})`)
        .join(' or '),
    );
  }
  if (filter.before) {
    const { at, id } = filter.before;
    all.push(`started_at <= ${moment(at)}`, `(started_at, toString(id)) < (${moment(at)}, ${bind('String', id)})`);
  }
  return { where: all.map(it => ` and (${it})`).join(''), values };
}

/** Keeps sessions in ClickHouse. */
export function clickhouseArchive(url: string, retentionDays: number): SessionArchive {
  const database = createClickhouse(url);
  let ready: Promise<void> | undefined;
  let counted: { at: number; rows: ReadonlyMap<number, number> } | undefined;

  async function createTables(): Promise<void> {
    for (const statement of queries.schema) await database.change(statement);
  }
  /** Creates the table before the first call, and again after a failure. */
  async function withTable<T>(work: (of: Clickhouse) => Promise<T>): Promise<T> {
    try {
      await (ready ??= createTables());
      return await work(database);
    } catch (error) {
      ready = undefined;
      throw error;
    }
  }

  /** Fewer rows than were moved there are no answer: the archive was restored from an older copy, or is another one. */
  async function requireAll(batches: readonly ReadBatch[]): Promise<void> {
    const enough = () => batches.every(({ batch, rows }) => (counted?.rows.get(batch) ?? 0) >= rows);
    if (counted && performance.now() - counted.at < countedForMs && enough()) return;
    const found = await withTable(on => on.read<{ batch: string; rows: number }>(queries.countBatches, {}));
    counted = {
      at: performance.now(),
      rows: new Map(found.map(({ batch, rows }) => [Number(batch), Number(rows)])),
    };
    if (!enough()) throw new Error('The archive lacks sessions that were moved to it');
  }

  function of(tenantId: string, batches: readonly ReadBatch[]): TenantArchive {
    const from = queries.rowsOf(batches.map(({ batch }) => batch));
    const ask = async <R extends object>(query: string, values: Values): Promise<R[]> => {
      try {
        await requireAll(batches);
        const kept = Date.now() * 1000 - retentionDays * dayMicros;
        return await withTable(on => on.read<R>(query, { ...values, tenant: tenantId, kept }, longQuery));
      } catch (cause) {
        refused().inc();
        throw new AppError('archive_away', { cause });
      }
    };
    return {
      async find(filter, { limit, offset = 0, order = 'desc', coveringFirst }) {
        const { where, values } = conditions(filter);
        const by = `started_at ${order}, toString(id) ${order}`;
        const covering =
          coveringFirst === undefined
            ? by
            : `started_at <= fromUnixTimestamp64Micro({covering:Int64}) and ended_at >= fromUnixTimestamp64Micro({covering:Int64}) desc, ${by}`;
        const rows = await ask<ArchivedSession>(
          `select ${queries.columns} from (
            select * from ${from}${where} order by ${covering} limit {limit:UInt32} offset {offset:UInt64}) s`,
          { ...values, limit, offset, ...(coveringFirst === undefined ? {} : { covering: coveringFirst }) },
        );
        // Never expected: the query names the tenant.
        if (rows.some(row => row.tenant_id !== tenantId))
          throw new Error('The archive gave sessions of another tenant');
        return rows;
      },
      async count(filter, most) {
        const { where, values } = conditions(filter);
        const [row] = await ask<{ total: number }>(
          `select count() as total from (select 1 from ${from}${where} limit {most:UInt64})`,
          { ...values, most },
        );
        return Number(row!.total);
      },
      async devices(filter) {
        const { where, values } = conditions(filter);
        const rows = await ask<Record<keyof ArchivedDevice, string>>(
          `select s.client_mac as client_mac, count() as sessions, sum(toInt128(s.upload)) as upload, sum(toInt128(s.download)) as download,
            max(not startsWith(s.acct_session_id, 'unreported-') or s.upload + s.download > 0) as figures_reported,
            concat(toString(min(s.started_at)), '+00') as first_at, concat(toString(max(s.started_at)), '+00') as last_at,
            argMax(s.device_id, s.started_at) as device_id
          from (select * from ${from}${where} and client_mac <> '') s
          group by s.client_mac`,
          values,
        );
        return rows.map(row => ({
          ...row,
          sessions: Number(row.sessions),
          upload: Math.min(Number(row.upload), Number.MAX_SAFE_INTEGER),
          download: Math.min(Number(row.download), Number.MAX_SAFE_INTEGER),
          figures_reported: Number(row.figures_reported) > 0,
        }));
      },
    };
  }

  return {
    of,
    drop: batch => withTable(on => on.change(queries.dropBatch(batch))),
    add: (lines, token) => withTable(on => on.insert(queries.into, lines, token)),
    sums: async batch => {
      const [row] = await withTable(on => on.read<Record<string, string>>(queries.sumsOf, { batch }));
      return row!;
    },
    async ended(batch, before) {
      const [row] = await withTable(on =>
        on.read<{ ended: number; left: number }>(queries.countEnded, { batch, before }),
      );
      return { ended: Number(row!.ended), left: Number(row!.left) };
    },
    deleteEnded: (batch, before) => withTable(on => on.change(queries.deleteEnded(batch, before))),
    async named(tenantId, visitors) {
      const found = await withTable(on =>
        on.read<{ visitor: string }>(queries.countNamed(visitors), { tenant: tenantId }, longQuery),
      );
      return found.map(({ visitor }) => visitor);
    },
    blankNames: (tenantId, visitors) => withTable(on => on.change(queries.blankNames(tenantId, visitors))),
    async isChanging() {
      const [row] = await withTable(on => on.read<{ n: number }>(queries.countRunning, {}));
      return Number(row!.n) > 0;
    },
  };
}
