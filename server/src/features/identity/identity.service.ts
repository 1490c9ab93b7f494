import type { IdentityMatch, WhoWasIt, WhoWasItForm } from '@portico/contract/identity.ts';
import { audit } from '#features/audit/public.ts';
import { type Limits, momentOf } from '#features/logs/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { type CertifiedKey, makeSigningKey } from '#lib/certificates.ts';
import { offsetMs } from '#lib/moments.ts';
import type { Secrets } from '#lib/secrets.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import * as queries from './identity.queries.ts';
import { isProven, isUnforgeable, lineProof } from './proofs.ts';
import { type Candidate, candidatesOf } from './search.ts';

type Call = Context & { actor: Actor };

// Searching the logs is expensive: two searches at once in total, one per tenant.
const limit = createConcurrencyLimit({
  maxRunning: 2,
  maxWaiting: 4,
  maxWaitMs: 30_000,
  refusal: () => new AppError('away'),
});
const budget = { bytes: 1 << 30, ms: 25_000 };

const dayMs = 86_400_000;

/**
 * Converts a local time, or one with its own offset, to milliseconds since 1970. Returns two values for a local time that occurs
 * twice because clocks are set back.
 */
function momentsOf(text: string, timeZone: string): number[] {
  if (/(Z|[+-]\d{2}:\d{2})$/.test(text)) return [Date.parse(text.replace(' ', 'T'))];
  const local = text.replace(' ', 'T').padEnd(19, ':00').slice(0, 19);
  const asUtc = Date.parse(`${local}Z`);
  const moments = [asUtc - dayMs, asUtc + dayMs]
    .map(at => asUtc - offsetMs(at, timeZone))
    .filter((at, i, all) => all.indexOf(at) === i && at + offsetMs(at, timeZone) === asUtc);
  // A local time that clocks skip is read as the nearest one.
  return moments.length > 0 ? moments : [momentOf(local, timeZone)];
}

/** Finds the guest. The user and the reason are written to the audit log before the search. */
export async function whoWasIt(call: Call, form: WhoWasItForm, verb: 'look-up' | 'export'): Promise<WhoWasIt> {
  const { app, actor, inTenant } = call;
  const requestedAt = Date.now();
  // A year beyond the range of Date is NaN.
  const [at, second] = momentsOf(form.at, actor.timeZone).filter(moment => moment <= requestedAt);
  if (at === undefined) throw invalid({ at: 'future' });
  if (at < 0) throw invalid({ at: 'date' });
  const asked = { address: form.address, port: form.port ?? null, mac: form.mac ?? null, reason: form.reason };
  const time = new Date(at).toISOString();
  const release = await limit.take(actor.tenantId);
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
    const limits: Limits = { bytes: budget.bytes, until: steadyNow() + budget.ms, reached: false };
    const context = { app, inTenant, scope: actor.scope, tenantId: actor.tenantId };
    const matches: IdentityMatch[] = [];
    for (const moment of second === undefined ? [at] : [at, second])
      for (const it of await candidatesOf(context, { ...asked, at: moment }, limits))
        matches.push(describe(app.secrets, it, { at: moment, unmasked: may(actor, 'view-clients') }));
    const also_at = second === undefined ? null : new Date(second).toISOString();
    return {
      asked: { ...asked, at: time, also_at, time_zone: actor.timeZone },
      looked_up_at: new Date(now).toISOString(),
      complete: !limits.reached,
      matches: withoutAmbiguous(matches),
    };
  } finally {
    release();
  }
}

const maskName = (name: string): string => name.replace(/(\S)\S*/g, '$1***');
const maskNumber = (text: string | null): string | null => text && `***${text.slice(-2)}`;

function guestOf(secrets: Secrets, { guest }: queries.SessionAt, unmasked: boolean): IdentityMatch['guest'] {
  if (!guest) return null;
  const decrypt = (text: string | null) => (text === null ? null : (secrets.read(text) ?? null));
  const citizen_id = decrypt(guest.citizen_id);
  if (unmasked) return { ...guest, citizen_id, birth_date: decrypt(guest.birth_date) };
  const { id, provider_type, created_at } = guest;
  return {
    ...{ id, provider_type, created_at, name: maskName(guest.name), phone: maskNumber(guest.phone), email: null },
    ...{ username: null, room_number: null, citizen_id: maskNumber(citizen_id), birth_date: null },
  };
}

/** Whether the lines that lead to the guest were read with the words of their brand. Another brand may end a line with a guest's words. */
const wasReadSurely = ({ tie, lease, lines }: Candidate): boolean =>
  tie === 'address' || (tie === 'lease' ? lease?.line : lines[0])?.brand !== undefined;

const certainTies: readonly IdentityMatch['tie'][] = ['address', 'translation', 'lease'];

/** If several guests match, no match is certain. Two locations may use the same addresses, and a local time may occur twice. */
function withoutAmbiguous(matches: IdentityMatch[]): IdentityMatch[] {
  const sessions = new Set(matches.filter(match => match.certain).map(({ session }) => session.id));
  return sessions.size < 2 ? matches : matches.map(match => ({ ...match, certain: false }));
}

function describe(
  secrets: Secrets,
  candidate: Candidate,
  { at, unmasked }: { at: number; unmasked: boolean },
): IdentityMatch {
  const { tie, proof, session, lease, lines } = candidate;
  const exact = session.covers && isProven(proof);
  const { id, started_at, ended_at, client_mac, client_ip, ipv6, upload, download } = session;
  return {
    tie,
    proof,
    asked_at: new Date(at).toISOString(),
    near: !session.covers,
    exact,
    certain: exact && certainTies.includes(tie) && isUnforgeable(proof) && wasReadSurely(candidate),
    session: {
      ...{ id, started_at, ended_at, client_mac, client_ip, ipv6, upload, download },
      figures_reported: session.reported || upload + download > 0,
      user_name: unmasked ? session.user_name : '',
    },
    guest: guestOf(secrets, session, unmasked),
    consent: session.consent,
    location: session.location,
    device: session.device,
    lease: lease
      ? { source: 'dhcp', address: session.client_ip ?? '', at: new Date(lease.line.at).toISOString() }
      : client_ip && session.reported
        ? { source: 'accounting', address: client_ip, at: session.address_at }
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

/** The tenant's key for its reports. It is created when it is first needed. */
export async function signingKey({ app, inTenant }: Pick<Call, 'app' | 'inTenant'>): Promise<CertifiedKey> {
  const find = () => inTenant(queries.findSigningKey);
  let stored = await find();
  // A key that was encrypted with another SECRET_KEY is replaced. Older reports contain their own certificate.
  if (!stored || app.secrets.read(stored.private_key) === undefined) {
    const { name } = await inTenant(queries.tenantName);
    const { privateKey, certificate } = await makeSigningKey(name);
    await inTenant(tx =>
      queries.storeSigningKey(tx, { privateKey: app.secrets.encrypt(privateKey), certificate }, stored?.private_key),
    );
    stored = await find();
  }
  return { privateKey: app.secrets.decrypt(stored!.private_key), certificate: stored!.certificate };
}

export const tenantName = async ({ inTenant }: Pick<Call, 'inTenant'>): Promise<string> =>
  (await inTenant(queries.tenantName)).name;
