import type { IdentityMatch, WhoWasIt, WhoWasItForm } from '@portico/contract/identity.ts';
import { audit } from '#features/audit/public.ts';
import { type Limits, momentOf } from '#features/logs/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { type CertifiedKey, makeSigningKey } from '#lib/certificates.ts';
import type { Secrets } from '#lib/secrets.ts';
import * as queries from './identity.queries.ts';
import { type Candidate, candidatesOf } from './search.ts';
import { createTurns } from './turns.ts';

type Call = Context & { actor: Actor };

// Reading the record is heavy: a few at once for everyone, one at a time for each tenant.
const turns = createTurns({ atOnce: 2, waiting: 4, waitMs: 30_000, refusal: () => new AppError('away') });
const budget = { bytes: 1 << 30, ms: 25_000 };

/** A local time of a zone, or one that names its own offset, in milliseconds since 1970. */
const instantOf = (text: string, timeZone: string): number =>
  /(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? Date.parse(text.replace(' ', 'T'))
    : momentOf(text.replace(' ', 'T').padEnd(19, ':00').slice(0, 19), timeZone);

/** Answers which guest it was. That it was asked, by whom and why, is kept before anything is looked up. */
export async function whoWasIt(call: Call, form: WhoWasItForm, verb: 'look-up' | 'export'): Promise<WhoWasIt> {
  const { app, actor, inTenant } = call;
  const asksAt = Date.now();
  const at = instantOf(form.at, actor.timeZone);
  // A year that clocks here cannot show is no number.
  if (!(at <= asksAt)) throw invalid({ at: 'future' });
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
    const candidates = await candidatesOf(
      { app, inTenant, scope: actor.scope, tenantId: actor.tenantId },
      { ...asked, at },
      limits,
    );
    return {
      asked: { ...asked, at: time, time_zone: actor.timeZone },
      looked_up_at: new Date(now).toISOString(),
      complete: !limits.reached,
      matches: candidates.map(it => describe(app.secrets, it, may(actor, 'view-clients'))),
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

function describe(secrets: Secrets, { tie, session, lease, lines }: Candidate, whole: boolean): IdentityMatch {
  const { id, started_at, ended_at, client_mac, client_ip, upload, download } = session;
  return {
    tie,
    exact: session.exact,
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
      : client_ip && { source: 'accounting', address: client_ip, at: started_at },
    lines: (lease ? [lease.line, ...lines] : lines)
      .map(it => ({
        at: new Date(it.at).toISOString(),
        type: it.type,
        text: Buffer.from(it.text, 'latin1').toString(),
      }))
      .sort((a, b) => (a.at < b.at ? -1 : 1)),
  } as IdentityMatch;
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
