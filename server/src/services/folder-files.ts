import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file of a backup. */
export interface FileEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** When the file was changed, in milliseconds; missing in backups of before 0.6. */
  readonly modified?: number;
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
