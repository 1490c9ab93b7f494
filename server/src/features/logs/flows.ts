import type { Flow } from '#syslog/netflow.ts';
import type { LogSender } from '#syslog/senders.ts';
import { startInterval } from './interval.ts';
import { localHour } from './local-day.ts';
import { addFacts, type Top } from './tally.ts';

/** What the flows of one device add up to. */
export interface FlowTally {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly locationId: string;
  readonly tops: Map<string, Top>;
}

export interface FlowOptions {
  /** Names by address, of a device's latest DNS answers. */
  readonly names: (deviceId: string) => ReadonlyMap<string, string>;
  readonly write: (tallies: readonly FlowTally[]) => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly everyMs?: number | undefined;
}

/** Addresses that guests have behind their router: private ones and those of a carrier (RFC 1918, RFC 6598). */
const inside = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;

/** Adds up the bytes of guests' flows by site, and writes them down now and then. What the database did not take is tried again. */
export function countFlows({ names, write, failed, everyMs = 5000 }: FlowOptions) {
  let tallies = new Map<string, FlowTally>();
  let waiting: readonly FlowTally[] = [];

  function add(sender: LogSender, flows: readonly Flow[], at = Date.now()): void {
    const { tenantId, deviceId, locationId } = sender;
    let tally = tallies.get(deviceId);
    if (!tally) tallies.set(deviceId, (tally = { tenantId, deviceId, locationId, tops: new Map() }));
    const hour = localHour(at, sender.timeZone);
    const known = names(deviceId);
    for (const { from, to, bytes } of flows) {
      const sent = inside.test(from);
      // Between two guests or two outside addresses: no site.
      if (sent === inside.test(to)) continue;
      const destination = sent ? to : from;
      const traffic = sent ? { sent: bytes } : { recv: bytes };
      addFacts(tally, hour, { type: 'other', destination, ...traffic, connections: 0 }, known);
    }
  }

  async function flush(): Promise<void> {
    if (waiting.length === 0) {
      waiting = [...tallies.values()].filter(tally => tally.tops.size > 0);
      tallies = new Map();
    }
    if (waiting.length === 0) return;
    try {
      await write(waiting);
      waiting = [];
    } catch (error) {
      failed(error);
    }
  }

  const interval = startInterval(everyMs, flush);
  // What the last but one could not write, and what came meanwhile.
  return { add, stop: () => interval.stop(2) };
}
