import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import { admitByController, isPacked, packFacts } from '../controller/admit.ts';
import type { ArrivalRequest, HotspotDriver, SetupFacts, TextQuery } from '../driver.ts';
import { plainLogs } from '../plain-logs.ts';
import { problemOfText } from '../refusal-texts.ts';
import { openUnifi } from './controller.ts';

/*
 * UniFi with an external portal. The controller sends guests to `/guest/s/{site}/` of the portal's host with id (the guest's
 * MAC), ap, t, url and ssid, as Ubiquiti's "External Hotspot API for Authorization" (help.ui.com, 31228198640023) shows.
 */

const sitePattern = /^[\w-]{1,40}$/;

const short = (query: TextQuery, name: string, max: number): string => {
  const text = query[name] ?? '';
  return text.length <= max ? text : '';
};

const read = (query: TextQuery): GuestArrival =>
  guestArrival.parse({
    mac: query['id'],
    login: packFacts({
      site: short(query, 'site', 40) || 'default',
      ap: short(query, 'ap', 20),
      ssid: short(query, 'ssid', 64),
    }),
    orig: query['url'],
  });

const readArrival = ({ query, arrival }: ArrivalRequest): GuestArrival =>
  query['id'] === undefined ? arrival : { ...read(query), lang: arrival.lang };

const values = (it: SetupFacts): string => {
  const { host, pathname } = new URL(it.portalUrl);
  return `Hotspot › Landing page › Authentication: External Portal Server
  Server:                        ${host}${pathname}
  If only a host is accepted:    ${host}
Hotspot › Landing page › Settings
  Use HTTPS and a domain:        ${it.portalUrl.startsWith('https:') ? 'on' : 'off'}
Hotspot › Authorization access (allowed before sign-in)
  ${new URL(it.portalUrl).hostname}
`;
};

/** UniFi: the portal admits guests through the controller. It was not tried on one. */
export const unifi: HotspotDriver = {
  slug: 'unifi',
  tellsMac: true,
  speaksRadius: false,
  sharesSecret: false,
  tellsRefusal: true,
  returnsNowhere: true,
  // A controller that takes no path sends all its guests to the portal's host. Their access point names the device.
  hostEntry: {
    path: '/guest/s/:site',
    read: query => ({ address: short(query, 'ap', 20), arrival: read(query) }),
  },
  readArrival,
  isGenuine: ({ login }) => isPacked(login) && sitePattern.test(login.searchParams.get('site') ?? ''),
  signInPage: () => null,
  problemOf: problemOfText,
  handOver: admitByController,
  signOutUrl: () => null,
  setup: { files: it => [{ name: 'UniFi', text: values(it) }] },
  control: { takes: ['logout'], tellsAdmitted: true, open: openUnifi },
  logs: plainLogs,
};
