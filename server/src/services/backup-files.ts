import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, lchown, mkdir, readdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The folders of DATA_DIR in a backup. The database is dumped instead, and mails in the outbox are not included. */
export const backedUpFolders = ['uploads', 'logs', 'tls'] as const;

export interface FileEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
/** The relative paths of the files below a folder. A folder that is removed in the meantime counts as empty. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files = entries.filter(entry => entry.isFile()).map(entry => entry.name);
  for (const entry of entries)
    if (entry.isDirectory())
      for (const file of await listFiles(path.join(folder, entry.name))) files.push(path.join(entry.name, file));
  return files.sort();
}

/**
 * Copies new and changed files. Called before and after the dump of the database, so that the copy includes log lines that the
 * dump does not have, even if their file is sealed and removed in the meantime.
 */
export async function copyFiles(from: string, to: string): Promise<void> {
  for (const folder of backedUpFolders)
    for (const file of await listFiles(path.join(from, folder)))
      await copyIfChanged(path.join(from, folder, file), path.join(to, folder, file)).catch((error: unknown) => {
        // Sealed, or erased after its retention, since the folder was listed.
        if (!isMissing(error)) throw error;
      });
}

export async function copyIfChanged(from: string, to: string): Promise<void> {
  const source = await stat(from);
  const copy = await stat(to).catch(() => undefined);
  if (copy && copy.size === source.size && copy.mtimeMs === source.mtimeMs) return;
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await chmod(to, 0o600);
  await utimes(to, source.atime, source.mtime);
}

/** Every file below `folder` with its hash. */
export async function describeFiles(folder: string): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (const file of await listFiles(folder)) {
    const hash = createHash('sha256');
    let bytes = 0;
    await pipeline(createReadStream(path.join(folder, file)), async chunks => {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    });
    entries.push({ path: file, bytes, sha256: hash.digest('hex') });
  }
  return entries;
}

/** Gives files to the owner of DATA_DIR, for whom root may restore. A link is not followed: it could lead to any file. */
export async function giveToOwner(dataDir: string, names: Iterable<string>): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dataDir);
  for (const name of names) await lchown(path.join(dataDir, name), uid, gid);
}

/** Copies files of a backup into DATA_DIR: those of its manifest only, which are regular files with the right content. */
export async function restoreFiles(folder: string, files: readonly FileEntry[], dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const made = new Set<string>();
  for (const { path: file } of files) {
    const [top, ...rest] = file.split(path.sep);
    if (top !== 'files' || !backedUpFolders.some(name => name === rest[0])) continue;
    const target = path.join(dataDir, ...rest);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const source = path.join(folder, file);
    await copyFile(source, target);
    const { atime, mtime } = await stat(source);
    await utimes(target, atime, mtime);
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
