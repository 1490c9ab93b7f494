import { mkdir, readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { steadyNow } from '#lib/steady-clock.ts';
import { createRawLog, type RawLog } from './raw-log.ts';

/*
 * Durability of an accepted line: within 50 ms it is written and survives a crash of this process. Within about a second it
 * is synced (fdatasync) and survives a power failure. Only then is it parsed and counted, so that the database never counts
 * lines that are not on the disk.
 */
const writeEveryMs = 50;
const syncEveryMs = 1000;
const retryMs = 1000;
const diskCheckMs = 5000;
const closeAfterMs = 60_000;
/** The number of libuv's four threads that fsync may block. The others stay free for other work. */
const maxSyncs = 2;

export interface StoreOptions {
  /** The folder of all logs: `<folder>/<tenant>/<device>/raw/`. */
  readonly folder: string;
  /** False while another process may own the folder. Then no line is written. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** The position that the database knows of a device's stream. New lines must not come before it. */
  readonly minPosition: (deviceId: string) => number;
  readonly failed: (where: string, error: unknown) => void;
  readonly segmentBytes?: number | undefined;
  readonly segmentMs?: number | undefined;
  /** Maximum bytes in memory that wait for the disk: of one device, and of all. */
  readonly deviceBytes?: number | undefined;
  readonly totalBytes?: number | undefined;
  /** Bytes of the disk that are kept free, because the database may share it. */
  readonly reserveBytes?: number | undefined;
}

export interface DeviceRef {
  readonly tenantId: string;
  readonly deviceId: string;
}
export interface StoredLog extends DeviceRef {
  readonly log: RawLog;
}

export type TakeResult = 'kept' | 'device_full' | 'memory_full' | 'disk_full';

export interface RawStore {
  /** Accepts a record of a device in memory. Any other result than `kept` means that it is lost. */
  readonly take: (device: DeviceRef, record: string) => TakeResult;
  /** True while so many bytes of all devices or of this one wait for the disk that TCP senders should pause. */
  readonly overloaded: (device?: DeviceRef) => boolean;
  readonly logs: () => Iterable<StoredLog>;
  readonly logOf: (device: DeviceRef) => RawLog;
  /** Looks at a device's folder as after a start, because its files were replaced. Lines that wait for the disk are kept. */
  readonly reopen: (device: DeviceRef) => Promise<void>;
  readonly waitingBytes: () => number;
  readonly freeBytes: () => number | undefined;
  /** Writes and syncs all waiting records; rejects with the error of the disk. */
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
    const log = createRawLog(path.join(folder, tenantId, deviceId, 'raw'), options.minPosition(deviceId), {
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

  // Timers and `flush` must not write or sync the same log at the same time.
  const [writing, syncing] = [createQueue(), createQueue()];
  const writeAll = () => writing(writeWaiting);
  const syncAll = () => syncing(syncUnsynced);

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
    let failure: unknown;
    const worker = async () => {
      for (let log = queue.pop(); log; log = queue.pop()) {
        const one = log;
        await one.sync().catch(error => {
          unsynced.add(one);
          failure = error;
        });
      }
    };
    await Promise.all(Array.from({ length: maxSyncs }, worker));
    if (failure) throw failure;
  }

  async function closeIdle(): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    free = bavail * bsize;
    for (const { log } of logs.values())
      if (log.pending() === 0 && steadyNow() - log.idleSince() > closeAfterMs && !unsynced.has(log))
        await log.closeFile();
  }

  async function reopenOne(device: DeviceRef): Promise<void> {
    const known = logs.get(device.deviceId)?.log;
    if (known) {
      await known.closeFile();
      logs.delete(device.deviceId);
      waiting.delete(known);
      unsynced.delete(known);
    }
    const records = known?.takePending() ?? [];
    const { deviceId, tenantId } = device;
    if (records.length === 0 && !(await isFolder(path.join(folder, tenantId, deviceId, 'raw')))) return;
    const log = logOf(device);
    for (const record of records) log.add(record);
    if (records.length > 0) waiting.add(log);
    await log.find();
  }

  const running = new Set<Promise<void>>();
  /** Runs work repeatedly, `everyMs` after its last end, until the store is closed. */
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
  repeat(diskCheckMs, 'disk', () => mkdir(folder, { recursive: true, mode: 0o750 }).then(closeIdle));

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
    reopen: device => writing(() => syncing(() => reopenOne(device))),
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
        await Promise.allSettled([...logs.values()].map(({ log }) => log.closeFile()));
      }
    },
  };
}

/** Runs what it is given, one after the other. */
function createQueue(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return work => {
    last = last.then(work, work);
    return last;
  };
}

const isFolder = (at: string): Promise<boolean> =>
  stat(at).then(
    it => it.isDirectory(),
    () => false,
  );

/** The devices that have a folder of raw lines. */
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
