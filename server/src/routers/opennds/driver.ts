import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import type { ArrivalRequest, Authorization, HandOver, HandOverResult, HotspotDriver } from '../driver.ts';
import { linuxLogs } from '../linux-logs.ts';
import { problemOfText } from '../refusal-texts.ts';
import { unsignedArrival } from '../unsigned-arrival.ts';
import { listEnds, listGrants, maxGrants, readCall, readReport, sessionKey } from './authmon.ts';
import { authUrl, fasKeys, isSame, packArrival, readFas, unpackArrival } from './fas.ts';
import { setupFiles } from './setup-files.ts';

// Without our script the gateway may fail to report an end, so each session gets one.
const maxSessionSeconds = 86_400;
/** The gateway ends a session by its own clock and reports it. Our end comes after that. */
const reportSeconds = 90;

const nobody = guestArrival.parse({});

/** The page that the guest asked for, if it has an address. */
const webAddress = (text: string): string => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : '');

/** Reads the address that the gateway made. Our own links have the portal's own query, without `fas`. */
function readArrival({ query, arrival, url, secret }: ArrivalRequest): GuestArrival {
  const fas = query['fas'];
  if (fas === undefined) return arrival;
  const key = secret();
  if (key === undefined || fas.length > 8000) return nobody;
  const keys = fasKeys(key);
  const last = new URL(url).pathname.split('/').at(-1)!;
  const way = isSame(last, keys.pull) ? 'pull' : isSame(last, keys.carried) ? 'carried' : undefined;
  const facts = way && readFas(fas, query['iv'] ?? '', keys.faskey);
  if (!way || !facts) return unsignedArrival;
  const { gateway, hid, mac, ip } = facts;
  return {
    ...nobody,
    mac,
    ip,
    login: packArrival({ gateway, hid, way, mac }, keys.faskey),
    orig: webAddress(facts.originUrl),
  };
}

/** In the units of openNDS: whole minutes, kbit/s and kB. */
function limitsOf(it: Authorization) {
  const seconds = Math.max(1, Math.min(it.sessionSeconds ?? maxSessionSeconds, maxSessionSeconds));
  // 0 means no limit, so the smallest limit is 1.
  const limit = (value: number | null) => (value === null ? 0 : Math.max(1, Math.round(value / 1000)));
  return {
    minutes: Math.ceil(seconds / 60),
    uploadKbit: limit(it.uploadBps),
    downloadKbit: limit(it.downloadBps),
    quotaKb: limit(it.totalBytes),
  };
}

async function handOver({ login, mac, secret, onlineUrl, authorize, queue }: HandOver): Promise<HandOverResult> {
  const key = secret();
  const keys = key === undefined ? undefined : fasKeys(key);
  const arrival = keys && unpackArrival(login, mac, keys.faskey);
  if (!arrival) return { misconfigured: true };
  const decision = await authorize();
  if ('problem' in decision) return decision;
  const limits = limitsOf(decision);
  const ends = Math.floor(Date.now() / 1000) + limits.minutes * 60 + reportSeconds;
  const grant = { class: decision.class, ends, key: sessionKey(arrival.hid) };
  if (arrival.way === 'pull') {
    await queue({ mac, ...grant, ...limits });
    return { redirect: onlineUrl() };
  }
  return { redirect: authUrl(login, { hid: arrival.hid, faskey: keys.faskey, redir: onlineUrl(grant) }) };
}

/** openNDS. Tried with Debian's 9.10 at level 3: `npm run field`. */
export const opennds: HotspotDriver = {
  slug: 'opennds',
  tellsMac: true,
  provesMac: true,
  speaksRadius: false,
  sharesSecret: true,
  tellsRefusal: true,
  readArrival,
  isGenuine: ({ login, mac, secret }) => {
    const key = secret();
    return key !== undefined && unpackArrival(login, mac, fasKeys(key).faskey) !== undefined;
  },
  signInPage: () => null,
  problemOf: problemOfText,
  handOver,
  signOutUrl: login => (login.pathname === '/opennds_auth/' ? `${login.origin}/opennds_deny/` : null),
  setup: { files: setupFiles },
  pull: {
    paths: secret => {
      const { pull: calls, script } = fasKeys(secret);
      return { calls, script };
    },
    read: readCall,
    maxGrants,
    grants: listGrants,
    report: readReport,
    ends: listEnds,
  },
  logs: linuxLogs,
};
