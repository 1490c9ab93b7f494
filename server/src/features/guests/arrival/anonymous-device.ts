import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { App } from '#lib/app.ts';
import type { ClientInfo } from '../client-info.ts';
import type { Cookie } from '../cookie.ts';
import type { GuestRequest } from '../guest-context.ts';
import { findRealMac } from './anonymous-device.queries.ts';

/**
 * Some gateways do not tell the MAC of a guest's device. The browser then gets a pseudo MAC in a signed cookie. The RADIUS
 * request for the guest's ticket shows the real MAC, which is used for this browser from then on.
 */

const cookieName = 'portico_device';
const cookieSeconds = 365 * 86_400;

const signatureOf = ({ secrets }: App, digits: string): string =>
  secrets.sign(`device of a browser ${digits}`).slice(0, 32);

/** The pseudo MAC in the browser's cookie, if we signed it. */
function digitsInCookie(app: App, { cookies }: ClientInfo): string | undefined {
  const [, digits = '', signature = ''] =
    /(?:^|;\s*)portico_device=([0-9a-f]{12})\.([0-9a-f]{32})(?:;|$)/.exec(cookies) ?? [];
  return digits && timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(app, digits))) ? digits : undefined;
}

/** A random, locally administered group address (IEEE 802), which no device can have. */
function newDigits(): string {
  const bytes = randomBytes(6);
  bytes[0] = bytes[0]! | 0x03;
  return bytes.toString('hex');
}

const asMac = (digits: string): string => digits.toUpperCase().match(/../g)!.join(':');

/** Whether a MAC is a pseudo MAC, by the bits for group and local addresses. */
export const isPseudoMac = (mac: string): boolean => /^.[37BF]:/i.test(mac);

/** The pseudo MAC of a guest; null if the gateway tells the real one. */
export function pseudoMacOf(app: App, { context, visit }: GuestRequest, client: ClientInfo): string | null {
  if (context.driver.tellsMac) return null;
  if (isPseudoMac(visit.mac)) return visit.mac;
  const digits = digitsInCookie(app, client);
  return digits ? asMac(digits) : null;
}

/**
 * Fills in the real MAC if it is known for this browser, else the pseudo MAC. `ofCodePage`: the one of the page for a code in the
 * address, see kept-page.ts. It is for that page only and gets no cookie, because the address may come from another guest.
 */
export async function identifyDevice(
  app: App,
  request: GuestRequest,
  client: ClientInfo,
  ofCodePage?: string,
): Promise<{ request: GuestRequest; cookies: readonly Cookie[] }> {
  const { context, visit } = request;
  if (context.driver.tellsMac) return { request, cookies: [] };
  const known = digitsInCookie(app, client);
  const digits = known ?? newDigits();
  const pseudoMac = asMac(digits);
  const real =
    known && (await app.db.withTenant(context.tenantId, tx => findRealMac(tx, context.device_id, pseudoMac)));
  const unknown = ofCodePage && isPseudoMac(ofCodePage) && !known ? ofCodePage : pseudoMac;
  return {
    request: {
      ...request,
      context: { ...context, bypassed: false },
      visit: { ...visit, mac: real ? real.mac : unknown },
    },
    cookies: [{ name: cookieName, value: `${digits}.${signatureOf(app, digits)}`, seconds: cookieSeconds }],
  };
}
