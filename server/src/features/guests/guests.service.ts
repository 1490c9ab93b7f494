import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatMac } from '@portico/contract/fields.ts';
import {
  type AgreementView,
  type GuestArrival,
  type GuestProblem,
  type GuestView,
  type OnlineView,
  type UsernameSignIn,
} from '@portico/contract/guests.ts';
import { createThrottle } from '#features/auth/public.ts';
import { encryptParams, hidden, insertFailedLogins, issueTicket } from '#features/sessions/public.ts';
import { recordAgent } from '#features/statistics/public.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { askAuthority, type Door } from './door.ts';
import { type GuestState, packState, unpackState } from './guest-state.ts';
import { type Frame, offeredMethods, pageLink, portalView, problemView, signInView } from './guest-views.ts';
import { findOnline, isFull, type PortalRow } from './guests.queries.ts';
import { formTarget, goOnAddress, logOutAddress, returnAddress, wayBack } from './return-address.ts';
import { problemOfRouter } from './router-words.ts';

/** What a guest gets: a page, or the way to somewhere else. */
export type GuestAnswer =
  | { readonly view: GuestView; readonly status: number; readonly formTarget?: string; readonly retryAfter?: number }
  | { readonly redirect: string };

export interface Guests {
  readonly app: App;
  readonly findDoor: (nas: string, guest: { mac: string; ip: string }) => Promise<Door | undefined>;
}

const wholeMac = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/;
const statuses: Partial<Record<GuestProblem, number>> = {
  unknown_device: 404,
  no_portal: 404,
  not_found: 404,
  broken: 500,
  away: 503,
};
const refusals = new Set<GuestProblem>([
  'blocked',
  'license_over',
  'hotspot_off',
  'expired',
  'not_yet',
  'over_limit',
  'over_quota',
]);
const statusOf = (problem: GuestProblem): number => statuses[problem] ?? (refusals.has(problem) ? 403 : 400);

interface Standing {
  readonly door: Door & { portal: PortalRow };
  readonly login: URL;
  readonly state: GuestState;
}

/** Everything that keeps a guest from even trying, or where it stands. */
async function approach(guests: Guests, frame: Frame, state: GuestState): Promise<Standing | { refused: GuestAnswer }> {
  const languageLink = pageLink(`/w/${state.nas}`, state);
  const door = await guests.findDoor(state.nas, state);
  const refuse = (problem: GuestProblem, retry: string | null = null) => ({
    refused: { view: problemView(frame, { problem, door, retry, languageLink }), status: statusOf(problem) },
  });
  if (!door) return refuse('unknown_device');
  if (!wholeMac.test(state.mac) || !state.login) return refuse('not_from_router');
  const login = returnAddress(state.login, door.hotspot_address);
  if (!login) return refuse('bad_return');
  if (door.refused) return refuse(door.refused, pageLink(`/w/${state.nas}`, state, `lang=${frame.language}`));
  if (!door.portal || !offeredMethods(door.portal).length) return refuse('no_portal');
  return { door: door as Standing['door'], login, state };
}

/** What a guest's page says of itself to its own next request. An address too long to carry is left behind. */
const stateOf = (nas: string, arrival: GuestArrival): GuestState => ({
  nas,
  mac: formatMac(arrival.mac),
  ip: arrival.ip.slice(0, 45),
  login: arrival.login,
  orig: arrival.orig.length > 600 ? '' : arrival.orig,
});

/** Where the router sends the guest once it is online: our page that says so. */
function onlineLink({ app }: Guests, { door, state }: Standing): string {
  const origin = app.settings.CAPTIVE_URL.replaceAll('{tenant}', door.tenant_slug).replace(/\/+$/, '');
  return `${origin}/w/${state.nas}/online?s=${packState(app.secrets, 'online', state)}`;
}

/** A guest comes from its router. */
export async function arrive(guests: Guests, frame: Frame, nas: string, arrival: GuestArrival): Promise<GuestAnswer> {
  const at = await approach(guests, frame, stateOf(nas, arrival));
  if ('refused' in at) return at.refused;
  const problem = problemOfRouter(arrival.error);
  // Had the router refused it a moment ago, sending it back again would never end.
  if (at.door.bypassed && !problem) return passThrough(guests, at);
  return signInPage(guests, frame, at, problem ? { problem } : undefined);
}

