import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import * as queries from './pictures.queries.ts';
import { pictureFolder } from './pictures.service.ts';

/** How long an editor may stay open with an uploaded picture that is not saved yet. The policy `kept` has it too. */
const graceDays = 7;
const dayMs = 86_400_000;

export const pictureJobs = [
  {
    name: 'erase unused pictures',
    everyMs: 6 * 3_600_000,
    run: async (app: App) => eachApart(app, await app.db.withSystem(queries.listTenantIds), it => tidy(app, it.id)),
  },
];

async function tidy(app: App, tenantId: string): Promise<void> {
  await storeFolder(app, tenantId);
  await eraseUnused(app, tenantId);
}

async function eraseUnused(app: App, tenantId: string): Promise<void> {
  const unused = await app.db.withTenant(tenantId, async tx => {
    await queries.markUnused(tx);
    return queries.deleteUnused(tx, graceDays);
  });
  for (const { file } of unused) await rm(path.join(pictureFolder(app, tenantId), file), { force: true });
  if (unused.length > 0) app.log.info({ tenant: tenantId, count: unused.length }, 'unused pictures erased');
}

/**
 * Stores the files of an older version in the database. They are removed a day later, because processes of that version
 * may still serve them.
 */
async function storeFolder(app: App, tenantId: string): Promise<void> {
  const folder = pictureFolder(app, tenantId);
  const names = await readdir(folder).catch(() => undefined);
  // Without the folder, this process has no access to the files and must not treat them as deleted.
  if (!names) return;
  const files = names.filter(name => /^[a-z0-9-]+\.webp$/.test(name));
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => app.db.withTenant(tenantId, work);
  const unstored = new Set((await inTenant(tx => queries.findUnstored(tx, files))).map(it => it.file));
  for (const name of names) {
    const at = path.join(folder, name);
    // Unfinished uploads of an older version end in .part. Other files are not ours.
    if (!files.includes(name) && !name.endsWith('.part')) continue;
    const it = await stat(at).catch(() => undefined);
    if (!it?.isFile()) continue;
    if (unstored.has(name)) {
      const content = await readFile(at);
      await inTenant(tx => queries.storeFile(tx, { file: name, content }));
      await utimes(at, new Date(), new Date());
    } else if (Date.now() - it.mtimeMs > dayMs) await rm(at, { force: true });
  }
  await inTenant(tx => queries.deleteMissing(tx, files));
}
