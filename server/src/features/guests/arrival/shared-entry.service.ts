import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import { findDeviceBySerial } from '#features/devices/public.ts';
import { unstorable } from '#http/unstorable.ts';
import type { App } from '#lib/app.ts';
import { packRequest } from '#routers/watchguard/access-decision.ts';

/** Any page of the internet without TLS: the Firebox answers it with a request of a new guest. */
export const newRequest = 'http://neverssl.com/';

/** What a Firebox sends with its guest, as other routers send it; `nas`: which device of ours it is, if any. */
export async function fromFirebox(
  app: App,
  query: Readonly<Record<string, unknown>>,
  hostname: string,
): Promise<{ nas: string | undefined; arrival: GuestArrival; failed: boolean }> {
  const word = (name: string, most = 500) => {
    const value = query[name];
    return typeof value === 'string' && value.length <= most && unstorable(value) === undefined ? value : '';
  };
  const sn = word('sn', 64);
  const row = sn && (await app.db.withSystem(tx => findDeviceBySerial(tx, { sn, slug: slugOf(app, hostname) })));
  const xtm = word('xtm', 300);
  const login =
    URL.canParse(xtm) && /^\d{1,20}$/.test(word('ts', 20))
      ? packRequest({ url: xtm, ts: word('ts', 20), sn, mac: word('mac', 20) })
      : '';
  const arrival = { mac: word('mac', 20), login, orig: word('redirect', 4000), lang: word('lang', 5) };
  return {
    nas: row ? row.nas_identifier : undefined,
    arrival: guestArrival.parse(arrival),
    // The same address is its failure page.
    failed: word('error', 20) !== '' || word('errcode', 20) !== '',
  };
}

/** The tenant that the portal's host names, where each has a host of its own. */
function slugOf({ settings }: App, hostname: string): string {
  const [before, after] = settings.CAPTIVE_URL.split('{tenant}');
  if (after === undefined) return '';
  const [prefix, suffix] = [before!.replace(/^https?:\/\//, ''), after.replace(/[:/].*$/s, '')];
  const isOne = hostname.startsWith(prefix) && hostname.endsWith(suffix);
  return isOne ? hostname.slice(prefix.length, hostname.length - suffix.length) : '';
}
