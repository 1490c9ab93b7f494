import type { App } from '#lib/app.ts';
import type { ClientInfo } from '../client-info.ts';
import type { Cookie } from '../cookie.ts';
import type { GuestContext } from '../guest-context.ts';
import { type OnlineFacts, packState, stateSeconds, unpackState, type Visit, type WayOut } from '../guest-state.ts';

/**
 * The cookie that a sign-in sets. It alone opens the pages about the visit: status, own data and log-out. Others on an open
 * network can see the address that the router redirects to, so it contains nothing about the guest.
 */

const name = 'portico_visit';
/** Browsers drop a longer cookie. */
const maxLength = 3800;

export type OpenVisit = OnlineFacts & { readonly visit: Visit };

export function visitCookie({ secrets }: App, visit: Visit, facts: OnlineFacts): Cookie {
  // A guest who is online sees the current portal.
  const pack = (it: Visit, more: OnlineFacts) =>
    packState(secrets, { step: 'online', visit: { ...it, portal: undefined }, ...more });
  const full = pack(visit, facts);
  const small = full.length > maxLength ? pack({ ...visit, orig: '' }, facts) : full;
  const { out, ...others } = facts;
  const value = out && small.length > maxLength ? pack({ ...visit, orig: '' }, others) : small;
  return { name, value, seconds: stateSeconds, path: `/w/${visit.nas}` };
}

/** The cookie of a visit whose session the router has reported. */
export const seenCookie = (app: App, open: OpenVisit): Cookie => changedCookie(app, open, { seen: true });

/** The cookie with another way out, or without one. */
export const outCookie = (app: App, open: OpenVisit, out?: WayOut): Cookie =>
  changedCookie(app, open, { ...(out && { out }) });

/** The visit goes on; the way out and the mark of a session are those of `more`. */
const changedCookie = (
  app: App,
  { visit, visitor, userName, ticket }: OpenVisit,
  more: Pick<OnlineFacts, 'seen' | 'out'>,
): Cookie =>
  visitCookie(app, visit, {
    ...(visitor !== undefined && { visitor }),
    ...(userName !== undefined && { userName }),
    ...(ticket !== undefined && { ticket }),
    ...more,
  });

/** The visit that this browser signed in for at this device; undefined without a valid cookie. */
export function visitOfBrowser({ secrets }: App, nas: string, { cookies }: ClientInfo): OpenVisit | undefined {
  const value = /(?:^|;\s*)portico_visit=([\w.-]+)(?:;|$)/.exec(cookies)?.[1];
  const state = value ? unpackState(secrets, 'online', value) : undefined;
  return state?.visit.nas === nas ? state : undefined;
}

/** The identifiers of the session of this visit. */
export const sessionOf = ({ driver }: GuestContext, { visit: { mac }, ticket, visitor, userName }: OpenVisit) => ({
  mac,
  ticket,
  owner: driver.provesMac ? ('proven' as const) : { visitor, userName },
});

/** Deletes the cookie. */
export const noVisitCookie = (nas: string): Cookie => ({ name, value: '', seconds: 0, path: `/w/${nas}` });
