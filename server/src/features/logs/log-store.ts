import type { Tx } from '#db/tenant.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { clickhouseStore } from './clickhouse-store.ts';
import type { LocalHour } from './local-day.ts';
import { postgresStore } from './postgres-store.ts';
import type { DeviceTally, TopKind } from './tally.ts';

/** What was counted of one device: lines, and what its guests used. */
export type Counted = Pick<DeviceTally, 'tenantId' | 'deviceId' | 'tops'> & Partial<Pick<DeviceTally, 'hours'>>;

/** Whose counts are read. The caller has seen to it that they may be. */
export interface CountsOf {
  readonly inTenant: Context['inTenant'];
  readonly tenantId: string;
  readonly deviceId: string;
}

export interface TopRow {
  domain: string;
  recv: number;
  sent: number;
  total: number;
  connections: number;
}

/** Where the counts of log lines are kept, and read from. */
export interface LogStore {
  /** Counts, in the transaction that moves the streams: both happen or neither. Runs under withSystem. */
  add(tx: Tx, counted: readonly Counted[]): Promise<void>;
  /** Lines of minutes in the order of time; each list goes on by the minute from its `hour`. */
  minutes(of: CountsOf, from: Date, to: Date): Promise<{ hour: number; minutes: number[] }[]>;
  hours(of: CountsOf, from: Date, to: Date): Promise<{ hour: number; lines: number }[]>;
  tops(of: CountsOf, kind: TopKind, period: { from: LocalHour; to: LocalHour }): Promise<TopRow[]>;
  /** Brings on what was added and has not arrived yet. */
  send?(app: App): Promise<void>;
}

const stores = new Map<string, LogStore>();

/** The store that the settings name: PostgreSQL, or ClickHouse where LOG_DATABASE_URL is set. */
export function logStore({ LOG_DATABASE_URL: url, LOG_RETENTION_DAYS: days }: App['settings']): LogStore {
  if (!url) return postgresStore;
  const key = `${days} ${url}`;
  let store = stores.get(key);
  if (!store) stores.set(key, (store = clickhouseStore(url, days)));
  return store;
}
