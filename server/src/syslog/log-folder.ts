import { openFolderLock } from './folder-lock.ts';
import { createRawStore, type RawStore, type StoreOptions } from './raw-store.ts';
import { createSpool, readSpool } from './spool.ts';

export interface LogFolderOptions extends Omit<StoreOptions, 'mayWrite'> {
  /** Called with the store when this process becomes the owner of the folder. Returns a function that stops the work. */
  readonly becameOwner?: ((store: RawStore) => Promise<() => Promise<void>>) | undefined;
  readonly heartbeatMs?: number | undefined;
  readonly staleMs?: number | undefined;
}

/** The store of the log service. */
export interface LogFolder extends Pick<RawStore, 'take' | 'overloaded' | 'waitingBytes' | 'freeBytes'> {
  readonly isOwner: () => boolean;
  readonly close: () => Promise<void>;
}

const spoolEveryMs = 500;

/**
 * Opens the folder of the raw logs. One process owns it, because the lines of a device are one stream of positions. The other
 * processes pass their lines to the owner. When the owner ends, one of them takes over.
 */
export async function openLogFolder(options: LogFolderOptions): Promise<LogFolder> {
  const { folder, failed } = options;
  const spool = createSpool(folder, failed);
  let own: { store: RawStore; stop: () => Promise<void> } | undefined;

  async function becomeOwner(): Promise<void> {
    const store = createRawStore({ ...options, mayWrite: () => lock?.isOwn() ?? true });
    const stopReading = await options.becameOwner?.(store).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    let stopped = false;
    let reading: Promise<void> = Promise.resolve();
    const read = () =>
      readSpool(folder, { take: store.take, flush: store.flush, mayContinue: () => !stopped }).catch(error =>
        failed('spool', error),
      );
    const timer = setInterval(() => {
      reading = reading.then(read);
    }, spoolEveryMs);
    own = {
      store,
      stop: async () => {
        stopped = true;
        clearInterval(timer);
        await reading;
        await store.close().catch(error => failed('close', error));
        await stopReading?.();
      },
    };
  }

  /** Another process owns the folder now. It gets the lines that were not written yet. */
  async function handOver(): Promise<void> {
    const previous = own;
    own = undefined;
    if (!previous) return;
    failed(
      'lock',
      new Error('Another process has taken over the log folder; it may be shared by hosts with slow storage'),
    );
    for (const { tenantId, deviceId, log } of previous.store.logs())
      for (const record of log.takePending()) spool.take({ tenantId, deviceId }, record);
    await previous.stop();
  }

  let lock: Awaited<ReturnType<typeof openFolderLock>> | undefined;
  lock = await openFolderLock({
    ...{ folder, failed, heartbeatMs: options.heartbeatMs, staleMs: options.staleMs },
    acquired: becomeOwner,
    lost: handOver,
  });

  return {
    take: (device, record) => (own ? own.store.take(device, record) : spool.take(device, record)),
    overloaded: device => own?.store.overloaded(device) ?? false,
    waitingBytes: () => (own?.store.waitingBytes() ?? 0) + spool.waitingBytes(),
    freeBytes: () => own?.store.freeBytes(),
    isOwner: () => own !== undefined,
    async close() {
      await spool.close();
      await own?.stop();
      await lock?.release();
    },
  };
}
