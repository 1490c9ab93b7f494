import { mkdir, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { createRawLog, type RawLog } from './raw-log.ts';

/*
 * What is promised of a line that was taken (fsync policy):
 *   within 50 ms it is with the operating system: a crash of this process loses it no more;
 *   within about a second it is on the disk (fdatasync): a power cut loses it no more;
 *   only then is it parsed and counted, so that the database never knows of lines that the disk does not have.
 */
const writeEveryMs = 50;
const syncEveryMs = 1000;
const retryMs = 1000;
const diskCheckMs = 5000;
const restAfterMs = 60_000;
/** Threads that fsync may hold: the other half of libuv's four stays free for everybody else. */
const syncsAtOnce = 2;

export interface StoreOptions {
  /** The folder of all logs: `<folder>/<tenant>/<device>/raw/`. */
  readonly folder: string;
  /** False while another process may own the folder: nothing is written then. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** The position that a device's stream had reached by all that is known elsewhere. */
  readonly leastPosition: (deviceId: string) => number;
  readonly failed: (where: string, error: unknown) => void;
  readonly segmentBytes?: number | undefined;
  readonly segmentMs?: number | undefined;
  /** Bytes that may wait in memory for the disk: of one device, of all. */
  readonly deviceBytes?: number | undefined;
  readonly totalBytes?: number | undefined;
  /** Bytes of the disk that are left to others: the database may share it. */
  readonly reserveBytes?: number | undefined;
}

export interface DeviceRef {
  readonly tenantId: string;
  readonly deviceId: string;
}
export interface StoredLog extends DeviceRef {
  readonly log: RawLog;
}

export type Taken = 'kept' | 'device_full' | 'memory_full' | 'disk_full';

export interface RawStore {
  /** Takes one record of a device into memory; what is not `kept` is lost. */
  readonly take: (device: DeviceRef, record: string) => Taken;
  /** True while so much waits for the disk, of all devices or of this one, that a sender that can wait should. */
  readonly overloaded: (device?: DeviceRef) => boolean;
  readonly logs: () => Iterable<StoredLog>;
  readonly logOf: (device: DeviceRef) => RawLog;
  readonly waitingBytes: () => number;
  readonly freeBytes: () => number | undefined;
  /** Writes and syncs all that waits, or throws what the disk said. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The raw logs of all devices, written in the background. */
export function createRawStore(options: StoreOptions): RawStore {
  const { folder, failed, segmentBytes = 64 << 20, segmentMs = 3_600_000 } = options;
  const { mayWrite = () => true } = options;
  const { deviceBytes = 8 << 20, totalBytes = 128 << 20, reserveBytes = 512 << 20 } = options;
  const logs = new Map<string, StoredLog>();
  const waiting = new Set<RawLog>();
  const unsynced = new Set<RawLog>();
  const timers = new Set<NodeJS.Timeout>();
  let total = 0;
  let free: number | undefined;
  let closed = false;

  function logOf({ tenantId, deviceId }: DeviceRef): RawLog {
    const known = logs.get(deviceId);
    if (known) return known.log;
    const log = createRawLog(path.join(folder, tenantId, deviceId, 'raw'), options.leastPosition(deviceId), {
      segmentBytes,
      segmentMs,
    });
    logs.set(deviceId, { tenantId, deviceId, log });
    return log;
  }

  async function writeOne(log: RawLog): Promise<void> {
    await log.write().finally(() => unsynced.add(log));
    if (log.pending() === 0) waiting.delete(log);
  }

  // A log is written and synced by one caller at a time: the timers, or one that asks to flush.
  const writeAll = inTurn(writeWaiting);
  const syncAll = inTurn(syncUnsynced);

  async function writeWaiting(): Promise<void> {
    if (!mayWrite()) return;
    const results = await Promise.allSettled([...waiting].map(writeOne));
    total = [...waiting].reduce((sum, log) => sum + log.pending(), 0);
    const refused = results.find(result => result.status === 'rejected');
    if (refused) throw refused.reason;
  }

  async function syncUnsynced(): Promise<void> {
    const queue = [...unsynced];
    unsynced.clear();
    let trouble: unknown;
    const worker = async () => {
      for (let log = queue.pop(); log; log = queue.pop()) {
        const one = log;
        await one.sync().catch(error => {
          unsynced.add(one);
          trouble = error;
        });
      }
    };
    await Promise.all(Array.from({ length: syncsAtOnce }, worker));
    if (trouble) throw trouble;
  }

  async function restIdle(): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    free = bavail * bsize;
    for (const { log } of logs.values())
      if (log.pending() === 0 && Date.now() - log.idleSince() > restAfterMs && !unsynced.has(log)) await log.rest();
  }

  const running = new Set<Promise<void>>();
  /** Runs work again and again, a while after the last time, until closed. */
  function repeat(everyMs: number, where: string, work: () => Promise<void>): void {
    const run = (): void => {
      const one = work().then(
        () => everyMs,
        error => {
          failed(where, error);
          return Math.max(everyMs, retryMs);
        },
      );
      const done = one.then(next => {
        running.delete(done);
        if (closed) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          run();
        }, next);
        timers.add(timer);
      });
      running.add(done);
    };
    run();
  }

  repeat(writeEveryMs, 'write', writeAll);
  repeat(syncEveryMs, 'sync', syncAll);
  repeat(diskCheckMs, 'disk', () => mkdir(folder, { recursive: true, mode: 0o750 }).then(restIdle));

  async function flush(): Promise<void> {
    if (!mayWrite()) throw new Error('Another process may own the log folder');
    await writeAll();
    await syncAll();
  }

  return {
    take(device, record) {
      if (free !== undefined && free < reserveBytes) return 'disk_full';
      if (total >= totalBytes) return 'memory_full';
      const log = logOf(device);
      if (log.pending() >= deviceBytes) return 'device_full';
      log.add(record);
      total += record.length;
      waiting.add(log);
      return 'kept';
    },
    overloaded: device =>
      total >= totalBytes / 2 || (device !== undefined && logOf(device).pending() >= deviceBytes / 2),
    logs: () => logs.values(),
    logOf,
    waitingBytes: () => total,
    freeBytes: () => free,
    flush,
    async close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
      try {
        await flush();
      } finally {
        await Promise.allSettled([...logs.values()].map(({ log }) => log.rest()));
      }
    },
  };
}

/** The same work, never twice at once. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(work, work);
    return last;
  };
}

/** Every device that has a folder of raw lines. */
export async function listDevices(folder: string): Promise<DeviceRef[]> {
  const ids = async (at: string) =>
    (await readdir(at, { withFileTypes: true }).catch(() => []))
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name);
  const devices: DeviceRef[] = [];
  for (const tenantId of await ids(folder))
    for (const deviceId of await ids(path.join(folder, tenantId))) devices.push({ tenantId, deviceId });
  return devices;
}
