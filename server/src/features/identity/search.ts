import type { IdentityProof, ties } from '@portico/contract/identity.ts';
import type { Scope } from '#db/scope.ts';
import type { FoundLine, Limits } from '#features/logs/public.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import {
  type AddressMatch,
  type AddressQuery,
  connectionsOf,
  type Lease,
  leaseOf,
  portsOf,
  translationsOf,
} from './address-matches.ts';
import { type AtQuery, listSearchedDevices, type SearchedDevice, type SessionAt } from './identity.queries.ts';
import { sessionProof, tieProof } from './proofs.ts';
import { findSessionsAt } from './sessions-at.ts';

interface SearchContext {
  readonly app: App;
  readonly inTenant: Context['inTenant'];
  readonly scope: Scope;
  readonly tenantId: string;
}

interface Query {
  readonly address: string;
  readonly port: number | null;
  readonly mac: string | null;
  readonly at: number;
}

export interface Candidate {
  readonly tie: (typeof ties)[number];
  readonly proof: IdentityProof;
  readonly session: SessionAt;
  readonly lease: Lease | undefined;
  readonly lines: FoundLine[];
}

const maxMatches = 50;
/** The first results. The answer says that there are more. */
function atMost<T>(found: readonly T[], limits: Limits): T[] {
  if (found.length > maxMatches) limits.reached = true;
  return found.slice(0, maxMatches);
}
/** The number of devices whose logs are read if no session and no router address leads to a device. */
const maxDevices = 20;

/**
 * Finds all guests who may have used the address, by the first match in this order: a session with this address, a NAT
 * translation in a router's log, a DHCP lease, the port, a session behind the address of a router.
 */
export async function candidatesOf(context: SearchContext, query: Query, limits: Limits): Promise<Candidate[]> {
  const { app, inTenant, scope, tenantId } = context;
  const asked: AddressQuery = { tenantId, address: query.address, port: query.port, at: query.at };
  const at = new Date(query.at).toISOString();
  const findSessions = async (it: Omit<AtQuery, 'at' | 'limit'>) => {
    const sessions = await findSessionsAt({ app, tenantId, read: inTenant }, scope, {
      mac: query.mac,
      ...it,
      at,
      limit: maxMatches + 1,
    });
    // Clocks differ by minutes. Guests who were online shortly before or after count only if none was online at that time.
    const covering = sessions.filter(session => session.covers);
    return atMost(covering.length > 0 ? covering : sessions, limits);
  };
  const devices = await inTenant(tx => listSearchedDevices(tx, scope, query.address, at));

  const byAddress = await findSessions({ address: query.address });
  if (byAddress.length > 0) return describeSessions(context, { asked, devices }, 'address', byAddress, limits);

  const behind = devices.filter(device => device.behind);
  const read = behind.length > 0 ? behind : devices.slice(0, maxDevices);
  const fromLogs = async (
    tie: Candidate['tie'],
    find: (device: SearchedDevice) => Promise<AddressMatch[]>,
    among: SearchedDevice[],
  ) => {
    const found: Candidate[] = [];
    for (const device of among)
      for (const match of await find(device)) {
        const sessions = await findSessions({ address: match.privateAddress, deviceIds: [device.id] });
        for (const session of sessions)
          found.push({
            tie,
            session,
            lease: undefined,
            lines: match.lines,
            proof: tieProof(match.lines[0], session),
          });
      }
    return Promise.all(
      atMost(found, limits).map(async it => ({
        ...it,
        lease: await leaseFor(app, { asked, devices }, it.session, limits),
      })),
    );
  };
  const byTranslation = await fromLogs('translation', device => translationsOf(app, asked, device, limits), read);
  if (byTranslation.length > 0) return byTranslation;
  const byLease = await findLeases(context, { asked, devices: read, mac: query.mac }, findSessions, limits);
  if (byLease.length > 0) return byLease;
  const byPort = await fromLogs('port', device => portsOf(app, asked, device, limits), behind);
  if (byPort.length > 0) return byPort;
  if (behind.length === 0) return [];
  const online = await findSessions({ deviceIds: behind.map(device => device.id) });
  return online.map(session => ({
    tie: 'behind',
    proof: sessionProof(session),
    session,
    lease: undefined,
    lines: [],
  }));
}

interface SearchScope {
  readonly asked: AddressQuery;
  readonly devices: readonly SearchedDevice[];
}

async function leaseFor(app: App, { asked, devices }: SearchScope, session: SessionAt, limits: Limits) {
  const device = devices.find(({ id }) => id === session.device_id);
  if (!device || !session.client_ip) return undefined;
  const lease = await leaseOf(app, asked, { device, address: session.client_ip }, limits);
  return lease?.mac === session.client_mac ? lease : undefined;
}

async function describeSessions(
  { app }: SearchContext,
  searched: SearchScope,
  tie: Candidate['tie'],
  sessions: readonly SessionAt[],
  limits: Limits,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const session of sessions) {
    const device = searched.devices.find(({ id }) => id === session.device_id);
    // IPv6 addresses are not translated, so the log has them as they were asked.
    const privateAddress = searched.asked.address.includes(':') ? searched.asked.address : session.client_ip;
    const match = device && privateAddress ? { device, privateAddress } : undefined;
    found.push({
      tie,
      proof: sessionProof(session),
      session,
      lease: await leaseFor(app, searched, session, limits),
      lines: match ? await connectionsOf(app, searched.asked, match, limits) : [],
    });
  }
  return found;
}

/** The sessions of guest devices that had a lease of the address, even if they began with another address. */
async function findLeases(
  { app }: SearchContext,
  { asked, devices, mac }: SearchScope & { mac: string | null },
  findSessions: (it: { mac: string; deviceIds: string[] }) => Promise<SessionAt[]>,
  limits: Limits,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const device of devices) {
    const lease = await leaseOf(app, asked, { device, address: asked.address }, limits);
    if (!lease || (mac && lease.mac !== mac)) continue;
    const sessions = await findSessions({ mac: lease.mac, deviceIds: [device.id] });
    for (const session of sessions)
      found.push({ tie: 'lease', proof: tieProof(lease.line, { reported: true }), session, lease, lines: [] });
  }
  return found;
}
