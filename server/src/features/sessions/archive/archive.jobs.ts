import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import * as queries from './archive.queries.ts';
import type { SessionArchive } from './archive-store.ts';
import { sessionArchive } from './configured-archive.ts';

/** Jobs of the archive. Each goes on where another process, or an earlier run, left off. */
export const archiveJobs = [
  // A wrong clock would make every month old.
  { name: 'archive old sessions', everyMs: 3_600_000, erases: true as const, run: archiveOld },
  { name: 'erase archived names', everyMs: 300_000, run: eraseNames },
];

const pageRows = 20_000;

/** Moves the months that are old enough, oldest first. */
export async function archiveOld(app: App): Promise<void> {
  const archive = sessionArchive(app.settings);
  if (!archive) return;
  // Sessions that an export of a tenant has not read yet must stay in the database.
  if (await app.db.withSystem(queries.isTenantLeaving)) return;
  const { SESSION_ARCHIVE_MONTHS: months } = app.settings;
  await app.db.withSystem(queries.giveUpGone);
  if (months > 0) await app.db.withSystem(tx => queries.addBatches(tx, months));
  // Batches that are begun are finished, also if the setting was removed, so that no copy stays for ever.
  for (const it of await app.db.withSystem(tx => queries.listBatches(tx, 'copying')))
    await move(app, archive, it.month);
}

/**
 * Copies a month, compares it, and drops it here. Two processes may move the same month. Pages are noted in order, and the
 * archive adds each page once. The sums are compared before anything is dropped.
 */
async function move(app: App, archive: SessionArchive, month: string): Promise<void> {
  const system = app.db.withSystem;
  const current = async () => (await system(tx => queries.listBatches(tx, 'copying'))).find(it => it.month === month);
  for (let it = await current(); it; it = await current()) {
    const now = it;
    if (!now.watched || now.changed) {
      // While indexes are rebuilt, the next run goes on.
      if (!(await system(tx => queries.watch(tx, now.batch)))) return;
      continue;
    }
    const page = await system(tx => queries.nextPage(tx, now, pageRows));
    if (page.count > 0) {
      await archive.add(page.lines, `${now.batch}:${now.copied_id ?? ''}`);
      await system(tx => queries.copiedTo(tx, now, page));
      continue;
    }
    const [here, there] = [await system(tx => queries.sumsOf(tx, now)), await archive.sums(now.batch)];
    const differing = Object.keys(here).filter(name => here[name] !== there[name]);
    if (differing.length > 0) {
      // Another process dropped it meanwhile, or a row changed.
      const still = await current();
      if (still?.batch !== now.batch || still.changed) continue;
      await system(tx => queries.watch(tx, now.batch));
      throw new Error(`The copy of ${month.slice(0, 7)} differs in ${differing.join(', ')}, so it begins again`);
    }
    if (await system(queries.isTenantLeaving)) return;
    await system(tx => queries.endReconciliation(tx, now));
    const staying = await system(tx => queries.listStaying(tx, now));
    if (await system(tx => queries.dropHere(tx, now, staying))) {
      app.log.info({ month: month.slice(0, 7), sessions: Number(here['rows']) }, 'a month of sessions is archived');
      return;
    }
    // It changed, which the next round sees, or it was in use: then the next run tries again.
    if (!(await current())?.changed) return;
  }
}

/** Deletes what need not be kept any more. Readers leave it out from the moment on which it need not. */
export async function forgetArchived(app: App): Promise<void> {
  const archive = sessionArchive(app.settings);
  if (!archive) return;
  const { LOG_RETENTION_DAYS: days } = app.settings;
  await app.db.withSystem(tx => queries.expire(tx, days));
  for (const { batch } of await app.db.withSystem(tx => queries.listBatches(tx, 'dropping'))) await archive.drop(batch);
  await app.db.withSystem(queries.forgetDropped);
  const expiring = await app.db.withSystem(tx => queries.listExpiring(tx, days));
  for (const { batch, before } of expiring) {
    const { ended, left } = await archive.ended(batch, before);
    if (ended === 0 || (await archive.isChanging())) continue;
    await app.db.withSystem(tx => queries.setRows(tx, batch, left));
    await archive.deleteEnded(batch, before);
  }
  if (await app.db.withSystem(queries.hasArchive))
    while ((await app.db.withSystem(tx => queries.deleteAddresses(tx, { days, limit: 5000 }))) >= 5000);
}

/** Blanks the user names of erased visitors. The order stays until none is left, however long the archive takes. */
export async function eraseNames(app: App): Promise<void> {
  const archive = sessionArchive(app.settings);
  if (!archive) return;
  await eachApart(app, await app.db.withSystem(queries.listErasures), async ({ tenant_id, visitors }) => {
    const named = new Set(await archive.named(tenant_id, visitors));
    const done = visitors.filter(id => !named.has(id));
    if (done.length > 0) await app.db.withSystem(tx => queries.forgetErasures(tx, tenant_id, done));
    if (named.size > 0 && !(await archive.isChanging())) await archive.blankNames(tenant_id, [...named]);
  });
}
