import { openFolderLock } from './folder-lock.ts';
import { createRawStore, type RawStore, type StoreOptions } from './raw-store.ts';
import { createSpool, readSpool } from './spool.ts';

export interface LogFolderOptions extends Omit<StoreOptions, 'mayWrite'> {
  /** Called with the store when this process becomes the owner of the folder; answers how to stop what it started. */
  readonly owned?: ((store: RawStore) => Promise<() => Promise<void>>) | undefined;
  readonly beatMs?: number | undefined;
  readonly staleMs?: number | undefined;
}

/** Where the log service puts its lines. */
export interface LogFolder extends Pick<RawStore, 'take' | 'overloaded' | 'waitingBytes' | 'freeBytes'> {
  readonly isOwner: () => boolean;
  readonly close: () => Promise<void>;
}

const spoolEveryMs = 500;

/**
 * The folder of the raw logs. One process owns it, because the lines of a device are one stream of positions. Other processes hand
 * their lines to the owner, and one of them takes over when the owner ends.
 */
export async function openLogFolder(options: LogFolderOptions): Promise<LogFolder> {
  const { folder, failed } = options;
  const spool = createSpool(folder, failed);
  let own: { store: RawStore; stop: () => Promise<void> } | undefined;

  async function become(): Promise<void> {
    const store = createRawStore({ ...options, mayWrite: () => lock?.isOwn() ?? true });
    const stopReading = await options.owned?.(store).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    let stopped = false;
    let reading: Promise<void> = Promise.resolve();
    const read = () =>
      readSpool(folder, { take: store.take, flush: store.flush, mayGoOn: () => !stopped }).catch(error =>
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

  /** Another process owns the folder: what was not written yet goes to it. */
  async function handOver(): Promise<void> {
    const was = own;
    own = undefined;
    if (!was) return;
    failed(
      'lock',
      new Error('Another process has taken over the log folder; it may be shared by hosts with slow storage'),
    );
    for (const { tenantId, deviceId, log } of was.store.logs())
      for (const record of log.takeBack()) spool.take({ tenantId, deviceId }, record);
    await was.stop();
  }

  let lock: Awaited<ReturnType<typeof openFolderLock>> | undefined;
  lock = await openFolderLock({
    ...{ folder, failed, beatMs: options.beatMs, staleMs: options.staleMs },
    gained: become,
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
