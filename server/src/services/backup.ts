import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAlone } from '#db/alone.ts';
import { type DatabaseDump, dumpDatabase, tableFile } from '#db/dump.ts';
import { LoadError, loadDatabase, removeSchema, requireEmpty } from '#db/load.ts';
import { createPool } from '#db/pool.ts';
import { onDatabase, readMark, refuseHalfRestored, removeMark, setMark } from '#db/restore-mark.ts';
import { createDatabase, type Tx } from '#db/tenant.ts';
import { productVersion } from '#lib/product-version.ts';
import type { Settings } from '../settings.ts';
import { knownSecretKey, previousSecretKey } from '../settings-secret.ts';
import { keyFile, newCipher, openCipher } from './backup-cipher.ts';
import {
  copyFiles,
  findFilled,
  giveToOwner,
  isPlainName,
  measuring,
  type OpenFile,
  restoreFile,
  restoreFiles,
  verifyFile,
} from './backup-files.ts';
import {
  type BucketSettings,
  type Draft,
  manifestFiles,
  nameOf,
  ownerFile,
  type Place,
  placeOf,
  splitAddress,
} from './backup-places.ts';
import { roomFor } from './backup-room.ts';
import type { FileEntry } from './folder-files.ts';
import { findInstallationId, noteBackup } from './installation.queries.ts';
import {
  type FolderMark,
  namesIn,
  readFolderMark,
  removeAdded,
  removeFolderMark,
  removeWritten,
  setFolderMark,
} from './restore-folder.ts';
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

/** A backup whose manifest was read. `open` gives its files, decrypted. */
export interface Backup {
  readonly manifest: Manifest;
  readonly open: OpenFile;
}

type Installation = Pick<Settings, 'DATA_DIR' | 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'> & BucketSettings;
/** The keys that decrypt a backup. `plain`: the backup need not be encrypted although there is a passphrase. */
interface Access {
  readonly passphrase?: string | undefined;
  readonly plain?: boolean;
}

const keyFiles = ['secret.key', 'secret.key.previous'] as const;
const fileOf = (table: string): string => tableFile('tables', table);

interface BackupOptions {
  readonly withKey?: boolean;
  readonly passphrase?: string | undefined;
  readonly reserve?: number | undefined;
}

/**
 * Makes a backup while the product runs and returns its address. `to`: a folder or s3://bucket/prefix. With a passphrase it is
 * encrypted. A backup that fails or is interrupted has no manifest, and in a folder no final name. `reserve`: the bytes that
 * stay free on the disk of DATA_DIR. A place with backups of another installation is refused.
 */
export async function makeBackup(
  settings: Installation,
  url: string,
  to: string,
  options: BackupOptions = {},
): Promise<string> {
  const place = placeOf(to, settings);
  await onDatabase(url, refuseHalfRestored);
  const installation = await onInstallation(url, findInstallationId);
  await requireOwn(place, to, installation);
  // Otherwise killed ones could fill the disk until none succeeds.
  await place.sweep().catch(() => undefined);
  for (;;) {
    const madeAt = new Date();
    const name = nameOf(madeAt);
    const address = place.address(name);
    let isMade = false;
    // Two that begin in the same second would be mixed. The second one waits for a name of its own.
    await runAlone(url, `backup ${address}`, async () => {
      const draft = await place.begin(name);
      if (!draft) return;
      const claim = async () => {
        if (installation !== undefined && (await place.owner()) === undefined) await place.claim(installation);
        // Another installation may have begun at the same time.
        await requireOwn(place, to, installation);
      };
      await fill(draft, { settings, url, madeAt, folder: place.folder, claim, ...options });
      isMade = true;
    });
    if (isMade) {
      await onInstallation(url, tx => noteBackup(tx, madeAt));
      return address;
    }
    await sleep(1000);
  }
}

interface Filling extends BackupOptions {
  readonly settings: Installation;
  readonly url: string;
  readonly madeAt: Date;
  /** That of the place. */
  readonly folder: string | undefined;
  /** Makes the place this installation's, before the backup counts. */
  readonly claim: () => Promise<void>;
}

