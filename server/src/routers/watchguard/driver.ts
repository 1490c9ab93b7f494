import { formatMac } from '@portico/contract/mac.ts';
import type { HandOver, HandOverResult, HotspotDriver, TextQuery } from '../driver.ts';
import { problemOfText } from '../refusal-texts.ts';
import { decisionUrl, packRequest, unpackRequest } from './access-decision.ts';
import { watchguardLogs } from './log-lines.ts';

// The Firebox reports no end, so each session gets one.
const maxSessionSeconds = 86_400;
/**
 * The checksum covers the values one after the other, without a sign between them. The browser carries them, so a guest could
 * move digits: 3600 and 900 are also 360090 and 0. A single digit leaves none to move.
 */
const noIdleTimeout = 0;

/** The query of a Firebox, whose request for a decision is packed into the return address. */
function read(query: TextQuery) {
  const value = (name: string, max = 500) => {
    const text = query[name] ?? '';
    return text.length <= max ? text : '';
  };
  const [sn, mac, ts, xtm] = [value('sn', 64), value('mac', 20), value('ts', 20), value('xtm', 300)];
  const login = URL.canParse(xtm) && /^\d{1,20}$/.test(ts) ? packRequest({ url: xtm, ts, sn, mac }) : '';
  return {
    serialNumber: sn,
    arrival: { mac, login, orig: value('redirect', 4000), lang: value('lang', 5) },
    // The access portal and the failure page of a Firebox have the same address.
    failed: value('error', 20) !== '' || value('errcode', 20) !== '',
  };
}

async function handOver({ login, secret, onlineUrl, authorize }: HandOver): Promise<HandOverResult> {
  const key = secret();
  // The Firebox would reject a decision that is signed with another secret.
  if (key === undefined) return { misconfigured: true };
  const decision = await authorize();
  if ('problem' in decision) return decision;
  const sessionTimeout = Math.max(60, Math.min(decision.sessionSeconds ?? maxSessionSeconds, maxSessionSeconds));
  const ends = Math.floor(Date.now() / 1000) + sessionTimeout;
  return {
    redirect: decisionUrl(unpackRequest(login)!, {
      success: 1,
      sessionTimeout,
      idleTimeout: noIdleTimeout,
      secret: key,
      redirect: onlineUrl({ class: decision.class, ends }),
    }),
  };
}

/** WatchGuard Firebox with external guest authentication: the guest's browser carries a signed decision. */
export const watchguard: HotspotDriver = {
  slug: 'watchguard',
  tellsMac: true,
  speaksRadius: false,
  sharesSecret: true,
  tellsRefusal: true,
  sharedEntry: { path: '/wg', read },
  isGenuine: ({ device: { serial_number: serial }, login, mac }) => {
    const request = unpackRequest(login);
    return request?.sn.toUpperCase() === serial?.toUpperCase() && formatMac(request?.mac ?? '') === mac;
  },
  signInPage: () => null,
  problemOf: problemOfText,
  handOver,
  signOutUrl: () => null,
  setup: {},
  logs: watchguardLogs,
};
