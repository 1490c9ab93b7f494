import { type QuarantineRow, quarantineBounds } from './log-sources.queries.ts';

type Device = { readonly tenantId: string; readonly deviceId: string };

interface AddressCount extends Device {
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

/** The number of addresses that are counted separately until the next write, per device and in total. More are counted together. */
const maxPerDevice = 100;
const maxAddresses = 5000;

/**
 * Counts the lines that name a device but come from an unproven address, and keeps some of each. Memory and table are limited,
 * because any host can send any number of lines from any number of addresses.
 */
export function createQuarantine({ write, failed, everyMs = 5000 }: QuarantineOptions) {
  let counts = new Map<string, AddressCount>();
  let perDevice = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();

  function countOf(device: Device, address: string, at: number): AddressCount {
    const known = counts.get(`${device.deviceId} ${address}`);
    if (known) return known;
    const used = perDevice.get(device.deviceId) ?? 0;
    const full = used >= maxPerDevice || counts.size >= maxAddresses;
    const key = `${device.deviceId} ${full ? '' : address}`;
    const { tenantId, deviceId } = device;
    const count: AddressCount = counts.get(key) ?? {
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
    // A failed write is not repeated, so memory stays limited. The counters of dropped lines include these lines.
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

/** Converts a line with one character per byte to text that the database can store. */
const readable = (line: string): string => Buffer.from(line, 'latin1').toString('utf8').replaceAll('\0', '\ufffd');