async function fill(draft: Draft, { settings, url, madeAt, folder, claim, ...options }: Filling): Promise<void> {
  try {
    const cipher = options.passphrase === undefined ? undefined : newCipher(options.passphrase);
    const entries = new Map<string, FileEntry>();
    const inRoom = await roomFor(settings.DATA_DIR, folder, options.reserve);
    const keep = (file: string, content: AsyncIterable<Buffer>): Promise<void> =>
      cipher ? draft.write(`${file}.age`, inRoom(cipher.encrypt(content))) : draft.write(file, inRoom(content));
    const write = async (file: string, content: AsyncIterable<Buffer>, modified?: number): Promise<void> => {
      const { through, measured } = measuring();
      await pipeline(content, through, source => keep(file, source as AsyncIterable<Buffer>));
      entries.set(file, { path: file, ...measured(), ...(modified !== undefined && { modified }) });
    };
    if (cipher) await draft.write(keyFile, cipher.key());
    const known = new Map<string, string>();
    const copy = () => copyFiles(settings.DATA_DIR, (file, content, modified) => write(file, content, modified), known);
    await copy();
    const database = await dumpDatabase(url, (table, content) => write(fileOf(table), content));
    await copy();
    if (options.withKey) await writeKeys(settings.DATA_DIR, write);
    const files = [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    const manifest: Manifest = {
      ...{ portico: productVersion(), format: 1, madeAt: madeAt.toISOString(), database },
      files,
    };
    await claim();
    await keep(manifestFiles[0], Readable.from([Buffer.from(JSON.stringify(manifest, null, 1))]));
    await draft.finish();
  } catch (error) {
    await draft.abandon().catch(() => undefined);
    throw error;
  }
}

/**
 * Removes all but so many backups of a place, and what interrupted ones left. A step of its own, because a new backup is good
 * although an old one cannot be removed. Returns the first problem.
 */
export async function pruneBackups(
  settings: BucketSettings,
  to: string,
  keep: number | undefined,
): Promise<string | undefined> {
  const problems: string[] = [];
  const attempt = (what: string, work: () => Promise<void>) =>
    work().catch((error: Error) => void problems.push(`${what}: ${error.message}`));
  const place = placeOf(to, settings);
  await attempt('old backups were not removed', async () => {
    const names = await place.list();
    // A clock that was ahead named some for the future. They are no newer than the others.
    const now = nameOf(new Date());
    const ordered = [...names.filter(it => it > now), ...names.filter(it => it <= now)];
    for (const old of keep ? ordered.slice(0, -keep) : [])
      await attempt(`${old} was not removed`, () => place.remove(old));
  });
  await attempt('parts of interrupted backups were not removed', place.sweep);
  return problems[0]?.split('\n')[0]!.slice(0, 300);
}

/** Includes the previous key, because a part of the database needs it while SECRET_KEY is rotated. */
async function writeKeys(from: string, write: (file: string, content: Readable) => Promise<void>): Promise<void> {
  for (const name of keyFiles) {
    const key = await readFile(path.join(from, name)).catch((error: NodeJS.ErrnoException) => {
      if (name === keyFiles[1] && error.code === 'ENOENT') return undefined;
      throw new LoadError(`There is no ${name} in ${from}: leave --with-key out and keep SECRET_KEY elsewhere`);
    });
    if (key) await write(name, Readable.from([key]));
  }
}

/** The first installation that makes a backup in a place owns it: others would remove its backups. */
async function requireOwn(place: Place, to: string, id: string | undefined): Promise<void> {
  const owner = await place.owner();
  // A database that the update has not reached yet has no id.
  if (owner === undefined || id === undefined || owner === id) return;
  throw new LoadError(
    `${to} has the backups of another installation (${owner}): choose another place. If that one is gone, remove the file ${ownerFile} there`,
  );
}

async function onInstallation<T>(url: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const pool = createPool(url, { max: 1, onError: () => undefined });
  try {
    return await createDatabase(pool).withSystem(work);
  } finally {
    await pool.end();
  }
}

/** Copies in a folder that look like backups but are not whole, so they do not count. */
export async function unfinishedCopies(settings: BucketSettings, to: string): Promise<string[]> {
  const place = placeOf(to, settings);
  return (await place.unfinished()).map(place.address);
}

/** The address of the newest backup of a place. */
export async function newestBackup(settings: BucketSettings, to: string): Promise<string> {
  const place = placeOf(to, settings);
  const name = (await place.list()).at(-1);
  if (name === undefined) throw new LoadError(`There is no backup in ${to}`);
  return place.address(name);
}

/** Reads the manifest of a backup and compares every file with it. */
export async function readBackup(settings: BucketSettings, from: string, access: Access = {}): Promise<Backup> {
  const { to, name } = splitAddress(from);
  const place = placeOf(to, settings);
  const find = async (file: string): Promise<Readable> => {
    const content = await place.open(name, file);
    if (!content) throw new LoadError(`${file} is missing`);
    return content;
  };
  const key = await place.open(name, keyFile);
  if (!key && access.passphrase !== undefined && !access.plain && (await hasPlainManifest(place, name)))
    throw new LoadError('The backup is not encrypted, although there is a passphrase. If that is right: --plain');
  // Without a passphrase it was not read, and its file is still open.
  const decrypt = key && (await openCipher(key, access.passphrase).finally(() => key.destroy()));
  const open: OpenFile = decrypt ? async file => decrypt(file, await find(`${file}.age`)) : find;
  const manifest = await readManifest(open, from);
  for (const entry of manifest.files) await verifyFile(open, entry);
  return { manifest, open };
}

async function hasPlainManifest(place: Place, name: string): Promise<boolean> {
  const content = await place.open(name, manifestFiles[0]);
  content?.destroy();
  return content !== undefined;
}

async function readManifest(open: OpenFile, from: string): Promise<Manifest> {
  const content = await open(manifestFiles[0]).catch((error: unknown) => {
    if (error instanceof LoadError) throw new LoadError(`${from} is no backup: it has no ${manifestFiles[0]}`);
    throw error;
  });
  const text = Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString();
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text) as Manifest;
  } catch {
    throw new LoadError(`${from} is no backup: its ${manifestFiles[0]} cannot be read`);
  }
  if (manifest.format !== 1) throw new LoadError(`The backup is of a newer version (${manifest.portico})`);
  const names = new Set(manifest.files.map(it => it.path));
  const wrong =
    manifest.files.find(it => !isPlainName(it.path))?.path ??
    manifest.database.tables.find(it => !names.has(fileOf(it.name)))?.name;
  if (wrong !== undefined) throw new LoadError(`The manifest names what no backup has: ${JSON.stringify(wrong)}`);
  return manifest;
}

