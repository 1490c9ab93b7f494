import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { DeviceRef, Taken } from './raw-store.ts';

/** Lines that wait in memory for the spool, in bytes. */
const maxBytes = 32 << 20;
const writeEveryMs = 250;
/** A part that was not finished for so long was left by a process that is gone. */
const abandonedMs = 10_000;
const folderName = '.spool';

/** What a process that does not own the folder does with its lines: it hands them to the owner in small files. */
export interface Spool {
  readonly take: (device: DeviceRef, record: string) => Taken;
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
      // The owner reads whole files only. One that it found abandoned has the name already.
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
 * Moves what other processes received into the record of the owner. A crash between storing and removing a file stores its lines
 * twice: no line is lost.
 */
export async function readSpool(
  logs: string,
  it: {
    readonly take: (device: DeviceRef, record: string) => Taken;
    /** Resolves when all that was taken is on the disk. */
    readonly flush: () => Promise<void>;
    readonly mayGoOn: () => boolean;
  },
): Promise<void> {
  const folder = path.join(logs, folderName);
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    if (!it.mayGoOn()) return;
    const file = path.join(folder, name);
    if (name.endsWith('.part')) await finishAbandoned(file);
    if (!name.endsWith('.log')) continue;
    for (const line of (await readFile(file, 'latin1')).split('\n')) {
      const [tenantId, deviceId] = line.split(' ', 2);
      if (!tenantId || !deviceId) continue;
      const record = `${line.slice(tenantId.length + deviceId.length + 2)}\n`;
      while (it.take({ tenantId, deviceId }, record) !== 'kept') {
        if (!it.mayGoOn()) return;
        await it.flush();
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }
    await it.flush();
    await unlink(file);
  }
}

async function finishAbandoned(file: string): Promise<void> {
  const known = await stat(file).catch(() => undefined);
  if (known && Date.now() - known.mtimeMs > abandonedMs) await rename(file, file.replace(/part$/, 'log'));
}
