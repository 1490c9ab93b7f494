import { type QuarantineRow, quarantineBounds } from './log-sources.queries.ts';

type Device = { readonly tenantId: string; readonly deviceId: string };

interface Counted extends Device {
  readonly address: string | null;
  lines: number;
  readonly firstAt: number;
  lastAt: number;
  samples: string[];
}

export interface QuarantineOptions {
  readonly write: (rows: readonly QuarantineRow[]) => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly everyMs?: number | undefined;
}

/** Addresses that are counted one by one until the next write, of one device and of all. Further ones are counted together. */
const maxPerDevice = 100;
const maxAddresses = 5000;

/**
 * Counts the lines that name a device from an address which is not proven, and keeps a few of each. Memory and table are bounded:
 * a stranger can send any number of lines from any number of addresses.
 */
export function createQuarantine({ write, failed, everyMs = 5000 }: QuarantineOptions) {
  let counts = new Map<string, Counted>();
  let perDevice = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();

  function countOf(device: Device, address: string, at: number): Counted {
    const known = counts.get(`${device.deviceId} ${address}`);
    if (known) return known;
    const used = perDevice.get(device.deviceId) ?? 0;
    const full = used >= maxPerDevice || counts.size >= maxAddresses;
    const key = `${device.deviceId} ${full ? '' : address}`;
    const { tenantId, deviceId } = device;
    const count: Counted = counts.get(key) ?? {
      ...{ tenantId, deviceId, address: full ? null : address, lines: 0 },
      ...{ firstAt: at, lastAt: at, samples: [] },
    };
    counts.set(key, count);
    if (!full) perDevice.set(deviceId, used + 1);
    return count;
  }

  function add(device: Device, line: string, address: string, at = Date.now()): void {
    const count = countOf(device, address, at);
    count.lines += 1;
    count.lastAt = at;
    if (count.address === null) return;
    count.samples.push(line.slice(0, quarantineBounds.sampleLength));
    if (count.samples.length > quarantineBounds.samples) count.samples.shift();
  }

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const batch = [...counts.values()];
    counts = new Map();
    perDevice = new Map();
    // What the database does not take is not kept: the counters of dropped lines have it, and memory stays bounded.
    await write(batch.map(it => ({ ...it, samples: it.samples.map(readable) }))).catch(failed);
  }

  const next = (): Promise<void> => (running = running.then(flush));
  const timer = setInterval(() => void next(), everyMs);
  return {
    add,
    async stop(): Promise<void> {
      clearInterval(timer);
      await next();
    },
  };
}

/** A line of one character per byte as text that the database can store. */
const readable = (line: string): string => Buffer.from(line, 'latin1').toString('utf8').replaceAll('\0', '\ufffd');
