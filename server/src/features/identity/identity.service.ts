import type { IdentityMatch, WhoWasIt, WhoWasItForm } from '@portico/contract/identity.ts';
import { audit } from '#features/audit/public.ts';
import { type Limits, momentOf } from '#features/logs/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { type CertifiedKey, makeSigningKey } from '#lib/certificates.ts';
import { offsetMs } from '#lib/moments.ts';
import type { Secrets } from '#lib/secrets.ts';
import * as queries from './identity.queries.ts';
import { isForgeryProof, isProven, lineProof } from './proofs.ts';
import { type Candidate, candidatesOf } from './search.ts';
import { createTurns } from './turns.ts';

type Call = Context & { actor: Actor };

// Reading the record is heavy: a few at once for everyone, one at a time for each tenant.
const turns = createTurns({ atOnce: 2, waiting: 4, waitMs: 30_000, refusal: () => new AppError('away') });
const budget = { bytes: 1 << 30, ms: 25_000 };

const dayMs = 86_400_000;

/**
 * The moments of a local time of a zone, or of one that names its own offset, in milliseconds since 1970. A local time has two
 * moments when clocks are set back.
 */
function momentsOf(text: string, timeZone: string): number[] {
  if (/(Z|[+-]\d{2}:\d{2})$/.test(text)) return [Date.parse(text.replace(' ', 'T'))];
  const local = text.replace(' ', 'T').padEnd(19, ':00').slice(0, 19);
  const asUtc = Date.parse(`${local}Z`);
  const moments = [asUtc - dayMs, asUtc + dayMs]
    .map(at => asUtc - offsetMs(at, timeZone))
    .filter((at, i, all) => all.indexOf(at) === i && at + offsetMs(at, timeZone) === asUtc);
  // A time that clocks skip has none: the nearest one is meant.
  return moments.length > 0 ? moments : [momentOf(local, timeZone)];
}

/** Finds the guest. The audit log records who asks and why before anything is looked up. */
export async function whoWasIt(call: Call, form: WhoWasItForm, verb: 'look-up' | 'export'): Promise<WhoWasIt> {
  const { app, actor, inTenant } = call;
  const asksAt = Date.now();
  // A year that clocks here cannot show is no number.
  const [at, also] = momentsOf(form.at, actor.timeZone).filter(moment => moment <= asksAt);
  if (at === undefined) throw invalid({ at: 'future' });
  if (at < 0) throw invalid({ at: 'date' });
  const asked = { address: form.address, port: form.port ?? null, mac: form.mac ?? null, reason: form.reason };
  const time = new Date(at).toISOString();
  const end = await turns.take(actor.tenantId);
  const now = Date.now();
  try {
    await inTenant(tx =>
      audit(tx, actor, {
        verb,
        subject: { type: 'guest-identity', name: `${form.address}${asked.port ? `:${asked.port}` : ''} ${time}` },
        locationId: actor.activeLocationId,
        after: { reason: form.reason, ...(asked.mac ? { mac: asked.mac } : {}) },
      }),
    );
    const limits: Limits = { bytes: budget.bytes, until: now + budget.ms, reached: false };
    const where = { app, inTenant, scope: actor.scope, tenantId: actor.tenantId };
    const matches: IdentityMatch[] = [];
    for (const moment of also === undefined ? [at] : [at, also])
      for (const it of await candidatesOf(where, { ...asked, at: moment }, limits))
        matches.push(describe(app.secrets, it, { at: moment, whole: may(actor, 'view-clients') }));
    const also_at = also === undefined ? null : new Date(also).toISOString();
    return {
      asked: { ...asked, at: time, also_at, time_zone: actor.timeZone },
      looked_up_at: new Date(now).toISOString(),
      complete: !limits.reached,
      matches: distinguish(matches),
    };
  } finally {
    end();
  }
}

const initials = (name: string): string => name.replace(/(\S)\S*/g, '$1***');
const ending = (text: string | null): string | null => text && `***${text.slice(-2)}`;

function guestOf(secrets: Secrets, { guest }: queries.SessionAt, whole: boolean): IdentityMatch['guest'] {
  if (!guest) return null;
  const open = (text: string | null) => (text === null ? null : (secrets.read(text) ?? null));
  const citizen_id = open(guest.citizen_id);
  if (whole) return { ...guest, citizen_id, birth_date: open(guest.birth_date) };
  const { id, provider_type, created_at } = guest;
  return {
    ...{ id, provider_type, created_at, name: initials(guest.name), phone: ending(guest.phone), email: null },
    ...{ username: null, room_number: null, citizen_id: ending(citizen_id), birth_date: null },
  };
}

const certainTies: readonly IdentityMatch['tie'][] = ['address', 'translation', 'lease'];

/** Nothing is certain when several guests match, as at two locations with one address plan or for a local time that exists twice. */
function distinguish(matches: IdentityMatch[]): IdentityMatch[] {
  const sessions = new Set(matches.filter(match => match.certain).map(({ session }) => session.id));
  return sessions.size < 2 ? matches : matches.map(match => ({ ...match, certain: false }));
}

function describe(
  secrets: Secrets,
  { tie, proof, session, lease, lines }: Candidate,
  { at, whole }: { at: number; whole: boolean },
): IdentityMatch {
  const exact = session.covers && isProven(proof);
  const { id, started_at, ended_at, client_mac, client_ip, upload, download } = session;
  return {
    tie,
    proof,
    asked_at: new Date(at).toISOString(),
    near: !session.covers,
    exact,
    certain: exact && certainTies.includes(tie) && isForgeryProof(proof),
    session: {
      ...{ id, started_at, ended_at, client_mac, client_ip, upload, download },
      user_name: whole ? session.user_name : '',
    },
    guest: guestOf(secrets, session, whole),
    consent: session.consent,
    location: session.location,
    device: session.device,
    lease: lease
      ? { source: 'dhcp', address: session.client_ip ?? '', at: new Date(lease.line.at).toISOString() }
      : client_ip && session.reported
        ? { source: 'accounting', address: client_ip, at: started_at }
        : null,
    lines: (lease ? [lease.line, ...lines] : lines)
      .map(it => ({
        at: new Date(it.at).toISOString(),
        type: it.type,
        text: Buffer.from(it.text, 'latin1').toString(),
        proof: lineProof(it),
      }))
      .sort((a, b) => (a.at < b.at ? -1 : 1)),
  };
}

/** The tenant's key for its reports; made when it is first asked for. */
export async function signingKey({ app, inTenant }: Pick<Call, 'app' | 'inTenant'>): Promise<CertifiedKey> {
  const find = () => inTenant(queries.findSigningKey);
  let kept = await find();
  // One that was kept under another SECRET_KEY signs nothing any more; what it signed carries its certificate.
  if (!kept || app.secrets.read(kept.private_key) === undefined) {
    const { name } = await inTenant(queries.tenantName);
    const { privateKey, certificate } = await makeSigningKey(name);
    await inTenant(tx =>
      queries.keepSigningKey(tx, { privateKey: app.secrets.encrypt(privateKey), certificate }, kept?.private_key),
    );
    kept = await find();
  }
  return { privateKey: app.secrets.decrypt(kept!.private_key), certificate: kept!.certificate };
}

export const tenantName = async ({ inTenant }: Pick<Call, 'inTenant'>): Promise<string> =>
  (await inTenant(queries.tenantName)).name;