/** A device that needs no sign-in is let in under its own address. */
function passThrough(guests: Guests, at: Standing): GuestAnswer {
  const { mac } = at.state;
  return { redirect: wayBack(at.login, { username: mac, password: mac }, onlineLink(guests, at)) };
}

type Told = { readonly problem: GuestProblem; readonly values?: Record<string, string | number> };

function signInPage(guests: Guests, frame: Frame, at: Standing, told?: Told, username?: string): GuestAnswer {
  const view = signInView(frame, at.door, {
    nas: at.state.nas,
    state: packState(guests.app.secrets, 'sign-in', at.state),
    arrival: at.state,
    problem: told,
    typed: username === undefined ? {} : { username },
  });
  return { view, status: told && username !== undefined ? 422 : 200, formTarget: formTarget(at.login) };
}

// A venue's guests share one public address, so that one takes many failures; a device and a username take few.
const perAddress = createThrottle(300);
const perDevice = createThrottle(8);
const perUsername = createThrottle(20);

function throttles(at: Standing, address: string, username: string) {
  const keys = [
    [perAddress, address],
    [perDevice, `${at.door.device_id} ${at.state.mac} ${address}`],
    [perUsername, `${at.door.location_id} ${username.toLowerCase()}`],
  ] as const;
  return {
    check: () => keys.forEach(([throttle, key]) => throttle.check(key)),
    failed: () => keys.forEach(([throttle, key]) => throttle.failed(key)),
    succeeded: () => perDevice.succeeded(keys[1][1]),
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (typed: string, code: string): boolean =>
  timingSafeEqual(digest(typed.trim().toLowerCase()), digest(code.toLowerCase()));
let decoy: string | undefined;

/** In the same time whether there is such an account or not. */
function passwordIs(app: App, encrypted: string | null, typed: string): boolean {
  decoy ??= app.secrets.encrypt('no guest has this');
  const right = timingSafeEqual(digest(app.secrets.decrypt(encrypted ?? decoy)), digest(typed));
  return right && encrypted !== null;
}

/** A guest sends the form of the method `username`. */
export async function signIn(
  guests: Guests,
  frame: Frame,
  nas: string,
  form: UsernameSignIn,
  from: { readonly address: string; readonly userAgent: string },
): Promise<GuestAnswer> {
  const { app } = guests;
  const state = unpackState(app.secrets, 'sign-in', form.state);
  if (!state || state.nas !== nas) {
    return { view: problemView(frame, { problem: 'page_expired', languageLink: null }), status: 400 };
  }
  const at = await approach(guests, frame, state);
  if ('refused' in at) return at.refused;
  if (at.door.bypassed) return passThrough(guests, at);
  const method = offeredMethods(at.door.portal).find(it => it.slug === form.method);
  if (!method) return signInPage(guests, frame, at, { problem: 'page_expired' }, form.username);

  const throttle = throttles(at, from.address, form.username);
  try {
    throttle.check();
  } catch (error) {
    const seconds = Number((error as AppError).values['seconds']);
    const page = signInPage(guests, frame, at, { problem: 'too_many', values: { seconds } }, form.username);
    return { ...page, status: 429, retryAfter: seconds } as GuestAnswer;
  }

  const decision = await askAuthority(app, at.door, { ...state, username: form.username });
  const coded =
    !method.options.require_security_code || same(form.security_code ?? '', method.options.security_code ?? '');
  const proven = passwordIs(app, decision.password, form.password) && decision.outcome === 'check' && coded;
  const problem = proven ? await unwelcome(app, at, decision) : 'wrong_credentials';
  if (problem) {
    if (!proven) throttle.failed();
    await recordFailure(app, at, form, problem);
    return signInPage(guests, frame, at, { problem }, form.username);
  }
  throttle.succeeded();
  const dst = onlineLink(guests, at);
  const ticket = await app.db.withTenant(at.door.tenantId, async tx => {
    await recordAgent(tx, { locationId: at.door.location_id, deviceId: at.door.device_id, userAgent: from.userAgent });
    return issueTicket(tx, {
      locationId: at.door.location_id,
      deviceId: at.door.device_id,
      visitorId: decision.visitorId!,
      mac: state.mac,
      providerSlug: form.method,
      redirect: goOnAddress(state.orig) ?? '',
    });
  });
  return { redirect: wayBack(at.login, { username: ticket, password: ticket }, dst) };
}

/** Why a guest who proved itself is still not let in. */
async function unwelcome(
  app: App,
  at: Standing,
  decision: Awaited<ReturnType<typeof askAuthority>>,
): Promise<GuestProblem | null> {
  if (decision.reason !== null) return decision.reason as GuestProblem;
  const { most, visitorId } = decision;
  if (most === null || visitorId === null) return null;
  const full = await app.db.withTenant(at.door.tenantId, tx => isFull(tx, { visitorId, mac: at.state.mac, most }));
  return full ? 'over_limit' : null;
}

async function recordFailure(app: App, at: Standing, form: UsernameSignIn, reason: string): Promise<void> {
  const { state, door } = at;
  const row = {
    tenant_id: door.tenantId,
    location_id: door.location_id,
    device_id: door.device_id,
    client_mac: state.mac,
    client_ip: state.ip,
    provider_slug: form.method,
    params: encryptParams(app, { username: form.username, password: hidden }),
    reason,
  };
  await app.db.withTenant(door.tenantId, tx => insertFailedLogins(tx, [row]));
}

/** The router's report of a session is often a moment behind the guest whom it has just sent here. */
async function findSoon(app: App, door: Door, mac: string): ReturnType<typeof findOnline> {
  for (let tries = 1; ; tries += 1) {
    const session = await app.db.withTenant(door.tenantId, tx => findOnline(tx, door.device_id, mac));
    if (session || tries === 5) return session;
    await sleep(200);
  }
}

/** The page of a guest who is online, or about to be. */
export async function online(guests: Guests, frame: Frame, nas: string, packed: string): Promise<GuestAnswer> {
  const { app } = guests;
  const state = unpackState(app.secrets, 'online', packed);
  if (!state || state.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const door = await guests.findDoor(nas, state);
  if (!door) return { view: problemView(frame, { problem: 'unknown_device' }), status: 404 };
  const session = await findSoon(app, door, state.mac);
  const login = returnAddress(state.login, door.hotspot_address);
  const link = `/w/${nas}/online?s=${encodeURIComponent(packed)}`;
  const view: OnlineView = {
    page: 'online',
    language: frame.language,
    nonce: frame.nonce,
    script: frame.script,
    languageLink: `${link}&lang={lang}`,
    portal: door.portal && portalView(door.portal),
    locationName: door.location_name,
    online: session !== undefined,
    startedAt: session?.started_at ?? null,
    secondsUsed: session?.seconds ?? 0,
    secondsLeft: session?.seconds_left == null ? null : Math.max(0, session.seconds_left),
    bytesUsed: session?.bytes ?? 0,
    bytesLeft: session?.bytes_left ?? null,
    goOn: goOnAddress(state.orig),
    logOut: login ? logOutAddress(login) : null,
    refresh: link,
  };
  return { view, status: 200 };
}

/** An agreement of the portal that a guest stands before, in its language or else in the first it is written in. */
export async function agreement(
  guests: Guests,
  frame: Frame,
  nas: string,
  kind: 'kvkk' | 'general',
  arrival: GuestArrival,
): Promise<GuestAnswer> {
  const state = stateOf(nas, arrival);
  const door = await guests.findDoor(nas, state);
  const texts = door?.portal?.agreements[kind] ?? {};
  const html = texts[frame.language] || Object.values(texts).find(Boolean);
  if (!door?.portal || !html) return { view: problemView(frame, { problem: 'not_found', door }), status: 404 };
  const view: AgreementView = {
    page: 'agreement',
    language: frame.language,
    nonce: frame.nonce,
    script: frame.script,
    languageLink: pageLink(`/w/${nas}/agreement/${kind}`, state),
    portal: portalView(door.portal),
    locationName: door.location_name,
    kind,
    html,
    back: pageLink(`/w/${nas}`, state, `lang=${frame.language}`),
  };
  return { view, status: 200 };
}
