import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LoadError } from '#db/load.ts';
import { backedUpFolders, giveToOwner } from './backup-files.ts';
import { isMissing, listFiles } from './folder-files.ts';

/**
 * The mark of a restore in its DATA_DIR, beside that of its database. What a killed restore wrote is removed only where both have
 * the same id. The first start on another database takes it away: from then on the files may be those of that database.
 */
const markFile = 'restore.unfinished';

export interface FolderMark {
  readonly id: string;
  /** The names in DATA_DIR before the restore; null if there was no DATA_DIR. */
  readonly had: readonly string[] | null;
  /** The files that the restore writes, relative to DATA_DIR. */
  readonly files: readonly string[];
}

export async function namesIn(dataDir: string): Promise<string[] | null> {
  return readdir(dataDir).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

export async function setFolderMark(dataDir: string, mark: FolderMark): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await rm(path.join(dataDir, markFile), { force: true });
  // A link of that name is not followed: it could lead to any file.
  await writeFile(path.join(dataDir, markFile), JSON.stringify(mark), { mode: 0o600, flag: 'wx', flush: true });
  await giveToOwner(dataDir, [markFile]);
}

/** Reads the mark. Undefined without one. A mark that is cut off counts as none: its restore had written nothing else yet. */
export async function readFolderMark(dataDir: string): Promise<FolderMark | undefined> {
  const text = await readFile(path.join(dataDir, markFile), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
  try {
    return JSON.parse(text) as FolderMark;
  } catch {
    return undefined;
  }
}

export async function removeFolderMark(dataDir: string): Promise<void> {
  const file = path.join(dataDir, markFile);
  if (existsSync(file)) await rm(file, { force: true });
}

/** Removes the files that a restore wrote. Throws, and removes nothing, if there are others beside them. */
export async function removeWritten(dataDir: string, { had, files }: FolderMark): Promise<void> {
  const written = new Set(files);
  for (const folder of backedUpFolders)
    for (const file of await listFiles(path.join(dataDir, folder)))
      if (!written.has(path.join(folder, file)))
        throw new LoadError(
          `${path.join(dataDir, folder, file)} is not of the interrupted restore: move it away, or restore into another DATA_DIR`,
        );
  for (const folder of backedUpFolders) {
    const at = path.join(dataDir, folder);
    if (!had?.includes(folder)) await rm(at, { recursive: true, force: true });
    // A link could lead anywhere.
    else if ((await lstat(at).catch(() => undefined))?.isDirectory())
      for (const name of await readdir(at)) await rm(path.join(at, name), { recursive: true, force: true });
  }
}

/** Removes all that a failed restore added, its keys and its mark last. */
export async function removeAdded(dataDir: string, mark: FolderMark, keys: readonly string[]): Promise<void> {
  await removeWritten(dataDir, mark);
  for (const name of keys)
    if (!mark.had?.includes(name)) await rm(path.join(dataDir, name), { recursive: true, force: true });
  await removeFolderMark(dataDir);
  // Another program may have written there.
  if (!mark.had) await rmdir(dataDir).catch(() => undefined);
}
