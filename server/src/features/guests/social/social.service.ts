import { guestSocialForm } from '@portico/contract/guest-forms.ts';
import type { FastifyRequest } from 'fastify';
import { beginSocial, type Checks, finishSocial } from '#features/integrations/public.ts';
import { insertBySubject } from '#features/visitors/public.ts';
import { newId } from '#lib/ids.ts';
import { approach, type GuestAnswer, type Guests, type Standing, signInPage } from '../arrival/check-arrival.ts';
import type { From } from '../client-info.ts';
import { type GuestState, unpackState } from '../guest-state.ts';
import { type Frame, problemView } from '../guest-views.ts';
import { letIn } from '../sign-in/admit.service.ts';
import { agreementVersion } from '../sign-in/consents.queries.ts';
import { findBySubject } from '../sign-in/guest-visitors.queries.ts';
import { passThrough } from '../sign-in/hand-over.service.ts';
import { unwelcome } from '../sign-in/sign-in.service.ts';

const cookie = 'portico_social';
const keptSeconds = 900;

/** What a guest takes along to the provider: in a cookie of its own browser, so that an answer is good for nobody else. */
interface Trip {
  readonly state: GuestState;
  readonly integrationId: string;
  readonly checks: Checks;
  readonly agree: string;
  readonly at: number;
}

const cookieOf = (request: FastifyRequest, value: string, maxAge: number): string =>
  `${cookie}=${value}; Path=/sign-in/callback; Max-Age=${maxAge}; SameSite=Lax; HttpOnly${request.protocol === 'https' ? '; Secure' : ''}`;

const tripOf = ({ app }: Guests, request: FastifyRequest): Trip | undefined => {
  const text = /(?:^|;\s*)portico_social=([\w-]+)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1];
  if (!text) return undefined;
  try {
    const trip = JSON.parse(app.secrets.decrypt(Buffer.from(text, 'base64url').toString('base64'))) as Trip;
    return Date.now() - trip.at < keptSeconds * 1000 ? trip : undefined;
  } catch {
    // Not ours, or of another key.
    return undefined;
  }
};

interface Reply {
  readonly answer: GuestAnswer;
  readonly cookie?: string;
}

const placeOf = ({ door }: Standing, integrationId: string) => ({
  tenantId: door.tenantId,
  slug: door.tenant_slug,
  locationId: door.location_id,
  integrationId,
});

/** A guest chooses to sign in with an account elsewhere. */
export async function leaveForSocial(
  guests: Guests,
  frame: Frame,
  nas: string,
  request: FastifyRequest,
): Promise<Reply> {
  const form = guestSocialForm.safeParse(request.body ?? {});
  const state = form.success ? unpackState(guests.app.secrets, 'sign-in', form.data.state) : undefined;
  if (!form.success || !state || state.nas !== nas)
    return { answer: { view: problemView(frame, { problem: 'page_expired' }), status: 400 } };
  const at = await approach(guests, frame, state);
  if ('refused' in at) return { answer: at.refused };
  if (at.door.bypassed) return { answer: await passThrough(guests, frame, at) };
  const { provider, agree } = form.data;
  const chosen = at.door.social.find(it => it.id === provider);
  if (!chosen) return { answer: await signInPage(guests, frame, at, { problem: 'page_expired' }, 400) };
  const version = agreementVersion(at.door.portal);
  if (version && agree !== version)
    return { answer: await signInPage(guests, frame, at, { problem: 'agree_first' }, 422) };
  const begun = await beginSocial(guests.app, placeOf(at, provider));
  if (!begun) return { answer: await signInPage(guests, frame, at, { problem: 'social_failed' }, 502) };
  const trip: Trip = { state, integrationId: provider, checks: begun.checks, agree, at: Date.now() };
  const packed = Buffer.from(guests.app.secrets.encrypt(JSON.stringify(trip)), 'base64').toString('base64url');
  const { door } = at;
  // A page in between: a form may not lead to hosts that only the provider knows.
  const view = {
    ...problemView(frame, { problem: 'social_failed', door }),
    page: 'away' as const,
    provider: chosen.label,
    href: begun.url,
  };
  return { answer: { view, status: 200 }, cookie: cookieOf(request, packed, keptSeconds) };
}

/** A guest comes back from the provider. */
export async function returnFromSocial(
  guests: Guests,
  frame: Frame,
  request: FastifyRequest,
  from: From,
): Promise<Reply> {
  const trip = tripOf(guests, request);
  const over = cookieOf(request, '', 0);
  if (!trip) return { answer: { view: problemView(frame, { problem: 'page_expired' }), status: 400 }, cookie: over };
  const at = await approach(guests, frame, trip.state);
  if ('refused' in at) return { answer: at.refused, cookie: over };
  const query = request.url.split('?', 2)[1] ?? '';
  const person = await finishSocial(guests.app, placeOf(at, trip.integrationId), query, trip.checks);
  if (!person) return { answer: await signInPage(guests, frame, at, { problem: 'social_failed' }, 422), cookie: over };
  const { door } = at;
  const visitorId = await guests.app.db.withTenant(door.tenantId, async tx => {
    const known = await findBySubject(tx, trip.integrationId, person.externalId);
    if (known) return known.id;
    const of = { ...person, integrationId: trip.integrationId, locationId: door.location_id, deviceId: door.device_id };
    await insertBySubject(tx, newId(), of);
    return (await findBySubject(tx, trip.integrationId, person.externalId))!.id;
  });
  const problem = await unwelcome(guests.app, at, visitorId);
  if (problem) return { answer: await signInPage(guests, frame, at, { problem }, 422), cookie: over };
  // To the product an account elsewhere is a guest with an e-mail address.
  const who = { slug: 'email' as const, visitorId, email: person.email, phone: null, agreed: trip.agree || null };
  return { answer: await letIn(guests, frame, at, who, from), cookie: over };
}
