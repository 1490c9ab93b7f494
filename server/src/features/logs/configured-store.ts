import type { App } from '#lib/app.ts';
import { clickhouseStore } from './clickhouse-store.ts';
import type { LogStore } from './log-store.ts';
import { postgresStore } from './postgres-store.ts';

const stores = new Map<string, LogStore>();

/** The store of the settings: ClickHouse if LOG_DATABASE_URL is set, otherwise PostgreSQL. */
export function logStore({ LOG_DATABASE_URL: url, LOG_RETENTION_DAYS: days }: App['settings']): LogStore {
  if (!url) return postgresStore;
  const key = `${days} ${url}`;
  let store = stores.get(key);
  if (!store) stores.set(key, (store = clickhouseStore(url, days)));
  return store;
}
