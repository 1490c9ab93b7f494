import type { lossReasons } from '@portico/contract/logs.ts';
import type { LossRow } from './losses.queries.ts';
import { startRounds } from './rounds.ts';

export type LossReason = (typeof lossReasons)[number];

/** Losses that cannot be attributed to a device. */
export interface LossesOfAll {
  /** Lines that the kernel dropped. */
  readonly overflow: number;
  readonly unknownLines: number;
  /** Packets of NetFlow. */
  readonly unknownFlows: number;
}

export interface LossOptions {
  readonly write: (rows: readonly LossRow[], ofAll: LossesOfAll) => Promise<void>;
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
  let unknown = { lines: 0, flows: 0 };
  let told = 0;

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
    if (counts.size === 0 && more === 0 && unknown.lines === 0 && unknown.flows === 0) return;
    const batch = counts;
    const strangers = unknown;
    counts = new Map();
    unknown = { lines: 0, flows: 0 };
    try {
      await write([...batch.values()], {
        overflow: more,
        unknownLines: strangers.lines,
        unknownFlows: strangers.flows,
      });
      told = dropped;
    } catch (error) {
      for (const it of batch.values()) add(it, it.reason, it.lines, it.lastAt);
      unknown = { lines: unknown.lines + strangers.lines, flows: unknown.flows + strangers.flows };
      failed(error);
    }
  }

  const rounds = startRounds(everyMs, flush);
  return {
    add,
    /** A line or a packet of flows that no device was found for. */
    addUnknown(what: 'lines' | 'flows'): void {
      unknown[what] += 1;
    },
    stop: () => rounds.stop(),
  };
}
