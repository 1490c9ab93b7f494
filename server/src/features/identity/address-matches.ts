import { type FoundLine, type Limits, searchLines } from '#features/logs/public.ts';
import type { App } from '#lib/app.ts';
import { readConnection, readLease } from '#routers/log-lines.ts';
import type { SearchedDevice } from './identity.queries.ts';
import { lineRank } from './proofs.ts';

const minute = 60_000;
/** The number of lines that a result shows. */
const maxLines = 20;

export interface AddressQuery {
  readonly tenantId: string;
  readonly address: string;
  readonly port: number | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A guest's private address at a device, with the log lines that lead to it. */
export interface AddressMatch {
  readonly device: SearchedDevice;
  readonly privateAddress: string;
  readonly lines: FoundLine[];
}

/**
 * The lines of each guest's address that are nearest to the requested time, before and after it, so that many others do not push
 * out the one that decides.
 */
const nearest = (at: number) => ({
  groupOf: (found: FoundLine): string => `${readConnection(found.brand, found.message)?.source} ${found.at <= at}`,
  keepsFirst: (found: FoundLine): boolean => found.at > at,
  rankOf: lineRank,
});

const firewall =
  (app: App, asked: AddressQuery, limits: Limits) =>
  (
    device: SearchedDevice,
    it: {
      before: number;
      after: number;
      contains: string;
      matches: (found: FoundLine) => boolean;
      /** Given, the strongest lines of each guest's address that are nearest to the requested time count. */
      perGuest?: true;
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
        limit: maxLines,
        ...(it.perGuest && nearest(asked.at)),
      },
      limits,
    );

function byAddress(device: SearchedDevice, lines: readonly FoundLine[]): AddressMatch[] {
  const matches = new Map<string, AddressMatch>();
  for (const found of lines) {
    const source = readConnection(found.brand, found.message)?.source;
    if (!source) continue;
    const match = matches.get(source) ?? { device, privateAddress: source, lines: [] };
    matches.set(source, match);
    match.lines.push(found);
  }
  return [...matches.values()];
}

/** Shows only lines near the requested time: those before it first. */
const shortened = (matches: readonly AddressMatch[], at: number): AddressMatch[] =>
  matches.map(match => {
    const before = match.lines.filter(found => found.at <= at).slice(-maxLines);
    const after = match.lines.filter(found => found.at > at).slice(0, maxLines - before.length);
    return { ...match, lines: [...before, ...after] };
  });

/**
 * Lines in which the router translated a guest's address to the requested one. With a port, lines of the last half hour count,
 * because a long connection is logged when it begins. Without a port, only lines within a minute count.
 */
export async function translationsOf(
  app: App,
  asked: AddressQuery,
  device: SearchedDevice,
  limits: Limits,
): Promise<AddressMatch[]> {
  const lines = await firewall(
    app,
    asked,
    limits,
  )(device, {
    before: asked.port ? 30 * minute : minute,
    after: asked.port ? 2 * minute : minute,
    contains: asked.address,
    matches: ({ brand, message }) => {
      const it = readConnection(brand, message);
      // Some brands log the address but not the port. They usually keep the guest's own port.
      return it?.natAddress === asked.address && (!asked.port || (it.natPort ?? it.sourcePort) === asked.port);
    },
    perGuest: true,
  });
  const matches = byAddress(device, lines);
  if (!asked.port || matches.length < 2) return shortened(matches, asked.at);
  // Several guests may use a port in turn. The latest line before the requested time decides.
  const before = lines.filter(found => found.at <= asked.at).at(-1) ?? lines[0];
  return shortened(
    matches.filter(match => match.lines.includes(before as FoundLine)),
    asked.at,
  );
}

/** Connections from the requested port, at a device with the requested address. Routers keep a guest's port while it is free. */
export async function portsOf(
  app: App,
  asked: AddressQuery,
  device: SearchedDevice,
  limits: Limits,
): Promise<AddressMatch[]> {
  if (!asked.port) return [];
  const lines = await firewall(
    app,
    asked,
    limits,
  )(device, {
    before: 15 * minute,
    after: 2 * minute,
    contains: String(asked.port),
    matches: ({ brand, message }) => readConnection(brand, message)?.sourcePort === asked.port,
    perGuest: true,
  });
  return shortened(byAddress(device, lines), asked.at);
}

/** Connections of a guest's address around the requested time; with a port, only those from it. */
export const connectionsOf = (
  app: App,
  asked: AddressQuery,
  match: Omit<AddressMatch, 'lines'>,
  limits: Limits,
): Promise<FoundLine[]> =>
  firewall(
    app,
    asked,
    limits,
  )(match.device, {
    before: 2 * minute,
    after: 2 * minute,
    contains: match.privateAddress,
    matches: ({ brand, message }) => {
      const it = readConnection(brand, message);
      return it?.source === match.privateAddress && (!asked.port || it.sourcePort === asked.port);
    },
  });

export interface Lease {
  readonly mac: string;
  readonly line: FoundLine;
}

/** The DHCP lease of an address at the requested time, from the lines of the 24 hours before. */
export async function leaseOf(
  app: App,
  asked: AddressQuery,
  it: { device: SearchedDevice; address: string },
  limits: Limits,
): Promise<Lease | undefined> {
  const search = { tenantId: asked.tenantId, device: it.device, type: 'dhcp' as const, contains: it.address };
  const lines = await searchLines(
    app,
    {
      ...search,
      from: asked.at - 24 * 60 * minute,
      to: asked.at,
      matches: ({ brand, message }) => readLease(brand, message)?.address === it.address,
      limit: 1,
      rankOf: lineRank,
    },
    limits,
  );
  const line = lines.at(-1);
  const lease = line && readLease(line.brand, line.message);
  return lease && !lease.ends ? { mac: lease.mac, line } : undefined;
}
