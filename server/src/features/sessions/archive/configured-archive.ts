import type { App } from '#lib/app.ts';
import type { SessionArchive } from './archive-store.ts';
import { clickhouseArchive } from './clickhouse-archive.ts';

const archives = new Map<string, SessionArchive>();

/** The archive of the settings; undefined without ClickHouse. */
export function sessionArchive({
  LOG_DATABASE_URL: url,
  LOG_RETENTION_DAYS: days,
}: App['settings']): SessionArchive | undefined {
  if (!url) return undefined;
  const key = `${days} ${url}`;
  let archive = archives.get(key);
  if (!archive) archives.set(key, (archive = clickhouseArchive(url, days)));
  return archive;
}