/** Restores the tables of a backup into an empty database. */
export const restoreDatabase = ({ manifest, open }: Backup, url: string, mark?: string): Promise<void> =>
  loadDatabase(url, table => open(fileOf(table)), manifest.database, mark);

/**
 * Restores a backup into an empty database and an empty DATA_DIR. Changes nothing if a check fails. What an earlier restore left
 * that was killed is removed first.
 */
export async function restoreBackup(
  place: Installation,
  url: string,
  from: string,
  options: Access & { anyKey?: boolean } = {},
): Promise<Manifest> {
  const backup = await readBackup(place, from, options);
  const into: Restore = { place, url, backup, anyKey: options.anyKey === true };
  const isFirst = await runAlone(url, 'restore', lost => restoreInto(into, lost)).catch(async (error: unknown) => {
    await takeBack(into, error);
    throw error;
  });
  if (!isFirst) throw new LoadError('Another restore into this database is running: wait until it has ended');
  return backup.manifest;
}

interface Restore {
  readonly place: Installation;
  readonly url: string;
  readonly backup: Backup;
  readonly anyKey: boolean;
  /** Set as soon as something is written. */
  mark?: FolderMark;
}

async function restoreInto(into: Restore, lost: AbortSignal): Promise<void> {
  const { place, url, backup } = into;
  const { DATA_DIR } = place;
  const { files } = backup.manifest;
  await removeInterrupted(url, DATA_DIR);
  await requireEmpty(url);
  const own = files.filter(it => it.path.startsWith('files/')).map(it => path.relative('files', it.path));
  const mark: FolderMark = { id: randomUUID(), had: await namesIn(DATA_DIR), files: own };
  into.mark = mark;
  await onDatabase(url, client => setMark(client, mark.id));
  await setFolderMark(DATA_DIR, mark);
  await restoreKey(place, backup, into.anyKey);
  await restoreFiles(backup.open, files, DATA_DIR, lost).finally(() => lost.throwIfAborted());
  // The database last: it is loaded in one transaction, and the files can be taken away again.
  await restoreDatabase(backup, url, mark.id);
  await removeFolderMark(DATA_DIR);
  // The database does not know the backup that it comes from. It is whole without that.
  const madeAt = new Date(backup.manifest.madeAt);
  await onInstallation(url, tx => noteBackup(tx, madeAt)).catch(() => undefined);
}

