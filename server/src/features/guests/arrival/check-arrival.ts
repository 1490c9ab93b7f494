import { formatMac } from '@portico/contract/fields.ts';
import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import { type GuestProblem, ownPageProblems } from '@portico/contract/guest-problems.ts';
import type { GuestView, SignInView } from '@portico/contract/guests.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import type { Door } from '../guest-context.ts';
import { type GuestState, packState } from '../guest-state.ts';
import { arrivalQuery, type Frame, offeredMethods, pageLink, problemView, signInView } from '../guest-views.ts';
import { chooseAd, type Showing } from '../surveys/advertisements.ts';
import { formTargets, returnAddress, routerPage } from './addresses.ts';
import { isOfDevice } from './of-device.ts';

/** What a guest gets: a page, or the way to somewhere else. */
export type GuestAnswer =
  | {
      readonly template: Template;
      readonly status: number;
      readonly formTarget?: string;
      readonly remembering?: Remembering | undefined;
      readonly showing?: Showing;
    }
  | {
      readonly view: GuestView;
      readonly status: number;
      readonly formTarget?: string;
      readonly retryAfter?: number;
      readonly remembering?: Remembering | undefined;
      /** An advertisement stands on it. */
      readonly showing?: Showing;
    }
  | { readonly redirect: string; readonly remembering?: Remembering | undefined };

/** A page that differs between guests in what is filled in only: it is drawn once (presses.ts). */
export interface Template {
  /** The revision of the portal's content. */
  readonly content: string;
  readonly view: (frame: Pick<Frame, 'nonce'>, marks: Omit<Fills, 'nonce'>) => SignInView;
  readonly fills: Omit<Fills, 'nonce'>;
}
export interface Fills {
  readonly nonce: string;
  readonly nas: string;
  readonly query: string;
  readonly state: string;
}

/** A cookie for the guest's browser. */
export interface Remembering {
  readonly name: string;
  /** Empty: forget it. */
  readonly value: string;
  readonly seconds: number;
}

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
  'paused',
  'license_over',
  'hotspot_off',
  'expired',
  'not_yet',
  'over_limit',
  'over_quota',
]);
/** The status of a page that tells why a guest is not online. */
export const statusOf = (problem: GuestProblem): number => statuses[problem] ?? (refusals.has(problem) ? 403 : 400);

/** A guest before a portal that it may sign in at. */
export interface Standing {
  readonly door: Door & { portal: PortalRow };
  readonly login: URL;
  readonly state: GuestState;
}

/** Everything that keeps a guest from even trying, or where it stands. */
export async function approach(
  guests: Guests,
  frame: Frame,
  state: GuestState,
): Promise<Standing | { refused: GuestAnswer }> {
  const languageLink = pageLink(`/w/${state.nas}`, state);
  const door = await guests.findDoor(state.nas, state);
  const refuse = (problem: GuestProblem, retry: string | null = null) => ({
    refused: { view: problemView(frame, { problem, door, retry, languageLink }), status: statusOf(problem) },
  });
  if (!door) return refuse('unknown_device');
  if ((!wholeMac.test(state.mac) && door.brand !== 'sophos') || !state.login) {
    return refuse('not_from_router', routerPage(door.brand, door.hotspot_address));
  }
  const login = returnAddress(state.login, door.hotspot_address);
  if (!login) return refuse('bad_return');
  if (!isOfDevice(door, login, state.mac)) return refuse('not_from_router');
  if (door.refused) return refuse(door.refused, pageLink(`/w/${state.nas}`, state, `lang=${frame.language}`));
  if (!door.portal || !(offeredMethods(door.portal, guests.app.settings).length || door.social.length))
    return refuse('no_portal');
  return { door: door as Standing['door'], login, state };
}

/** What a guest's page says of itself to its own next request. An address too long to carry is left behind. */
export const stateOf = (nas: string, arrival: GuestArrival): GuestState => ({
  nas,
  mac: formatMac(arrival.mac),
  ip: arrival.ip.slice(0, 45),
  login: arrival.login,
  orig: arrival.orig.length > 600 ? '' : arrival.orig,
});

/** Where the router sends the guest once it is online: our page that says so. `known`: what is known of the guest by then. */
export function onlineLink(
  { app }: Guests,
  { door, state: { nas, mac, ip, login, orig } }: Standing,
  known: Readonly<Record<string, string | null>>,
): string {
  const so = Object.fromEntries(Object.entries(known).filter((it): it is [string, string] => Boolean(it[1])));
  const state = { nas, mac, ip, login, orig, ...(Object.keys(so).length && { so }) };
  const origin = captiveOrigin(app.settings, door.tenant_slug);
  return `${origin}${onlinePath(app, state)}&new=1`;
}

/** The page of a guest who is online. */
export const onlinePath = ({ secrets }: App, state: GuestState): string =>
  `/w/${state.nas}/online?s=${packState(secrets, 'online', state)}`;

/** What a sign-in page says besides its form. */
export interface Told extends Partial<Pick<SignInView, 'chosen' | 'wrong' | 'code' | 'agreed' | 'values'>> {
  readonly problem?: GuestProblem | undefined;
  readonly problemValues?: SignInView['problemValues'];
}

type OwnPage = (typeof ownPageProblems)[number];
/** Whether a problem has a page of its own: no other word in the same form would help against it. */
export const hasOwnPage = (problem: string | null | undefined): problem is OwnPage =>
  (ownPageProblems as readonly unknown[]).includes(problem);

/** The page with the portal's methods, or with the code that was sent; or that of a problem which the form can't mend. */
export function signInPage(guests: Guests, frame: Frame, at: Standing, told: Told, status = 200): GuestAnswer {
  const { app } = guests;
  if (hasOwnPage(told.problem)) return { view: ownPage(frame, at, told.problem, told.problemValues), status };
  const state = packState(app.secrets, told.code ? 'code' : 'sign-in', at.state);
  const showing = chooseAd(at.door, 'sign-in');
  const fills = { nas: at.state.nas, query: arrivalQuery(at.state), state };
  const viewOf: Template['view'] = ({ nonce }, it) =>
    signInView({ ...frame, nonce }, at.door, app.settings, { ...it, told, ad: showing?.ad ?? null });
  const more = { status, formTarget: formTargets(at.login, at.door.portal), ...(showing && { showing }) };
  const content = at.door.portal.revision;
  const isFirst = Object.values(told).every(it => it === undefined);
  if (isFirst && content) return { template: { content, view: viewOf, fills }, ...more };
  return { view: viewOf(frame, fills), ...more };
}

function ownPage(frame: Frame, { door, state }: Standing, problem: OwnPage, values: SignInView['problemValues'] = {}) {
  const path = `/w/${state.nas}`;
  return problemView(frame, {
    problem,
    values,
    door,
    form: pageLink(path, state, `step=form&lang=${frame.language}`),
    languageLink: pageLink(path, state, `step=${problem}&lang={lang}`),
  });
}
