import { type GuestArrival, guestSignIn } from '@portico/contract/guest-forms.ts';
import type { PassView } from '@portico/contract/guests.ts';
import type { FastifyRequest } from 'fastify';
import { isPassOf, readPass } from '#lib/guest-pass.ts';
import type { From } from '../client-info.ts';
import { packState } from '../guest-state.ts';
import { type Frame, offeredMethods, portalView, problemView } from '../guest-views.ts';
import { signIn } from '../sign-in/sign-in.service.ts';
import { routerPage } from './addresses.ts';
import { nameDevice } from './anonymous-device.ts';
import { approach, type GuestAnswer, type Guests, stateOf, statusOf } from './check-arrival.ts';
import { findPass, type PassRow } from './pass.queries.ts';

const cookie = 'portico_pass';
// As long as it takes to join a network and press a button.
const keptSeconds = 900;

/** Any page of the internet without TLS: the router of a guest who is not signed in answers it in place of that site. */
const plainPage = 'http://neverssl.com/';

const cookieOf = (request: FastifyRequest, value: string, maxAge: number): string =>
  `${cookie}=${value}; Path=/w; Max-Age=${maxAge}; SameSite=Lax; HttpOnly${request.protocol === 'https' ? '; Secure' : ''}`;

/** Forgets the pass of this browser. */
export const dropPass = (request: FastifyRequest): string => cookieOf(request, '', 0);

/** The pass that this browser came with a moment ago. */
export const passOf = (request: FastifyRequest): string =>
  /(?:^|;\s*)portico_pass=([\w-]{64})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? '';

async function open(guests: Guests, text: string, address: string) {
  const { secrets, db } = guests.app;
  const holder = readPass(text);
  const row = holder && (await db.readTenant(holder.tenantId, tx => findPass(tx, holder.visitorId, address)));
  if (!row) return undefined;
  const password = secrets.read(row.password);
  if (password === undefined) return undefined;
  return isPassOf(secrets, text, holder, password) ? { ...row, tenantId: holder.tenantId, password } : undefined;
}

/** The page behind the QR code of a card: it leads through the router, which alone knows whose device this is. */
export async function showPass(
  guests: Guests,
  frame: Frame,
  text: string,
  request: FastifyRequest,
): Promise<{ answer: GuestAnswer; cookie?: string }> {
  const pass = await open(guests, text, request.ip);
  const languageLink = `/q/${text}?lang={lang}`;
  if (!pass) return { answer: { view: problemView(frame, { problem: 'pass_over' }), status: 404 } };
  const shown = { ...problemView(frame, { problem: 'pass_over', languageLink }), locationName: pass.location_name };
  if (pass.problem) return { answer: { view: { ...shown, problem: pass.problem }, status: statusOf(pass.problem) } };
  if (!pass.portal || !takesPasses(guests, pass))
    return { answer: { view: { ...shown, problem: 'no_portal' }, status: statusOf('no_portal') } };
  const view: PassView = {
    page: 'pass',
    language: frame.language,
    nonce: frame.nonce,
    script: frame.script,
    languageLink,
    portal: portalView(pass.portal),
    locationName: pass.location_name,
    connect: (pass.router && routerPage(pass.router.brand, pass.router.hotspot_address)) ?? plainPage,
  };
  return { answer: { view, status: 200 }, cookie: cookieOf(request, text, keptSeconds) };
}

const takesPasses = ({ app }: Guests, { portal }: Pick<PassRow, 'portal'>): boolean =>
  portal !== null && offeredMethods(portal, app.settings).some(it => it.slug === 'username');

/**
 * A guest with a pass comes from its router: signed in at once, or shown the form filled in where something else is asked for.
 * Undefined where the pass is of no use here: then the page is the usual one.
 */
export async function arriveWithPass(
  guests: Guests,
  frame: Frame,
  arrival: GuestArrival,
  { nas, text, from }: { nas: string; text: string; from: From },
): Promise<GuestAnswer | undefined> {
  const pass = await open(guests, text, from.address);
  if (!pass || pass.problem) return undefined;
  const approached = await approach(guests, frame, stateOf(nas, arrival));
  if ('refused' in approached) return undefined;
  const { at } = await nameDevice(guests.app, approached, from);
  if (at.door.bypassed) return undefined;
  const { door } = at;
  if (door.tenantId !== pass.tenantId || door.location_id !== pass.location_id || !takesPasses(guests, door))
    return undefined;
  const { username, password } = pass;
  const state = packState(guests.app.secrets, 'sign-in', at.state);
  const form = guestSignIn.parse({ method: 'username', state, username, password, lang: frame.language });
  const answer = await signIn(guests, frame, nas, form, from);
  if (!('view' in answer) || answer.view.page !== 'sign-in') return answer;
  const { view } = answer;
  // What is asked for besides has not been refused: it was not asked yet.
  const asked = view.problem === 'agree_first' || view.problem === 'missing' || view.problem === 'wrong_security_code';
  const filled = { ...view, values: { ...view.values, username, password } };
  return asked
    ? { ...answer, status: 200, view: { ...filled, chosen: 'username', problem: null, wrong: [] } }
    : { ...answer, view: filled };
}
