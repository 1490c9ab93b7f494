import type { App } from '#lib/app.ts';
import type { ClientInfo } from '../client-info.ts';
import type { Cookie } from '../cookie.ts';
import { packState, type StateOf, unpackState, type Visit } from '../guest-state.ts';

/** The voucher with which a guest goes on, until its router has ended the session before. */

const name = 'portico_switch';
const seconds = 600;

export const switchPath = (nas: string): string => `/w/${nas}/switch`;

export function switchCookie(
  { secrets }: App,
  visit: Visit,
  to: { readonly visitor: string; readonly agreed: string | null },
): Cookie {
  // The page that the guest wanted to see may be long, and is in the cookie of the visit.
  const value = packState(secrets, { step: 'switch', visit: { ...visit, orig: '' }, ...to });
  return { name, value, seconds, path: switchPath(visit.nas) };
}

/** Deletes the cookie. */
export const noSwitchCookie = (nas: string): Cookie => ({ name, value: '', seconds: 0, path: switchPath(nas) });

export function switchOf({ secrets }: App, nas: string, { cookies }: ClientInfo): StateOf<'switch'> | undefined {
  const value = /(?:^|;\s*)portico_switch=([\w.-]+)(?:;|$)/.exec(cookies)?.[1];
  const state = value ? unpackState(secrets, 'switch', value) : undefined;
  return state?.visit.nas === nas ? state : undefined;
}
