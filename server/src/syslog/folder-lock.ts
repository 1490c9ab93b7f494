import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface FolderLockOptions {
  readonly folder: string;
  /** Called when this process owns the folder, and when another process has taken it over. */
  readonly gained: () => Promise<void>;
  readonly lost: () => Promise<void>;
  readonly failed: (where: string, error: unknown) => void;
  readonly beatMs?: number | undefined;
  /** An owner that gave no sign of life for so long is gone. */
  readonly staleMs?: number | undefined;
}

export interface FolderLock {
  /** Whether this process may write: its own sign of life is recent. A process that was frozen has to look first. */
  readonly isOwn: () => boolean;
  readonly release: () => Promise<void>;
}

const fileName = '.writer';

/**
 * One owner of a folder among the processes that share it, on one machine or several. The owner touches a file again and again; a
 * file that nobody touched for a while is taken over. Node.js has no lock of the operating system, and containers share no process ids.
 */
export async function openFolderLock(options: FolderLockOptions): Promise<FolderLock> {
  const { folder, failed, beatMs = 500, staleMs = 10_000 } = options;
  const file = path.join(folder, fileName);
  const id = randomUUID();
  let owns = false;
  let beatAt = 0;
  let seen: { text: string; mtime: number; since: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let released = false;
  let running: Promise<void> = Promise.resolve();

  /** Who holds the lock, and since when by our own clock its file looks the way it does. */
  async function observe(): Promise<typeof seen> {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    if (!seen || seen.text !== text || seen.mtime !== mtimeMs)
      seen = { text, mtime: mtimeMs, since: performance.now() };
    return seen;
  }

  async function create(): Promise<boolean> {
    const made = await writeFile(file, id, { flag: 'wx', mode: 0o640 }).then(() => true, unless('EEXIST'));
    if (!made) return false;
    owns = true;
    beatAt = performance.now();
    try {
      await options.gained();
    } catch (error) {
      owns = false;
      await unlink(file);
      throw error;
    }
    return true;
  }

  /** Removes the file of an owner that is gone. Of several that try, one succeeds. */
  async function removeStale(text: string): Promise<void> {
    const aside = `${file}.${id}`;
    if (!(await rename(file, aside).then(() => true, unless('ENOENT')))) return;
    const removed = await readFile(aside, 'utf8');
    // Another process was faster and this is its new file.
    if (removed !== text) await rename(aside, file);
    else await unlink(aside);
  }

  async function beat(): Promise<void> {
    if (!owns) {
      if (await create()) return;
      const now = await observe().catch(unless('ENOENT'));
      if (now && performance.now() - now.since > staleMs) await removeStale(now.text);
      return;
    }
    const text = await readFile(file, 'utf8').catch(unless('ENOENT'));
    if (text === id) {
      const now = new Date();
      await utimes(file, now, now);
      beatAt = performance.now();
    } else if (text || performance.now() - beatAt > staleMs / 2) {
      owns = false;
      await options.lost();
    }
  }

  function next(): void {
    timer = setTimeout(() => {
      running = beat()
        .catch(error => failed('lock', error))
        .then(() => {
          if (!released) next();
        });
    }, beatMs);
  }

  await mkdir(folder, { recursive: true, mode: 0o750 });
  await beat();
  next();
  return {
    isOwn: () => owns && performance.now() - beatAt < staleMs / 2,
    async release() {
      released = true;
      clearTimeout(timer);
      await running;
      if (owns && (await readFile(file, 'utf8').catch(unless('ENOENT'))) === id) await unlink(file);
      owns = false;
    },
  };
}

/** Answers false for one kind of failure, and throws the others. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): false => {
    if (error.code === code) return false;
    throw error;
  };
