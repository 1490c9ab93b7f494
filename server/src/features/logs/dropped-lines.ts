import type { DroppedLinesRow, DropReason, UnassignedDrops } from './dropped-lines.queries.ts';
import { startInterval } from './interval.ts';

export interface DropCounterOptions {
  readonly write: (rows: readonly DroppedLinesRow[], unassigned: UnassignedDrops) => Promise<void>;
  readonly failed: (error: unknown) => void;
  /** Lines that the kernel dropped since the port was opened. */
  readonly overflow: () => Promise<number | undefined>;
  readonly everyMs?: number | undefined;
}

type Device = { readonly tenantId: string; readonly deviceId: string };

/** Counts the dropped lines of each device and stores the counts at an interval. Counting continues during a database outage. */
export function countDroppedLines({ write, failed, overflow, everyMs = 5000 }: DropCounterOptions) {
  // One entry per device and reason, so the size is limited by the number of devices.
  let counts = new Map<string, Device & { reason: DropReason; lines: number; lastAt: number }>();
  let unknown = { lines: 0, flows: 0 };
  let reported = 0;

  function add({ tenantId, deviceId }: Device, reason: DropReason, lines = 1, lastAt = Date.now()): void {
    const key = `${deviceId} ${reason}`;
    const count = counts.get(key);
    if (count) {
      count.lines += lines;
      count.lastAt = Math.max(count.lastAt, lastAt);
    } else counts.set(key, { tenantId, deviceId, reason, lines, lastAt });
  }

  async function flush(): Promise<void> {
    const dropped = (await overflow()) ?? reported;
    const newDrops = Math.max(0, dropped - reported);
    if (counts.size === 0 && newDrops === 0 && unknown.lines === 0 && unknown.flows === 0) return;
    const batch = counts;
    const unknownBatch = unknown;
    counts = new Map();
    unknown = { lines: 0, flows: 0 };
    try {
      await write([...batch.values()], {
        overflow: newDrops,
        unknownLines: unknownBatch.lines,
        unknownFlows: unknownBatch.flows,
      });
      reported = dropped;
    } catch (error) {
      for (const it of batch.values()) add(it, it.reason, it.lines, it.lastAt);
      unknown = { lines: unknown.lines + unknownBatch.lines, flows: unknown.flows + unknownBatch.flows };
      failed(error);
    }
  }

  const interval = startInterval(everyMs, flush);
  return {
    add,
    /** Counts a line or a NetFlow packet of an unknown device. */
    addUnknown(what: 'lines' | 'flows'): void {
      unknown[what] += 1;
    },
    stop: () => interval.stop(),
  };
}
