import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileStore, openSealed, readChain, signChainAgain } from '#features/logs/public.ts';
import type { App } from '#lib/app.ts';
import type { Secrets } from '#lib/secrets.ts';
import { giveToOwner } from '../backup-files.ts';
import { copyIfChanged, type FileEntry, isMissing, listFiles } from '../folder-files.ts';

/** The folders with one of a tenant below. */
const folders = ['logs', 'uploads'] as const;

const tenantFolders = (dataDir: string, tenantId: string): string[] =>
  folders.map(folder => path.join(dataDir, folder, tenantId));

async function copyAll(from: string, to: string): Promise<void> {
  for (const file of await listFiles(from))
    await copyIfChanged(path.join(from, file), path.join(to, file)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
}

const devicesIn = async (logs: string): Promise<string[]> =>
  (await readdir(logs, { withFileTypes: true }).catch(() => [])).filter(it => it.isDirectory()).map(it => it.name);

/** Copies the files of a tenant into an export, those of the object store too, and signs their chains for the passphrase. */
export async function exportFiles(app: App, tenantId: string, folder: string, secrets: Secrets): Promise<number> {
  for (const name of folders)
    await copyAll(path.join(app.settings.DATA_DIR, name, tenantId), path.join(folder, 'files', name));
  const logs = path.join(folder, 'files/logs');
  let wrong = 0;
  for (const id of await devicesIn(logs)) {
    await fetchStored(app, `${tenantId}/${id}`, path.join(logs, id));
    wrong += await signChainAgain(path.join(logs, id), `${tenantId}/${id}`, {
      from: app.secrets.sign,
      to: secrets.sign,
    });
  }
  return wrong;
}

async function fetchStored(app: App, device: string, folder: string): Promise<void> {
  const store = fileStore(app.settings);
  if (!store) return;
  const links = await readChain(folder);
  const erased = new Set(links.filter(link => link.kind === 'erased').map(link => link.file));
  for (const { file, kind } of links) {
    const to = path.join(folder, file);
    if (kind !== 'file' || erased.has(file) || existsSync(to)) continue;
    const bytes = await openSealed(folder, file, { store, device });
    if (!bytes) continue;
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    await pipeline(bytes, createWriteStream(to, { mode: 0o600 }));
  }
}

/** Puts the files of an export in place and signs their chains for this installation. May be repeated. */
export async function importFiles(
  app: App,
  {
    tenantId,
    folder,
    files,
    secrets,
  }: { tenantId: string; folder: string; files: readonly FileEntry[]; secrets: Secrets },
): Promise<void> {
  const { DATA_DIR } = app.settings;
  const made = new Set<string>();
  for (const { path: file } of files) {
    const [top, name, ...rest] = file.split(path.sep);
    if (top !== 'files' || !folders.some(it => it === name) || rest.length === 0) continue;
    const parts = [name!, tenantId, ...rest];
    await copyIfChanged(path.join(folder, file), path.join(DATA_DIR, ...parts));
    for (let n = 1; n <= parts.length; n += 1) made.add(path.join(...parts.slice(0, n)));
  }
  const logs = path.join(DATA_DIR, 'logs', tenantId);
  for (const id of await devicesIn(logs))
    await signChainAgain(path.join(logs, id), `${tenantId}/${id}`, { from: secrets.sign, to: app.secrets.sign });
  await giveToOwner(DATA_DIR, made);
}

export async function removeFiles(app: App, tenantId: string): Promise<void> {
  for (const folder of tenantFolders(app.settings.DATA_DIR, tenantId))
    await rm(folder, { recursive: true, force: true });
}

/** Whether a tenant has files here. */
export async function hasFiles(app: App, tenantId: string): Promise<boolean> {
  for (const folder of tenantFolders(app.settings.DATA_DIR, tenantId))
    if ((await listFiles(folder)).length > 0) return true;
  return false;
}
