import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { type Clickhouse, createClickhouse } from '#lib/clickhouse.ts';
import * as queries from './clickhouse.queries.ts';
import type { CountedDevice, LogStore, TopRow } from './log-store.ts';
import { sendOutbox } from './outbox.jobs.ts';
import { addToOutbox } from './outbox.queries.ts';

const minuteMs = 60_000;
/** Limits a time to the range of ClickHouse's DateTime. */
const dateTime = (at: Date): number => Math.min(0xffff_ffff, Math.max(0, Math.floor(at.getTime() / 1000)));
/** Limits a day to the range of ClickHouse's Date. */
function date(day: string): string {
  if (day < '1970-01-01') return '1970-01-01';
  return day > '2149-06-06' ? '2149-06-06' : day;
}
const rows = (of: readonly (readonly unknown[])[]): string => of.map(row => JSON.stringify(row)).join('\n');

/** Stores counts in ClickHouse. They pass through an outbox in PostgreSQL, which is written in the transaction of the streams. */
export function clickhouseStore(url: string, retentionDays: number): LogStore {
  const database = createClickhouse(url);
  let ready: Promise<void> | undefined;

  async function createTables(): Promise<void> {
    for (const statement of queries.schema(retentionDays)) await database.change(statement);
  }
  /** Creates the tables before the first call, and again after a failure. */
  async function withTables<T>(work: (of: Clickhouse) => Promise<T>): Promise<T> {
    try {
      await (ready ??= createTables());
      return await work(database);
    } catch (error) {
      ready = undefined;
      throw error;
    }
  }
  const read = async <R>(
    { tenantId, deviceId }: CountedDevice,
    query: string,
    values: Record<string, string | number>,
  ) => {
    try {
      return await withTables(on => on.read<R>(query, { tenant: tenantId, device: deviceId, ...values }));
    } catch (cause) {
      throw new AppError('away', { cause });
    }
  };
  const linesBetween = async (of: CountedDevice, query: string, from: Date, to: Date) =>
    (await read<{ at: number; lines: number }>(of, query, { from: dateTime(from), to: dateTime(to) })).map(row => ({
      hour: Number(row.at) * 1000,
      lines: Number(row.lines),
    }));

  return {
    async add(tx, counted) {
      const minutes = counted.flatMap(({ tenantId, deviceId, hours }) =>
        [...(hours ?? [])].flatMap(([hour, list]) =>
          [...list].flatMap((lines, i) =>
            lines > 0 ? [[tenantId, deviceId, (hour + i * minuteMs) / 1000, lines]] : [],
          ),
        ),
      );
      const tops = counted.flatMap(({ tenantId, deviceId, tops: used }) =>
        [...used.values()].map(top => [
          ...[tenantId, deviceId, top.kind, top.day, top.hour, top.name],
          ...[top.recv, top.sent, top.connections],
        ]),
      );
      if (minutes.length + tops.length > 0) await addToOutbox(tx, { minutes: rows(minutes), tops: rows(tops) });
    },
    minutes: async (of, from, to) =>
      (await linesBetween(of, queries.minutesBetween, from, to)).map(({ hour, lines }) => ({ hour, minutes: [lines] })),
    hours: (of, from, to) => linesBetween(of, queries.hoursBetween, from, to),
    async tops(of, kind, { from, to }) {
      const period = { first: date(from.day), first_hour: from.hour, last: date(to.day), last_hour: to.hour };
      const found = await read<TopRow>(of, queries.listTops, { kind, ...period });
      return found.map(({ domain, recv, sent, total, connections }) => ({
        domain,
        recv: Number(recv),
        sent: Number(sent),
        total: Number(total),
        connections: Number(connections),
      }));
    },
    send: (app: App) =>
      sendOutbox(app, ({ id, minutes, tops }) =>
        withTables(async on => {
          if (minutes) await on.insert(queries.into.minutes, minutes, `${id}:minutes`);
          if (tops) await on.insert(queries.into.tops, tops, `${id}:tops`);
        }),
      ),
  };
}
