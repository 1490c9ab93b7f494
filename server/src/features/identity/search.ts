import type { IdentityProof, ties } from '@portico/contract/identity.ts';
import type { Scope } from '#db/scope.ts';
import type { FoundLine, Limits } from '#features/logs/public.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { type AskedDevice, type AtQuery, listAskedDevices, type SessionAt, sessionsAt } from './identity.queries.ts';
import { sessionProof, tieProof } from './proofs.ts';
import { type Asked, connectionsOf, type LentAddress, leaseOf, portsOf, type Trail, translationsOf } from './trails.ts';

interface Where {
  readonly app: App;
  readonly inTenant: Context['inTenant'];
  readonly scope: Scope;
  readonly tenantId: string;
}

interface Question {
  readonly address: string;
  readonly port: number | null;
  readonly mac: string | null;
  readonly at: number;
}

export interface Candidate {
  readonly tie: (typeof ties)[number];
  readonly proof: IdentityProof;
  readonly session: SessionAt;
  readonly lease: LentAddress | undefined;
  readonly lines: FoundLine[];
}

const maxMatches = 50;
/** Whose logs are read when no session and no router's address leads to a device. */
const maxDevices = 20;

/**
 * All guests who may have used the address, by the strongest tie there is: a session or a lease with this address; else,
 * for the address of a router, what its log says of translations; else of ports; else all who were online behind it.
 */
export async function candidatesOf(where: Where, question: Question, limits: Limits): Promise<Candidate[]> {
  const { app, inTenant, scope, tenantId } = where;
  const asked: Asked = { tenantId, address: question.address, port: question.port, at: question.at };
  const at = new Date(question.at).toISOString();
  const ask = async (it: Omit<AtQuery, 'at' | 'limit'>) => {
    const sessions = await inTenant(tx => sessionsAt(tx, scope, { mac: question.mac, ...it, at, limit: maxMatches }));
    // Clocks differ by minutes: guests online shortly before or after count only if no guest was online at the time itself.
    const covering = sessions.filter(session => session.covers);
    return covering.length > 0 ? covering : sessions;
  };
  const devices = await inTenant(tx => listAskedDevices(tx, scope, question.address, at));

  const direct = await ask({ address: question.address });
  if (direct.length > 0) return collect(where, { asked, devices }, 'address', direct, limits);

  const behind = devices.filter(device => device.behind);
  const read = behind.length > 0 ? behind : devices.slice(0, maxDevices);
  const ofTrails = async (
    tie: Candidate['tie'],
    find: (device: AskedDevice) => Promise<Trail[]>,
    among: AskedDevice[],
  ) => {
    const found: Candidate[] = [];
    for (const device of among)
      for (const trail of await find(device)) {
        const sessions = await ask({ address: trail.privateAddress, deviceIds: [device.id] });
        for (const session of sessions)
          found.push({
            tie,
            session,
            lease: undefined,
            lines: trail.lines,
            proof: tieProof(trail.lines[0], session),
          });
      }
    return Promise.all(
      found
        .slice(0, maxMatches)
        .map(async it => ({ ...it, lease: await leaseFor(app, { asked, devices }, it.session, limits) })),
    );
  };
  const translated = await ofTrails('translation', device => translationsOf(app, asked, device, limits), read);
  if (translated.length > 0) return translated;
  const lent = await ofLeases(where, { asked, devices: read, mac: question.mac }, ask, limits);
  if (lent.length > 0) return lent;
  const ported = await ofTrails('port', device => portsOf(app, asked, device, limits), behind);
  if (ported.length > 0) return ported;
  if (behind.length === 0) return [];
  const online = await ask({ deviceIds: behind.map(device => device.id) });
  return online.map(session => ({
    tie: 'behind',
    proof: sessionProof(session),
    session,
    lease: undefined,
    lines: [],
  }));
}

interface Known {
  readonly asked: Asked;
  readonly devices: readonly AskedDevice[];
}

async function leaseFor(app: App, { asked, devices }: Known, session: SessionAt, limits: Limits) {
  const device = devices.find(({ id }) => id === session.device_id);
  if (!device || !session.client_ip) return undefined;
  const lease = await leaseOf(app, asked, { device, address: session.client_ip }, limits);
  return lease?.mac === session.client_mac ? lease : undefined;
}

async function collect(
  { app }: Where,
  known: Known,
  tie: Candidate['tie'],
  sessions: readonly SessionAt[],
  limits: Limits,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const session of sessions) {
    const device = known.devices.find(({ id }) => id === session.device_id);
    const trail = device && session.client_ip ? { device, privateAddress: session.client_ip } : undefined;
    found.push({
      tie,
      proof: sessionProof(session),
      session,
      lease: await leaseFor(app, known, session, limits),
      lines: trail ? await connectionsOf(app, known.asked, trail, limits) : [],
    });
  }
  return found;
}

/** The sessions of the devices that the address was lent to, even if they began with another address. */
async function ofLeases(
  { app }: Where,
  { asked, devices, mac }: Known & { mac: string | null },
  ask: (it: { mac: string; deviceIds: string[] }) => Promise<SessionAt[]>,
  limits: Limits,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const device of devices) {
    const lease = await leaseOf(app, asked, { device, address: asked.address }, limits);
    if (!lease || (mac && lease.mac !== mac)) continue;
    const sessions = await ask({ mac: lease.mac, deviceIds: [device.id] });
    for (const session of sessions)
      found.push({ tie: 'lease', proof: tieProof(lease.line, { reported: true }), session, lease, lines: [] });
  }
  return found;
}
