import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '#lib/app.ts';
import type { SessionReport } from '../imports.queries.ts';
import { Unreadable } from '../read/reading.ts';
import { readSessionsApart } from './read-sessions-apart.ts';
import * as queries from './session-imports.queries.ts';

type Unread = Awaited<ReturnType<typeof queries.unreadImports>>[number];

/** The import was deleted while its file was read. */
class Gone extends Error {}

/** Writes the parts to a file, from which a thread can read without waiting for the database. */
async function writeFile(app: App, { tenant_id: tenantId, id }: Unread, to: string): Promise<void> {
  const file = await open(to, 'wx', 0o600);
  try {
    for (let from = 0; ; ) {
      const at = from;
      const part = await app.db.withTenant(tenantId, tx => queries.nextPart(tx, id, at));
      if (!part) return;
      await file.writeFile(part.data);
      from = part.starts_at + part.data.length;
    }
  } finally {
    await file.close();
  }
}

/** Reads a file into chunks and reports what an import would do. After an interruption it begins again, with the same result. */
async function readOne(app: App, it: Unread, folder: string): Promise<void> {
  const { tenant_id: tenantId, id } = it;
  const days = app.settings.LOG_RETENTION_DAYS;
  const inTenant: typeof app.db.withTenant<void> = (tenant, work) => app.db.withTenant(tenant, work);
  const to = path.join(folder, id);
  const report: SessionReport = { first_at: null, last_at: null, without_mac: 0, skipped: {}, problem: null };
  let [n, fresh, old, existing] = [0, 0, 0, 0];
  try {
    await writeFile(app, it, to);
    const findings = await readSessionsApart(to, async (list, rows) => {
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
    report.problem = { key: error.key, values: error.values };
    await inTenant(tenantId, tx =>
      queries.finishReading(tx, id, 'failed', { total: 0, created: 0, skipped: 0, findings: report }),
    );
  } finally {
    await rm(to, { force: true });
  }
}

/** Reads the files whose last part has arrived. */
export async function readSessionFiles(app: App): Promise<void> {
  const unread = await app.db.withSystem(queries.unreadImports);
  if (unread.length === 0) return;
  const parent = path.join(app.settings.DATA_DIR, 'imports');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(parent, 'read-'));
  const failures: unknown[] = [];
  try {
    for (const it of unread) await readOne(app, it, folder).catch((error: unknown) => failures.push(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  // The others are read, and this one is at the next run.
  if (failures.length > 0) throw failures[0];
}

const batch = 5000;

/** Deletes sessions that ended before the retention period. */
export async function forgetOldSessions(app: App): Promise<void> {
  const { LOG_RETENTION_DAYS: days } = app.settings;
  while ((await app.db.withSystem(tx => queries.forgetSessions(tx, { days, limit: batch }))) >= batch);
}
