import type { lossReasons } from '@portico/contract/logs.ts';
import type { LossRow } from './losses.queries.ts';

export type LossReason = (typeof lossReasons)[number];

export interface LossOptions {
  readonly write: (rows: readonly LossRow[], overflow: number) => Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Lines that the kernel dropped since the port was opened. */
  readonly overflow: () => Promise<number | undefined>;
  readonly everyMs?: number | undefined;
}

type Device = { readonly tenantId: string; readonly deviceId: string };

/** Adds up what was lost of each device and writes it down now and then; while the database is away it goes on adding up. */
export function countLosses({ write, failed, overflow, everyMs = 5000 }: LossOptions) {
  // One entry per device and reason: as bounded as the devices are.
  let counts = new Map<string, Device & { reason: LossReason; lines: number; lastAt: number }>();
  let told = 0;
  let running: Promise<void> = Promise.resolve();

  function add({ tenantId, deviceId }: Device, reason: LossReason, lines = 1, lastAt = Date.now()): void {
    const key = `${deviceId} ${reason}`;
    const count = counts.get(key);
    if (count) {
      count.lines += lines;
      count.lastAt = Math.max(count.lastAt, lastAt);
    } else counts.set(key, { tenantId, deviceId, reason, lines, lastAt });
  }

  async function flush(): Promise<void> {
    const dropped = (await overflow()) ?? told;
    const more = Math.max(0, dropped - told);
    if (counts.size === 0 && more === 0) return;
    const batch = counts;
    counts = new Map();
    try {
      await write([...batch.values()], more);
      told = dropped;
    } catch (error) {
      for (const it of batch.values()) add(it, it.reason, it.lines, it.lastAt);
      failed(error);
    }
  }

  const next = (): Promise<void> => (running = running.then(flush));
  const timer = setInterval(() => void next(), everyMs);
  return {
    add,
    async stop() {
      clearInterval(timer);
      await next();
    },
  };
}
