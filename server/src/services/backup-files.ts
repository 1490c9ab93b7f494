import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lchown, mkdir, open, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LoadError } from '#db/load.ts';
import { type FileEntry, isMissing, listFiles } from './folder-files.ts';

/** The folders of DATA_DIR in a backup. The database is dumped instead, and mails in the outbox are not included. */
export const backedUpFolders = ['uploads', 'logs', 'tls'] as const;

/** Opens a file of a backup; rejects when it is missing. */
export type OpenFile = (file: string) => Promise<Readable>;
/** Keeps a file of a backup. */
export type WriteFile = (file: string, content: Readable, modified: number) => Promise<void>;

/**
 * Writes new and changed files. Called before and after the dump of the database. So the copy includes log lines that are not
 * in the dump, even if their file is sealed and removed meanwhile. `known`: the state of the files written so far.
 */
export async function copyFiles(dataDir: string, write: WriteFile, known: Map<string, string>): Promise<void> {
  for (const folder of backedUpFolders)
    for (const file of await listFiles(path.join(dataDir, folder))) {
      const name = path.join(folder, file);
      const handle = await open(path.join(dataDir, name)).catch((error: unknown) => {
        // Sealed, or erased after its retention, since the folder was listed.
        if (!isMissing(error)) throw error;
      });
      if (!handle) continue;
      try {
        const { size, mtimeMs } = await handle.stat();
        if (known.get(name) === `${size} ${mtimeMs}`) continue;
        await write(path.join('files', name), handle.createReadStream({ autoClose: false }), mtimeMs);
        known.set(name, `${size} ${mtimeMs}`);
      } finally {
        await handle.close();
      }
    }
}

/** A stream that counts and hashes what passes. */
export function measuring() {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, measured: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Throws unless the file is as its entry says. */
export async function verifyFile(read: OpenFile, { path: file, sha256 }: FileEntry): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(await read(file), hash);
  if (hash.digest('hex') !== sha256) throw new LoadError(`${file} is not as it was backed up`);
}

const plainName =
  /^(?:tables\/[a-z0-9_]+\.copy\.gz|secret\.key|secret\.key\.previous|files\/(?:uploads|logs|tls)\/.+)$/;

/** A manifest may come from someone else: its names must not lead out of the backup, or of DATA_DIR. */
export const isPlainName = (file: string): boolean =>
  plainName.test(file) && !file.includes('\0') && !file.split('/').some(it => it === '' || it === '.' || it === '..');

/** Gives files to the owner of DATA_DIR, for whom root may restore. A link is not followed: it could lead to any file. */
export async function giveToOwner(dataDir: string, names: Iterable<string>): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dataDir);
  for (const name of names) await lchown(path.join(dataDir, name), uid, gid);
}

/** Writes a file of a backup, which may have been changed since it was verified. */
export async function restoreFile(
  read: OpenFile,
  entry: FileEntry,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  // Opened first: a file that is missing leaves no folder behind.
  const content = await read(entry.path);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const { through, measured } = measuring();
  await pipeline(content, through, createWriteStream(target, { mode: 0o600, flags: 'wx' }), { signal });
  if (measured().sha256 !== entry.sha256) throw new LoadError(`${entry.path} is not as it was backed up`);
  if (entry.modified !== undefined) await utimes(target, entry.modified / 1000, entry.modified / 1000);
}

/** Writes files of a backup into DATA_DIR: those of its manifest only. */
export async function restoreFiles(
  read: OpenFile,
  files: readonly FileEntry[],
  dataDir: string,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const made = new Set<string>();
  for (const entry of files) {
    const [top, ...rest] = entry.path.split('/');
    if (top !== 'files' || !isPlainName(entry.path)) continue;
    await restoreFile(read, entry, path.join(dataDir, ...rest), signal);
    for (let n = 1; n <= rest.length; n += 1) made.add(path.join(...rest.slice(0, n)));
  }
  await giveToOwner(dataDir, made);
}

/** The first folder that already contains files. */
export async function findFilled(dataDir: string): Promise<string | undefined> {
  for (const folder of backedUpFolders) {
    const at = path.join(dataDir, folder);
    if ((await listFiles(at)).length > 0) return at;
  }
  return undefined;
}
