import { type GuestArrival, guestSocialForm } from '@portico/contract/guest-forms.ts';
import type { FastifyRequest } from 'fastify';
import { beginSocial, finishSocial } from '#features/integrations/public.ts';
import { insertBySubject } from '#features/visitors/public.ts';
import { newId } from '#lib/ids.ts';
import type { Checks } from '#lib/openid.ts';
import { plainHttpPage, routerPath } from '../arrival/addresses.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import { visitOf } from '../arrival/read-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { unpackState, type Visit } from '../guest-state.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { type KeptPage, keptPageOf } from '../kept-page.ts';
import { admitGuest } from '../sign-in/admit.service.ts';
import { findBySubject } from '../sign-in/guest-visitors.queries.ts';
import { passThrough } from '../sign-in/hand-over.service.ts';
import { type Allowed, allowedBy, hasAccepted, tickedIn } from '../sign-in/marketing.ts';
import { refusalMessage } from '../sign-in/refusal-values.ts';
import { signInPage } from '../sign-in/sign-in-page.ts';

const cookie = 'portico_social';
const cookieSeconds = 900;

/** An OpenID sign-in in progress. It is in a cookie, so that the provider's answer works in this browser only. */
interface SocialAttempt {
  readonly state: Visit;
  readonly integrationId: string;
  readonly checks: Checks;
  readonly agree: string;
  readonly allowed?: readonly Allowed[];
  readonly at: number;
}

const cookieOf = (request: FastifyRequest, value: string, maxAge: number): string =>
  `${cookie}=${value}; Path=/sign-in/callback; Max-Age=${maxAge}; SameSite=Lax; HttpOnly${request.protocol === 'https' ? '; Secure' : ''}`;

const attemptIn = ({ app }: GuestServices, request: FastifyRequest): SocialAttempt | undefined => {
  const text = /(?:^|;\s*)portico_social=([\w-]+)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1];
  if (!text) return undefined;
  try {
    const plain = app.secrets.decrypt(Buffer.from(text, 'base64url').toString('base64'));
    const attempt = JSON.parse(plain) as SocialAttempt;
    return Date.now() - attempt.at < cookieSeconds * 1000 ? attempt : undefined;
  } catch {
    // The cookie is forged, or encrypted with another key.
    return undefined;
  }
};

interface Reply {
  readonly answer: GuestAnswer;
  readonly cookie?: string;
}

const placeOf = ({ context }: GuestRequest, integrationId: string) => ({
  tenantId: context.tenantId,
  slug: context.tenant_slug,
  locationId: context.location_id,
  integrationId,
});

/** Starts the sign-in with an account at an OpenID provider. */
export async function leaveForSocial(
  services: GuestServices,
  frame: Frame,
  nas: string,
  httpRequest: FastifyRequest,
): Promise<Reply> {
  const { secrets } = services.app;
  const form = guestSocialForm.safeParse(httpRequest.body ?? {});
  const state = form.success ? unpackState(secrets, 'sign-in', form.data.state) : undefined;
  if (!form.success || !state || state.visit.nas !== nas)
    return { answer: { view: problemView(frame, { problem: 'page_expired' }), status: 400 } };
  const { visit } = state;
  const request = await checkArrival(services, frame, visit);
  if ('refused' in request) return { answer: request.refused };
  const { context } = request;
  if (context.bypassed) return { answer: await passThrough(services, frame, request) };
  const { provider, agree } = form.data;
  const chosen = context.social.find(it => it.id === provider);
  if (!chosen) return { answer: signInPage(services, frame, request, { problem: 'page_expired' }, { status: 400 }) };
  if (!hasAccepted(form.data, context.portal)) {
    const ticked = tickedIn(form.data, context.portal, frame.language);
    return { answer: signInPage(services, frame, request, { problem: 'agree_first', ticked }, { status: 422 }) };
  }
  const allowed = allowedBy(form.data, context.portal, frame.language).filter(it => it.channel === 'email');
  const begun = await beginSocial(services.app, placeOf(request, provider));
  if (!begun) return { answer: signInPage(services, frame, request, { problem: 'social_failed' }, { status: 502 }) };
  const attempt: SocialAttempt = {
    state: visit,
    integrationId: provider,
    checks: begun.checks,
    agree,
    allowed,
    at: Date.now(),
  };
  const packed = Buffer.from(secrets.encrypt(JSON.stringify(attempt)), 'base64').toString('base64url');
  // The link is on a page of its own, because form-action would have to allow every host that the provider redirects to.
  const away = { provider: chosen.label, href: begun.url };
  const path = `/w/${nas}/social`;
  const address = {
    // A browser that refuses cookies gets no further, and needs the way back.
    path: frame.takesCookies ? `${path}?` : pageLink(path, { ...visit, orig: '' }, ''),
    kept: { mac: visit.mac, away },
  };
  const answer = { ...awayPage(frame, context, away), address };
  return { answer, cookie: cookieOf(httpRequest, packed, cookieSeconds) };
}

