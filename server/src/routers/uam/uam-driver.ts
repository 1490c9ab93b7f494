import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { ArrivalRequest, HandOver, HandOverResult, HotspotDriver, SetupFacts, SetupFile } from '../driver.ts';
import { linuxLogs } from '../linux-logs.ts';
import { problemOfText } from '../refusal-texts.ts';
import { hotspotHost } from '../return-address.ts';
import { unsignedArrival } from '../unsigned-arrival.ts';
import { isSignedUrl, logonUrl, packRequest, readRequest, uamSecret, unpackChallenge } from './uam-login.ts';

const nobody = guestArrival.parse({});

/** The results that a gateway reports: the session runs, or has just ended. */
const steps: Readonly<Record<string, string>> = {
  success: 'signed_in',
  already: 'online',
  logoff: 'logged_out',
};

/** `res` with its `reply` or `reason`, as an error; empty for a guest who has not tried yet. */
const refusals = new Set(['failed', 'reject', 'timeout']);

/** Reads the address that the gateway made. Our own links have the portal's own query, without `res`. */
function readArrival({ query, arrival, url, secret }: ArrivalRequest): GuestArrival {
  const result = query['res'];
  if (result === undefined) return arrival;
  const value = (name: string, max = 500) => {
    const text = query[name] ?? '';
    return text.length <= max ? text : '';
  };
  const key = secret();
  const request = readRequest(value);
  if (key === undefined || !request) return nobody;
  if (!isSignedUrl(url, uamSecret(key))) return unsignedArrival;
  return {
    ...nobody,
    mac: request.mac,
    ip: value('ip', 64),
    login: packRequest(request, uamSecret(key)),
    orig: value('userurl', 4000),
    lang: value('lang', 5),
    step: steps[result] ?? '',
    error: refusals.has(result) ? value('reply') || value('reason') || result : '',
  };
}

async function handOver({ login, mac, ticket, onlineUrl, secret }: HandOver): Promise<HandOverResult> {
  const key = secret();
  const uamsecret = key === undefined ? undefined : uamSecret(key);
  const challenge = uamsecret && unpackChallenge(login, mac, uamsecret);
  if (!challenge) return { misconfigured: true };
  return { redirect: logonUrl(login, { challenge, ticket, uamsecret, userUrl: onlineUrl() }) };
}

/** The gateway gives no reason for an old challenge; the guest has a new one now. */
const problemOf = (error: string): GuestProblem | undefined =>
  error === 'failed' || error === 'reject' ? 'ticket_over' : error === 'timeout' ? 'no_radius' : problemOfText(error);

/**
 * A gateway that speaks UAM. It signs the address with which its guest arrives, and the guest takes a CHAP response back,
 * which the gateway asks RADIUS about. `files`: its configuration, for the operator to paste.
 */
export const uamDriver = (slug: string, files: (it: SetupFacts) => readonly SetupFile[]): HotspotDriver => ({
  slug,
  tellsMac: true,
  speaksRadius: true,
  sharesSecret: true,
  tellsRefusal: true,
  readArrival,
  isGenuine: ({ login, mac, secret }) => {
    const key = secret();
    return key !== undefined && unpackChallenge(login, mac, uamSecret(key)) !== undefined;
  },
  signInPage: ({ hotspot_address }) => {
    const host = hotspotHost(hotspot_address);
    return host ? `http://${host}:3990/prelogin` : null;
  },
  problemOf,
  handOver,
  signOutUrl: login => (login.pathname === '/logon' ? `${login.origin}/logoff` : null),
  setup: { files },
  logs: linuxLogs,
});
