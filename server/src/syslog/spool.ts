import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { DeviceRef, TakeResult } from './raw-store.ts';

/** Maximum bytes of lines in memory that wait for the spool. */
const maxBytes = 32 << 20;
const writeEveryMs = 250;
/** A file that was not finished after this time belongs to a process that has ended. */
const abandonedMs = 10_000;
const folderName = '.spool';

/** Passes the lines of a process that does not own the folder to the owner, in small files. */
export interface Spool {
  readonly take: (device: DeviceRef, record: string) => TakeResult;
  readonly waitingBytes: () => number;
  readonly close: () => Promise<void>;
}

export function createSpool(logs: string, failed: (where: string, error: unknown) => void): Spool {
  const folder = path.join(logs, folderName);
  const id = randomUUID();
  let waiting: string[] = [];
  let bytes = 0;
  let number = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    const batch = waiting;
    const size = bytes;
    waiting = [];
    bytes = 0;
    try {
      await mkdir(folder, { recursive: true, mode: 0o750 });
      const name = path.join(folder, `${String(Date.now()).padStart(15, '0')}-${id}-${number++}`);
      const file = await open(`${name}.part`, 'wx', 0o640);
      try {
        await file.writeFile(batch.join(''), 'latin1');
        await file.datasync();
      } finally {
        await file.close();
      }
      // The owner reads finished files only. It may have renamed this one already, as abandoned.
      await rename(`${name}.part`, `${name}.log`);
    } catch (error) {
      waiting = [...batch, ...waiting];
      bytes += size;
      throw error;
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running = running.then(write).catch(error => {
      failed('spool', error);
      timer ??= setTimeout(() => void flush(), 1000);
    });
    return running;
  };

  return {
    take({ tenantId, deviceId }, record) {
      if (bytes >= maxBytes) return 'memory_full';
      waiting.push(`${tenantId} ${deviceId} ${record}`);
      bytes += record.length;
      timer ??= setTimeout(() => void flush(), writeEveryMs);
      return 'kept';
    },
    waitingBytes: () => bytes,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

/**
 * Moves the lines that other processes received into the store of the owner. After a crash between storing and removing a file,
 * its lines are stored twice; none is lost.
 */
export async function readSpool(
  logs: string,
  store: {
    readonly take: (device: DeviceRef, record: string) => TakeResult;
    /** Resolves when all accepted records are on the disk. */
    readonly flush: () => Promise<void>;
    readonly mayContinue: () => boolean;
  },
): Promise<void> {
  const folder = path.join(logs, folderName);
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    if (!store.mayContinue()) return;
    const file = path.join(folder, name);
    if (name.endsWith('.part')) await finishAbandoned(file);
    if (!name.endsWith('.log')) continue;
    for (const line of (await readFile(file, 'latin1')).split('\n')) {
      const [tenantId, deviceId] = line.split(' ', 2);
      if (!tenantId || !deviceId) continue;
      const record = `${line.slice(tenantId.length + deviceId.length + 2)}\n`;
      while (store.take({ tenantId, deviceId }, record) !== 'kept') {
        if (!store.mayContinue()) return;
        await store.flush();
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }
    await store.flush();
    await unlink(file);
  }
}

async function finishAbandoned(file: string): Promise<void> {
  const known = await stat(file).catch(() => undefined);
  if (known && Date.now() - known.mtimeMs > abandonedMs) await rename(file, file.replace(/part$/, 'log'));
}
