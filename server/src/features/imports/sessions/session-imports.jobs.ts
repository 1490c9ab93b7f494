import { type FileHandle, mkdir, open, statfs, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '#lib/app.ts';
import type { SessionReport } from '../imports.queries.ts';
import { Unreadable } from '../read/reading.ts';
import { readSessionsApart } from './read-sessions-apart.ts';
import * as queries from './session-imports.queries.ts';

type Unread = NonNullable<Awaited<ReturnType<typeof queries.nextUnread>>>;

/** The import was deleted while its file was read. */
class Gone extends Error {}

/** The disk of DATA_DIR would be full. Log lines and perhaps the database need the rest. */
class NoRoom extends Error {}
const reserveBytes = 2 ** 30;

/** A file that no folder names, so that its content is gone with this process. */
async function openNameless(dataDir: string, id: string): Promise<FileHandle> {
  const folder = path.join(dataDir, 'imports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at = path.join(folder, id);
  const file = await open(at, 'w+', 0o600);
  await unlink(at);
  return file;
}

/** Writes the parts to a file, from which a thread can read without waiting for the database. */
async function writeParts(app: App, { tenant_id: tenantId, id, bytes }: Unread, file: FileHandle): Promise<void> {
  for (let from = 0; ; ) {
    const at = from;
    const { bavail, bsize } = await statfs(app.settings.DATA_DIR);
    if (bavail * bsize - (bytes - at) < reserveBytes) throw new NoRoom('The disk of DATA_DIR has no room for the file');
    const part = await app.db.withTenant(tenantId, tx => queries.nextPart(tx, id, at));
    if (!part) return;
    await file.writeFile(part.data);
    from = part.starts_at + part.data.length;
  }
}

/** Reads a file into chunks and reports what an import would do. After an interruption it begins again, with the same result. */
async function readOne(app: App, it: Unread): Promise<void> {
  const { tenant_id: tenantId, id } = it;
  const days = app.settings.LOG_RETENTION_DAYS;
  const inTenant: typeof app.db.withTenant<void> = (tenant, work) => app.db.withTenant(tenant, work);
  const report: SessionReport = { first_at: null, last_at: null, without_mac: 0, skipped: {}, problem: null };
  let [n, fresh, old, existing] = [0, 0, 0, 0];
  const file = await openNameless(app.settings.DATA_DIR, id);
  try {
    await writeParts(app, it, file);
    const findings = await readSessionsApart(file.fd, async (list, rows) => {
      const plan = await app.db.withTenant(tenantId, async tx => {
        if (!(await queries.isReading(tx, id))) throw new Gone();
        return queries.keepList(tx, { importId: id, locationId: it.location_id, n, list, rows, days });
      });
      n += 1;
      old += plan.old;
      existing += plan.existing;
      fresh += rows - plan.old - plan.existing;
      if (plan.first_at && (!report.first_at || plan.first_at < report.first_at)) report.first_at = plan.first_at;
      if (plan.last_at && (!report.last_at || plan.last_at > report.last_at)) report.last_at = plan.last_at;
    });
    report.without_mac = findings.withoutMac;
    report.skipped = {
      ...findings.skipped,
      ...(old > 0 && { old: { count: old, line: null } }),
      ...(existing > 0 && { exists: { count: existing, line: null } }),
    };
    await inTenant(tenantId, tx =>
      queries.finishReading(tx, id, 'ready', {
        total: findings.total,
        created: fresh,
        skipped: findings.total - fresh,
        findings: report,
      }),
    );
  } catch (error) {
    if (error instanceof Gone) return;
    if (!(error instanceof Unreadable)) throw error;
    await fail(app, it, { ...report, problem: { key: error.key, values: error.values } });
  } finally {
    await file.close();
  }
}

const fail = (app: App, { tenant_id: tenantId, id }: Unread, findings: SessionReport): Promise<void> =>
  app.db.withTenant(tenantId, tx =>
    queries.finishReading(tx, id, 'failed', { total: 0, created: 0, skipped: 0, findings }),
  );

const retrySeconds = 30;
/** The last one is half an hour after the first. */
const attempts = 7;
/** The codes of the disk and of PostgreSQL. */
const noSpace = new Set(['ENOSPC', '53100']);

/** A full disk or database is asked again later, and not for ever: the parts take room too. */
async function retry(app: App, it: Unread, error: unknown): Promise<void> {
  const { tenant_id: tenantId, id } = it;
  if (it.attempts + 1 < attempts) {
    await app.db.withTenant(tenantId, tx => queries.readLater(tx, id, retrySeconds));
    return;
  }
  const full = error instanceof NoRoom || noSpace.has((error as NodeJS.ErrnoException).code ?? '');
  const problem = { key: full ? 'import_disk' : 'import_unread' };
  await fail(app, it, { first_at: null, last_at: null, without_mac: 0, skipped: {}, problem });
}

/** Files from this size on take minutes. They have a job of their own, so that no small one waits for them. */
export const large = { bytes: 16 * 2 ** 20 };

/** Reads files whose last part has arrived, one after another. Tenants take turns. */
async function readFiles(app: App, size: { atLeast: number; below: number }): Promise<void> {
  const failures: unknown[] = [];
  const tried: string[] = [];
  for (;;) {
    const it = await app.db.withSystem(tx => queries.nextUnread(tx, { ...size, not: tried }));
    if (!it) break;
    tried.push(it.id);
    try {
      await readOne(app, it);
    } catch (error) {
      failures.push(error);
      await retry(app, it, error).catch((again: unknown) => failures.push(again));
    }
  }
  // The others are read, and this one is later.
  if (failures.length > 0) throw failures[0];
}

export const readSmallFiles = (app: App): Promise<void> => readFiles(app, { atLeast: 0, below: large.bytes });
export const readLargeFiles = (app: App): Promise<void> => readFiles(app, { atLeast: large.bytes, below: Infinity });

const batch = 5000;

/** Deletes sessions that ended before the retention period. */
export async function forgetOldSessions(app: App): Promise<void> {
  const { LOG_RETENTION_DAYS: days } = app.settings;
  while ((await app.db.withSystem(tx => queries.forgetSessions(tx, { days, limit: batch }))) >= batch);
}

/** Deletes the sessions of deleted imports and of deleted locations, in steps. Tenants take turns. */
export async function deletePastSessions(app: App): Promise<void> {
  const failures: unknown[] = [];
  const failed: string[] = [];
  for (;;) {
    const turn = await app.db.withSystem(tx => queries.deletingImports(tx, { not: failed }));
    if (turn.length === 0) break;
    for (const { tenant_id: tenantId, id } of turn) {
      try {
        await app.db.withTenant(tenantId, tx => queries.deleteSome(tx, id));
      } catch (error) {
        failures.push(error);
        failed.push(id);
      }
    }
  }
  while ((await app.db.withSystem(queries.forgetPlaces)) > 0);
  // The others are deleted, and this one is later.
  if (failures.length > 0) throw failures[0];
}
