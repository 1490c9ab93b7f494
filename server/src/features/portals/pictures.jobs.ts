import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '#lib/app.ts';
import * as queries from './pictures.queries.ts';
import { pictureFolder } from './pictures.service.ts';

/** How long an editor may stay open with an uploaded picture that is not saved yet. */
const graceDays = 7;
const dayMs = 86_400_000;

export const pictureJobs = [
  {
    name: 'erase unused pictures',
    everyMs: 6 * 3_600_000,
    run: async (app: App) => {
      for (const { id } of await app.db.withSystem(queries.listTenantIds)) await eraseUnused(app, id);
    },
  },
];

async function eraseUnused(app: App, tenantId: string): Promise<void> {
  const folder = pictureFolder(app, tenantId);
  // Without the folder, this process has no access to the files and must not treat them as deleted.
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return;
  const existing = await readSizes(folder, names);
  const unused = await app.db.withTenant(tenantId, async tx => {
    await queries.insertPictures(tx, null, existing);
    const files = existing.map(it => it.file);
    await queries.deleteMissing(tx, files);
    await queries.markUnused(tx);
    return queries.deleteUnused(tx, graceDays);
  });
  for (const { file } of unused) await rm(path.join(folder, file), { force: true });
  if (unused.length > 0) app.log.info({ tenant: tenantId, count: unused.length }, 'unused pictures erased');
}

/** The pictures of a folder. Also deletes old unfinished uploads. */
async function readSizes(folder: string, names: readonly string[]): Promise<queries.StoredFile[]> {
  const found: queries.StoredFile[] = [];
  for (const name of names) {
    const it = await stat(path.join(folder, name)).catch(() => undefined);
    if (!it?.isFile()) continue;
    if (/^[a-z0-9-]+\.webp$/.test(name)) found.push({ file: name, bytes: it.size });
    else if (name.endsWith('.part') && Date.now() - it.mtimeMs > dayMs) await rm(path.join(folder, name));
  }
  return found;
}