const takeBackTries = 10;

/**
 * Removes what a failed restore wrote: files, tables, and the mark last, so that this can be repeated after a kill. The lock is
 * taken anew, because it may have been lost: a restore that has begun since has removed all of this, and has another mark.
 */
async function takeBack({ place, url, mark }: Restore, cause: unknown): Promise<void> {
  if (!mark) return;
  const remove = async () => {
    if ((await onDatabase(url, readMark)) !== mark.id) return;
    const there = await readFolderMark(place.DATA_DIR);
    // Another one means a restore into another database, which has begun since.
    if (!there || there.id === mark.id) await removeAdded(place.DATA_DIR, mark, keyFiles);
    await removeRest(url);
  };
  for (let tries = 1; ; tries++)
    try {
      await runAlone(url, 'restore', remove);
      return;
    } catch (error) {
      // A restart of PostgreSQL takes a few seconds.
      if (tries < takeBackTries && !(error instanceof LoadError)) await sleep(1000);
      else {
        const [reason] = (cause as Error).message.split('\n');
        throw new LoadError(`The restore failed (${reason}) and left a part. The next one removes it`, {
          cause: error,
        });
      }
    }
}

const removeRest = (url: string): Promise<void> =>
  onDatabase(url, async client => {
    await removeSchema(client);
    await removeMark(client);
  });

/** Removes the tables and files of a restore that was killed. Its keys stay: the operator may have put them there since. */
async function removeInterrupted(url: string, dataDir: string): Promise<void> {
  const mark = await onDatabase(url, readMark);
  const own = await readFolderMark(dataDir);
  if (own && own.id === mark) await removeWritten(dataDir, own);
  const filled = await findFilled(dataDir);
  if (filled && own)
    throw new LoadError(
      `${filled} has files of an interrupted restore into another database: restore into that one, or into another DATA_DIR`,
    );
  if (filled) throw new LoadError(`${filled} is not empty: restore into another DATA_DIR`);
  await removeFolderMark(dataDir);
  if (mark !== undefined) await removeRest(url);
}

async function restoreKey(place: Installation, { manifest, open }: Backup, anyKey: boolean): Promise<void> {
  const { database, files } = manifest;
  const target = path.join(place.DATA_DIR, 'secret.key');
  if (knownSecretKey(place) === undefined) {
    await mkdir(place.DATA_DIR, { recursive: true });
    const kept = files.filter(it => keyFiles.some(name => name === it.path));
    for (const entry of kept) await restoreFile(open, entry, path.join(place.DATA_DIR, entry.path));
    await giveToOwner(
      place.DATA_DIR,
      kept.map(it => it.path),
    );
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
