import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import { admitByController, isPacked, packFacts } from '../controller/admit.ts';
import type { ArrivalRequest, HotspotDriver, SetupFacts, TextQuery } from '../driver.ts';
import { plainLogs } from '../plain-logs.ts';
import { problemOfText } from '../refusal-texts.ts';
import { openOmada } from './controller.ts';

/*
 * TP-Link Omada with an external portal server. The arrival is that of FAQ 3231: clientMac, apMac, ssidName, radioId, site, t,
 * redirectUrl from an access point; clientMac, gatewayMac, vid, site, t, redirectUrl from a gateway.
 */

const facts = ['site', 'apMac', 'ssidName', 'radioId', 'gatewayMac', 'vid'] as const;

const short = (query: TextQuery, name: string): string => {
  const text = query[name] ?? '';
  return text.length <= 64 ? text : '';
};

function readArrival({ query, arrival }: ArrivalRequest): GuestArrival {
  if (query['clientMac'] === undefined) return arrival;
  return guestArrival.parse({
    mac: query['clientMac'],
    ip: query['clientIp'],
    login: packFacts(Object.fromEntries(facts.map(name => [name, short(query, name)]))),
    orig: query['redirectUrl'],
    lang: arrival.lang,
  });
}

const values = (it: SetupFacts): string => `Settings › Authentication › Portal
  Authentication type:          External Portal Server
  Custom portal server (URL):   ${it.portalUrl}
Settings › Authentication › Portal › Access Control › Pre-Authentication Access
  ${new URL(it.portalUrl).hostname}
Hotspot Manager › Operators
  An operator for this site. Enter its name and password under Controller on this page, with the controller's address.
`;

/** Omada: the portal admits guests through the controller. It was not tried on one. */
export const omada: HotspotDriver = {
  slug: 'omada',
  tellsMac: true,
  speaksRadius: false,
  sharesSecret: false,
  tellsRefusal: true,
  returnsNowhere: true,
  readArrival,
  isGenuine: ({ login }) =>
    isPacked(login) &&
    ['apMac', 'gatewayMac'].some(name => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(login.searchParams.get(name) ?? '')),
  signInPage: () => null,
  problemOf: problemOfText,
  handOver: admitByController,
  signOutUrl: () => null,
  setup: { files: it => [{ name: 'Omada', text: values(it) }] },
  control: { takes: [], open: openOmada },
  logs: plainLogs,
};