const awayPage = (frame: Frame, context: GuestContext, away: NonNullable<KeptPage['away']>) => ({
  view: { ...problemView(frame, { problem: 'social_failed', context }), page: 'away' as const, ...away },
  status: 200,
});

/** The page with the link to the provider. The provider's answer is only taken from the browser that has the cookie. */
export async function awayAgain(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
  arrival: GuestArrival,
): Promise<GuestAnswer> {
  const { away, mac = '' } = keptPageOf(services.app, nas, client) ?? {};
  const visit = visitOf(nas, arrival);
  const context = await services.findContext(nas, away ? { mac, ip: '' } : visit);
  if (away && context) return awayPage(frame, context, away);
  const problem = visit.login && !frame.takesCookies ? 'no_cookies' : 'page_expired';
  const form = visit.login ? pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`) : routerPath(nas);
  const languageLink = pageLink(`/w/${nas}/social`, visit);
  return { view: problemView(frame, { problem, context, form: context ? form : null, languageLink }), status: 400 };
}

/** Finishes the sign-in of a guest who comes back from the provider. */
export async function returnFromSocial(
  services: GuestServices,
  frame: Frame,
  httpRequest: FastifyRequest,
  client: ClientInfo,
): Promise<Reply> {
  const { db } = services.app;
  const attempt = attemptIn(services, httpRequest);
  const noCookie = cookieOf(httpRequest, '', 0);
  if (!attempt) {
    // The router, which is not known here, answers any plain page with a new sign-in page.
    const view = problemView(frame, { problem: 'page_expired', retry: plainHttpPage });
    return { answer: { view, status: 400 }, cookie: noCookie };
  }
  const request = await checkArrival(services, frame, attempt.state);
  if ('refused' in request) return { answer: request.refused, cookie: noCookie };
  const { context } = request;
  const { integrationId, checks, agree, allowed } = attempt;
  const query = httpRequest.url.split('?', 2)[1] ?? '';
  const person = await finishSocial(services.app, placeOf(request, integrationId), query, checks);
  if (!person) {
    const answer = signInPage(services, frame, request, { problem: 'social_failed' }, { status: 422 });
    return { answer, cookie: noCookie };
  }
  const visitorId = await db.withTenant(context.tenantId, async tx => {
    const { location_id: locationId, device_id: deviceId } = context;
    const find = () => findBySubject(tx, locationId, integrationId, person.externalId);
    const known = await find();
    if (known) return known.id;
    await insertBySubject(tx, newId(), { ...person, integrationId, locationId, deviceId });
    return (await find())!.id;
  });
  const problem = await services.refusalFor(request, visitorId);
  if (problem) {
    const refusal = await refusalMessage(services.app, context, visitorId, problem);
    return { answer: signInPage(services, frame, request, refusal, { status: 422 }), cookie: noCookie };
  }
  // An OpenID account counts as a guest with an e-mail address.
  const guest = { slug: 'email' as const, visitorId, email: person.email, phone: null, agreed: agree || null, allowed };
  return { answer: await admitGuest(services, frame, request, guest, client), cookie: noCookie };
}
