import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import type { ArrivalRequest, HandOver, HandOverResult, HotspotDriver, SetupFacts } from '../driver.ts';
import { isMerakiCloud } from '../meraki/cloud-host.ts';
import { plainLogs } from '../plain-logs.ts';
import { problemOfText } from '../refusal-texts.ts';

/*
 * Meraki with click-through splash, which needs no RADIUS. Arrival and grant follow Meraki's "Captive Portal with
 * Click-through API" (developer.cisco.com/meraki/captive-portal-api/click-through-api): base_grant_url, user_continue_url,
 * node_mac, client_ip, client_mac. The guest opens base_grant_url with continue_url and duration (seconds).
 */

const grantPath = '/splash/grant';

/** The gateway reports no end, so each session gets one. */
const longestSeconds = 86_400;

function readArrival({ query, arrival }: ArrivalRequest): GuestArrival {
  const grantUrl = query['base_grant_url'];
  if (grantUrl === undefined) return arrival;
  return guestArrival.parse({
    mac: query['client_mac'],
    ip: query['client_ip'],
    login: grantUrl,
    orig: query['user_continue_url'],
    lang: arrival.lang,
  });
}

async function handOver({ login, onlineUrl, authorize }: HandOver): Promise<HandOverResult> {
  const decision = await authorize();
  if ('problem' in decision) return decision;
  const seconds = Math.max(60, Math.min(decision.sessionSeconds ?? longestSeconds, longestSeconds));
  const ends = Math.floor(Date.now() / 1000) + seconds;
  const to = new URL(login);
  to.search = new URLSearchParams({
    continue_url: onlineUrl({ class: decision.class, ends }),
    duration: String(seconds),
  }).toString();
  return { redirect: to.href };
}

const values = (it: SetupFacts): string => `Wireless › Access control › your guest network
  Security:                  open
  Splash page:               click-through
  Captive portal strength:   block all access until sign-on is complete
  Walled garden:             ${new URL(it.portalUrl).hostname}
Wireless › Splash page
  Custom splash URL:         ${it.portalUrl}
  Splash frequency:          every day
  Where should users go after the splash page: the URL they were trying to fetch
`;

/**
 * Meraki with click-through: the portal decides, and the guest carries the grant to Meraki's cloud. Anyone could open that
 * address without the portal, because nothing in it is secret. It was not tried on a device.
 */
export const merakiClick: HotspotDriver = {
  slug: 'meraki-click',
  tellsMac: true,
  speaksRadius: false,
  sharesSecret: false,
  tellsRefusal: true,
  readArrival,
  isGenuine: ({ login }) => login.protocol === 'https:' && login.pathname === grantPath,
  vendorHost: isMerakiCloud,
  signInPage: () => null,
  problemOf: problemOfText,
  handOver,
  signOutUrl: () => null,
  setup: { files: it => [{ name: 'Meraki dashboard', text: values(it) }] },
  logs: plainLogs,
};
