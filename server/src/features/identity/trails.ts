import { type FoundLine, type Limits, searchLines } from '#features/logs/public.ts';
import type { App } from '#lib/app.ts';
import { readConnection, readLease } from '#routers/log-lines.ts';
import type { AskedDevice } from './identity.queries.ts';
import { strongest } from './proofs.ts';

const minute = 60_000;
const linesShown = 20;

export interface Asked {
  readonly tenantId: string;
  readonly address: string;
  readonly port: number | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A guest's own address at a device, with the lines that tell of it. */
export interface Trail {
  readonly device: AskedDevice;
  readonly privateAddress: string;
  readonly lines: FoundLine[];
}

const firewall =
  (app: App, asked: Asked, limits: Limits) =>
  (
    device: AskedDevice,
    it: {
      before: number;
      after: number;
      contains: string;
      matches: (found: FoundLine) => boolean;
    },
  ) =>
    searchLines(
      app,
      {
        tenantId: asked.tenantId,
        device,
        type: 'firewall',
        from: asked.at - it.before,
        to: asked.at + it.after,
        contains: it.contains,
        matches: it.matches,
        limit: linesShown,
      },
      limits,
    );

function byAddress(device: AskedDevice, lines: readonly FoundLine[]): Trail[] {
  const trails = new Map<string, Trail>();
  for (const found of lines) {
    const source = readConnection(found.message)?.source;
    if (!source) continue;
    const trail = trails.get(source) ?? { device, privateAddress: source, lines: [] };
    trails.set(source, trail);
    trail.lines.push(found);
  }
  return [...trails.values()];
}

/**
 * Lines in which the router says that it turned a guest's address into the one asked for. With a port up to half an hour
 * back, because a long connection is logged when it begins; without one only within the minute.
 */
export async function translationsOf(app: App, asked: Asked, device: AskedDevice, limits: Limits): Promise<Trail[]> {
  const all = await firewall(
    app,
    asked,
    limits,
  )(device, {
    before: asked.port ? 30 * minute : minute,
    after: asked.port ? 2 * minute : minute,
    contains: asked.address,
    matches: ({ message }) => {
      const it = readConnection(message);
      // Some brands name the address but not the port: theirs is most often the guest's own.
      return it?.natAddress === asked.address && (!asked.port || (it.natPort ?? it.sourcePort) === asked.port);
    },
  });
  const lines = strongest(all);
  const trails = byAddress(device, lines);
  if (!asked.port || trails.length < 2) return trails;
  // A port is used by one guest after another: the latest before the moment had it.
  const before = lines.filter(found => found.at <= asked.at).at(-1) ?? lines[0];
  return trails.filter(trail => trail.lines.includes(before as FoundLine));
}

/** Connections from the port asked for, at a device that had the address asked for: routers keep a guest's port while it is free. */
export async function portsOf(app: App, asked: Asked, device: AskedDevice, limits: Limits): Promise<Trail[]> {
  if (!asked.port) return [];
  const lines = await firewall(
    app,
    asked,
    limits,
  )(device, {
    before: 15 * minute,
    after: 2 * minute,
    contains: String(asked.port),
    matches: ({ message }) => readConnection(message)?.sourcePort === asked.port,
  });
  return byAddress(device, strongest(lines));
}

/** What a guest's address did around the moment; with a port, what it did from that port. */
export const connectionsOf = (
  app: App,
  asked: Asked,
  trail: Omit<Trail, 'lines'>,
  limits: Limits,
): Promise<FoundLine[]> =>
  firewall(
    app,
    asked,
    limits,
  )(trail.device, {
    before: 2 * minute,
    after: 2 * minute,
    contains: trail.privateAddress,
    matches: ({ message }) => {
      const it = readConnection(message);
      return it?.source === trail.privateAddress && (!asked.port || it.sourcePort === asked.port);
    },
  });

export interface LentAddress {
  readonly mac: string;
  readonly line: FoundLine;
}

/** To which device an address was lent at the moment, as the DHCP lines of the day before and of the day tell. */
export async function leaseOf(
  app: App,
  asked: Asked,
  it: { device: AskedDevice; address: string },
  limits: Limits,
): Promise<LentAddress | undefined> {
  const search = { tenantId: asked.tenantId, device: it.device, type: 'dhcp' as const, contains: it.address };
  const lines = await searchLines(
    app,
    {
      ...search,
      from: asked.at - 24 * 60 * minute,
      to: asked.at,
      matches: ({ message }) => readLease(message)?.address === it.address,
      limit: linesShown,
    },
    limits,
  );
  const line = strongest(lines).at(-1);
  const lease = line && readLease(line.message);
  return lease && !lease.ends ? { mac: lease.mac, line } : undefined;
}
