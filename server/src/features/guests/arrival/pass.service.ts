import { type GuestArrival, guestSignIn } from '@portico/contract/guest-forms.ts';
import type { PassView } from '@portico/contract/guests.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import type { FastifyRequest } from 'fastify';
import { isPassOf, readPass } from '#lib/guest-pass.ts';
import { clearPassword } from '#lib/guest-password.ts';
import { isVoucherPassOf, readVoucherPass } from '#lib/voucher-pass.ts';
import { driverOf } from '#routers/drivers.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestServices } from '../guest-services.ts';
import { packState } from '../guest-state.ts';
import { common, type Frame, offeredMethods, portalView, problemView } from '../guest-views.ts';
import { beginOf } from '../sign-in/refusal-values.ts';
import { signIn } from '../sign-in/sign-in.service.ts';
import { plainHttpPage } from './addresses.ts';
import { identifyDevice } from './anonymous-device.ts';
import { checkArrival } from './check-arrival.ts';
import { findPass, findVoucherPass, type PassRow } from './pass.queries.ts';
import { visitOf } from './read-arrival.ts';

const cookie = 'portico_pass';
/** Enough time to join the network and press a button. */
const cookieSeconds = 900;

const cookieOf = (request: FastifyRequest, value: string, maxAge: number): string =>
  `${cookie}=${value}; Path=/w; Max-Age=${maxAge}; SameSite=Lax; HttpOnly${request.protocol === 'https' ? '; Secure' : ''}`;

/** The Set-Cookie header that removes a pass. */
export const dropPass = (request: FastifyRequest): string => cookieOf(request, '', 0);

/** The pass in the browser's cookie; empty without one. */
export const passOf = (request: FastifyRequest): string =>
  /(?:^|;\s*)portico_pass=([\w-]{64,65})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? '';

/** A pass that we wrote: the method that it signs in with, and what it types into the form. */
interface OpenPass extends PassRow {
  readonly tenantId: string;
  readonly slug: ProviderSlug;
  readonly typed: Readonly<Record<string, string>>;
}

async function openPass(services: GuestServices, text: string, address: string): Promise<OpenPass | undefined> {
  if (text.length === 65) return openVoucherPass(services, text, address);
  const { secrets, db } = services.app;
  const holder = readPass(text);
  const row = holder && (await db.readTenant(holder.tenantId, tx => findPass(tx, holder.visitorId, address)));
  if (!row) return undefined;
  const { username, password: encrypted, ...pass } = row;
  const password = clearPassword(secrets, encrypted);
  if (password === undefined || !isPassOf(secrets, text, holder, password)) return undefined;
  return { ...pass, tenantId: holder.tenantId, slug: 'username', typed: { username, password } };
}

async function openVoucherPass(services: GuestServices, text: string, address: string): Promise<OpenPass | undefined> {
  const { secrets, db } = services.app;
  const holder = readVoucherPass(text);
  const row = holder && (await db.readTenant(holder.tenantId, tx => findVoucherPass(tx, holder.voucherId, address)));
  if (!row) return undefined;
  const { code: encrypted, ...pass } = row;
  const code = secrets.read(encrypted);
  if (code === undefined || !isVoucherPassOf(secrets, text, holder, code)) return undefined;
  return { ...pass, tenantId: holder.tenantId, slug: 'voucher', typed: { voucher: code } };
}

/** The page behind the QR code of a visitor's card or of a voucher. It leads through the router, which alone knows the guest's device. */
export async function showPass(
  services: GuestServices,
  frame: Frame,
  text: string,
  request: FastifyRequest,
): Promise<{ answer: GuestAnswer; cookie?: string }> {
  const pass = await openPass(services, text, request.ip);
  const languageLink = `/q/${text}?lang={lang}`;
  if (!pass) return { answer: { view: problemView(frame, { problem: 'pass_over', languageLink }), status: 404 } };
  const shown = { ...problemView(frame, { problem: 'pass_over', languageLink }), locationName: pass.location_name };
  if (pass.problem) {
    const view = { ...shown, problem: pass.problem, problemValues: pass.problem === 'not_yet' ? beginOf(pass) : {} };
    return { answer: { view, status: statusOf(pass.problem) } };
  }
  if (!pass.portal || !offers(services, pass, pass.slug))
    return { answer: { view: { ...shown, problem: 'no_portal' }, status: statusOf('no_portal') } };
  const view: PassView = {
    page: 'pass',
    ...common(frame),
    languageLink,
    portal: portalView(pass.portal),
    locationName: pass.location_name,
    connect: (pass.router && driverOf(pass.router.brand).signInPage(pass.router)) ?? plainHttpPage,
  };
  return { answer: { view, status: 200 }, cookie: cookieOf(request, text, cookieSeconds) };
}

const offers = ({ app }: GuestServices, { portal }: Pick<PassRow, 'portal'>, slug: ProviderSlug): boolean =>
  portal !== null && offeredMethods(portal, app.settings).some(it => it.slug === slug);

/**
 * Signs a guest with a pass in when its router sends it. If the portal asks for more, the form is shown filled in. Returns
 * undefined if the pass is not valid here; the guest then gets the usual page.
 */
export async function arriveWithPass(
  services: GuestServices,
  frame: Frame,
  arrival: GuestArrival,
  { nas, text, client }: { nas: string; text: string; client: ClientInfo },
): Promise<GuestAnswer | undefined> {
  const pass = await openPass(services, text, client.address);
  if (!pass || pass.problem) return undefined;
  const checked = await checkArrival(services, frame, visitOf(nas, arrival));
  if ('refused' in checked) return undefined;
  const { request } = await identifyDevice(services.app, checked, client);
  const { context, visit } = request;
  if (context.bypassed) return undefined;
  if (
    context.tenantId !== pass.tenantId ||
    context.location_id !== pass.location_id ||
    !offers(services, context, pass.slug)
  )
    return undefined;
  const { slug, typed } = pass;
  const state = packState(services.app.secrets, { step: 'sign-in', visit });
  const form = guestSignIn.parse({ method: slug, state, ...typed, lang: frame.language });
  const answer = await signIn(services, frame, nas, form, client);
  if (!('view' in answer) || answer.view.page !== 'sign-in') return answer;
  const { view } = answer;
  // These fields were never asked for, so the page must not report them as wrong.
  const asksForMore =
    view.problem === 'agree_first' || view.problem === 'missing' || view.problem === 'wrong_security_code';
  const filled = { ...view, values: { ...view.values, ...typed } };
  return asksForMore
    ? { ...answer, status: 200, view: { ...filled, chosen: slug, problem: null, wrong: [] } }
    : { ...answer, view: filled };
}
