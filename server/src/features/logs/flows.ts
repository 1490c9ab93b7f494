import type { Flow } from '#syslog/netflow.ts';
import type { LogSender } from '#syslog/senders.ts';
import { startInterval } from './interval.ts';
import { localHour } from './local-day.ts';
import { addFacts, type Top } from './tally.ts';

/** The totals of one device's flows. */
export interface FlowTally {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly locationId: string;
  readonly tops: Map<string, Top>;
}

export interface FlowOptions {
  /** Host names by address, from a device's latest DNS answers. */
  readonly names: (deviceId: string) => ReadonlyMap<string, string>;
  /** Calls `written` with those that are stored for good, for the case that it fails later. */
  readonly write: (tallies: readonly FlowTally[], written: (some: readonly FlowTally[]) => void) => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly everyMs?: number | undefined;
}

/** Addresses of guests behind their router: private, of carrier-grade NAT, and unique local (RFC 1918, RFC 6598, RFC 4193). */
const privateAddress =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][0-9a-f]{2}:)/i;

/** The ports of services that were assigned before all others. */
const lastServicePort = 1023;

/**
 * Whether a guest sent this flow; undefined: it has no guest, or cannot be told. IPv6 guests have public addresses, so there the
 * side of a service's port is the site.
 */
function isSent({ from, to, fromPort = 0, toPort = 0 }: Flow): boolean | undefined {
  const [inside, other] = [privateAddress.test(from), privateAddress.test(to)];
  if (inside !== other) return inside;
  if (inside || !from.includes(':')) return undefined;
  const [serves, served] = [fromPort <= lastServicePort, toPort <= lastServicePort];
  return serves === served ? undefined : served;
}

/** Sums the bytes of guests' flows by site and stores the sums at an interval. A failed write is repeated. */
export function countFlows({ names, write, failed, everyMs = 5000 }: FlowOptions) {
  let tallies = new Map<string, FlowTally>();
  let waiting: readonly FlowTally[] = [];

  function add(sender: LogSender, flows: readonly Flow[], at = Date.now()): void {
    const { tenantId, deviceId, locationId } = sender;
    let tally = tallies.get(deviceId);
    if (!tally) tallies.set(deviceId, (tally = { tenantId, deviceId, locationId, tops: new Map() }));
    const hour = localHour(at, sender.timeZone);
    const known = names(deviceId);
    for (const flow of flows) {
      const { from, to, bytes } = flow;
      const sent = isSent(flow);
      if (sent === undefined) continue;
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
      await write(waiting, some => {
        waiting = waiting.filter(it => !some.includes(it));
      });
      waiting = [];
    } catch (error) {
      failed(error);
    }
  }

  const interval = startInterval(everyMs, flush);
  // Two last runs: one for the batch of a failed write, one for the flows since.
  return { add, stop: () => interval.stop(2) };
}
