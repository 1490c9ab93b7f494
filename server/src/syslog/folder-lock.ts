import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface FolderLockOptions {
  readonly folder: string;
  /** Called when this process becomes the owner of the folder. */
  readonly acquired: () => Promise<void>;
  /** Called when another process has taken the folder over. */
  readonly lost: () => Promise<void>;
  readonly failed: (where: string, error: unknown) => void;
  readonly heartbeatMs?: number | undefined;
  /** An owner without a heartbeat for this time has ended. */
  readonly staleMs?: number | undefined;
}

export interface FolderLock {
  /** Whether this process may write. False if its last heartbeat is old: a process that was suspended must check first. */
  readonly isOwn: () => boolean;
  readonly release: () => Promise<void>;
}

const fileName = '.writer';

/**
 * Elects one owner of a folder among the processes that share it, on one machine or several. The owner updates the time of a
 * lock file regularly. Another process takes over a file that was not updated for a while. Node.js has no file locks of the
 * operating system, and process ids mean nothing across containers.
 */
export async function openFolderLock(options: FolderLockOptions): Promise<FolderLock> {
  const { folder, failed, heartbeatMs = 500, staleMs = 10_000 } = options;
  const file = path.join(folder, fileName);
  const id = randomUUID();
  let owns = false;
  let heartbeatAt = 0;
  let seen: { text: string; mtime: number; since: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let released = false;
  let running: Promise<void> = Promise.resolve();

  /** The content and time of the lock file, and since when it has been unchanged, by this process's clock. */
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
    heartbeatAt = performance.now();
    try {
      await options.acquired();
    } catch (error) {
      owns = false;
      await unlink(file);
      throw error;
    }
    return true;
  }

  /** Removes the file of an owner that has ended. If several processes try, one succeeds. */
  async function removeStale(text: string): Promise<void> {
    const aside = `${file}.${id}`;
    if (!(await rename(file, aside).then(() => true, unless('ENOENT')))) return;
    const removed = await readFile(aside, 'utf8');
    // Another process was faster, and this is its new file.
    if (removed !== text) await rename(aside, file);
    else await unlink(aside);
  }

  async function heartbeat(): Promise<void> {
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
      heartbeatAt = performance.now();
    } else if (text || performance.now() - heartbeatAt > staleMs / 2) {
      owns = false;
      await options.lost();
    }
  }

  function next(): void {
    timer = setTimeout(() => {
      running = heartbeat()
        .catch(error => failed('lock', error))
        .then(() => {
          if (!released) next();
        });
    }, heartbeatMs);
  }

  await mkdir(folder, { recursive: true, mode: 0o750 });
  await heartbeat();
  next();
  return {
    isOwn: () => owns && performance.now() - heartbeatAt < staleMs / 2,
    async release() {
      released = true;
      clearTimeout(timer);
      await running;
      if (owns && (await readFile(file, 'utf8').catch(unless('ENOENT'))) === id) await unlink(file);
      owns = false;
    },
  };
}

/** A handler that returns false for this error code and throws every other error. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): false => {
    if (error.code === code) return false;
    throw error;
  };
