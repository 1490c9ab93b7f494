import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DatabaseDump, dumpDatabase } from '#db/dump.ts';
import { LoadError, loadDatabase, requireEmpty } from '#db/load.ts';
import { createPool } from '#db/pool.ts';
import { createDatabase } from '#db/tenant.ts';
import type { Settings } from '../settings.ts';
import { knownSecretKey, previousSecretKey } from '../settings-secret.ts';
import {
  backedUpFolders,
  copyFiles,
  describeFiles,
  type FileEntry,
  findFilled,
  giveToOwner,
  restoreFiles,
} from './backup-files.ts';
import { noteBackup } from './installation.queries.ts';
import { fingerprint } from './secret-key.ts';

/** `portico` identifies the file. The version changes when an older `restore` cannot read the backup. */
interface Manifest {
  readonly portico: string;
  readonly format: 1;
  readonly madeAt: string;
  readonly database: DatabaseDump;
  /** Every file of the backup but this one. */
  readonly files: readonly FileEntry[];
}

type Place = Pick<Settings, 'DATA_DIR' | 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>;

const manifestFile = 'manifest.json';
const keyFiles = ['secret.key', 'secret.key.previous'] as const;
const isBackup = (name: string): boolean => /^portico-\d{8}T\d{6}Z$/.test(name);
const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/** Makes a backup below `folder` while the product runs and returns its path. It gets its final name when it is complete. */
export async function makeBackup(
  { DATA_DIR }: Place,
  url: string,
  folder: string,
  options: { withKey?: boolean; keep?: number | undefined } = {},
): Promise<string> {
  const madeAt = new Date();
  const name = `portico-${madeAt.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  const draft = path.join(folder, `.${name}.partial`);
  await mkdir(path.join(draft, 'tables'), { recursive: true, mode: 0o700 });
  try {
    await copyFiles(DATA_DIR, path.join(draft, 'files'));
    const database = await dumpDatabase(url, path.join(draft, 'tables'));
    await copyFiles(DATA_DIR, path.join(draft, 'files'));
    if (options.withKey) await copyKeys(DATA_DIR, draft);
    const manifest: Manifest = {
      ...{ portico: version(), format: 1, madeAt: madeAt.toISOString(), database },
      files: await describeFiles(draft),
    };
    await writeFile(path.join(draft, manifestFile), JSON.stringify(manifest, null, 1), { mode: 0o600, flush: true });
    await rename(draft, path.join(folder, name));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  await note(url, madeAt);
  if (options.keep) await removeOld(folder, options.keep);
  return path.join(folder, name);
}

/** Includes the previous key, because a part of the database needs it while SECRET_KEY is rotated. */
async function copyKeys(from: string, to: string): Promise<void> {
  const [key, previous] = keyFiles;
  await copyFile(path.join(from, key), path.join(to, key)).catch(() => {
    throw new LoadError(`There is no ${key} in ${from}: leave --with-key out and keep SECRET_KEY elsewhere`);
  });
  await copyFile(path.join(from, previous), path.join(to, previous)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function note(url: string, madeAt: Date): Promise<void> {
  const pool = createPool(url, { max: 1, onError: () => undefined });
  try {
    await createDatabase(pool).withSystem(tx => noteBackup(tx, madeAt));
  } finally {
    await pool.end();
  }
}

/** Names sort by time. */
async function removeOld(folder: string, keep: number): Promise<void> {
  const backups = (await readdir(folder)).filter(isBackup).sort();
  for (const name of backups.slice(0, -keep)) await rm(path.join(folder, name), { recursive: true });
}

/** Reads the manifest and compares every file with it. */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = await readFile(path.join(folder, manifestFile), 'utf8').then(
    text => JSON.parse(text) as Manifest,
    () => {
      throw new LoadError(`${folder} is no backup: it has no ${manifestFile}`);
    },
  );
  if (manifest.format !== 1) throw new LoadError(`The backup is of a newer version (${manifest.portico})`);
  const found = new Map((await describeFiles(folder)).map(file => [file.path, file]));
  for (const { path: file, sha256 } of manifest.files) {
    const it = found.get(file);
    if (it?.sha256 !== sha256) throw new LoadError(`${file} is ${it ? 'not as it was backed up' : 'missing'}`);
  }
  return manifest;
}

/** Restores the tables of a backup into an empty database. */
export const restoreDatabase = (folder: string, { database }: Manifest, url: string): Promise<void> =>
  loadDatabase(url, path.join(folder, 'tables'), database);

/** Restores a backup into an empty database and an empty DATA_DIR. Changes nothing if a check fails. */
export async function restoreBackup(
  place: Place,
  url: string,
  folder: string,
  options: { anyKey?: boolean } = {},
): Promise<Manifest> {
  const manifest = await readBackup(folder);
  const filled = await findFilled(place.DATA_DIR);
  if (filled) throw new LoadError(`${filled} is not empty: restore into another DATA_DIR`);
  await requireEmpty(url);
  const had = await readdir(place.DATA_DIR).catch(() => undefined);
  try {
    await restoreKey(place, folder, manifest, options.anyKey === true);
    await restoreFiles(folder, manifest.files, place.DATA_DIR);
    // The database last: it is loaded in one transaction, and the files can be taken away again.
    await restoreDatabase(folder, manifest, url);
  } catch (error) {
    await removeAdded(place.DATA_DIR, had);
    throw error;
  }
  return manifest;
}

/** Removes the files that a failed restore added to DATA_DIR, which had no uploads and logs before. */
async function removeAdded(dataDir: string, had: readonly string[] | undefined): Promise<void> {
  if (!had) return rm(dataDir, { recursive: true, force: true });
  for (const name of [...backedUpFolders, ...keyFiles])
    if (!had.includes(name)) await rm(path.join(dataDir, name), { recursive: true, force: true });
}

async function restoreKey(place: Place, folder: string, { database, files }: Manifest, anyKey: boolean): Promise<void> {
  const target = path.join(place.DATA_DIR, 'secret.key');
  if (knownSecretKey(place) === undefined) {
    await mkdir(place.DATA_DIR, { recursive: true });
    const kept = keyFiles.filter(name => files.some(it => it.path === name));
    for (const name of kept) await copyFile(path.join(folder, name), path.join(place.DATA_DIR, name));
    await giveToOwner(place.DATA_DIR, kept);
  }
  const key = knownSecretKey(place);
  const fits = [key, previousSecretKey(place)].some(
    it => it !== undefined && fingerprint(it) === database.keyFingerprint,
  );
  if (anyKey || fits) return;
  throw new LoadError(
    `The backup needs the SECRET_KEY with the fingerprint ${database.keyFingerprint}, which is ${key === undefined ? 'missing' : 'another'}: set it or put it into ${target}. Without it: --any-key`,
  );
}
