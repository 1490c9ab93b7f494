import type { SetupFacts } from '../driver.ts';
import { plainLogs } from '../plain-logs.ts';
import { hostAddress, plainAddress, postDriver } from '../post/post-driver.ts';

/*
 * Ruckus SmartZone, ZoneDirector and Unleashed with a WISPr hotspot. The names of the fields (sip, client_mac, uip, url, StartURL,
 * ssid, wlan, zoneName, proxy, reason) and the ports (9997 without TLS, 9998 with it) come from public portals for these
 * gateways. The vendor describes them in its "Hotspot WISPr Reference Guide", which could not be checked. ZoneDirector and
 * Unleashed take the sign-in at /login.
 */

const zonePath = '/SubscriberPortal/hotspotlogin';
const directorPath = '/login';

const values = (it: SetupFacts): string => {
  const { hostname } = new URL(it.portalUrl);
  return `Hotspot (WISPr) service
  Logon URL:            external, ${it.portalUrl}
  Start page:           redirect to ${it.portalUrl}/online?new=1
  Session timeout:      1440 minutes
  Walled garden:        ${hostname}
Authentication and accounting service (RADIUS)
  Server:               ${it.radius.host}
  Ports:                ${it.radius.auth_port} (authentication), ${it.radius.acct_port} (accounting)
  Shared secret:        ${it.secret}
  Interim updates:      1 minute
WLAN
  NAS ID:               user-defined, ${it.nasIdentifier}
  Dynamic authorization (CoA/DM): on, port ${it.coaPort}
SmartZone's command line, so that guests arrive with their MAC address
  config
  no encrypt-mac-ip
`;
};

/** Ruckus. It was not tried on a device. */
export const ruckus = postDriver({
  slug: 'ruckus',
  read: (value, secure) => {
    const host = value('sip', 253) || value('nbiIP', 253);
    if (!host) return undefined;
    const isZone = ['nbiIP', 'zoneName', 'proxy'].some(name => value(name) !== '');
    const login = hostAddress(host, {
      ...(secure ? { scheme: 'https', port: 9998 } : { scheme: 'http', port: 9997 }),
      path: isZone ? zonePath : directorPath,
    });
    const repeated = new URLSearchParams({ uip: value('uip', 100), proxy: value('proxy', 5) });
    const reason = value('reason', 200);
    return {
      mac: value('client_mac', 64),
      ip: value('uip', 45),
      login: login && `${login}?${repeated}`,
      orig: value('StartURL', 4000) || value('url', 4000),
      // The guest has not tried yet.
      error: /^(un-?auth|unauthenticated|initial)/i.test(reason) ? '' : reason,
    };
  },
  isSignIn: login => login.pathname === zonePath || login.pathname === directorPath,
  signIn: (login, ticket, onlineUrl) => {
    const uip = login.searchParams.get('uip') ?? '';
    const proxy = login.searchParams.get('proxy') ?? '';
    return {
      action: plainAddress(login),
      fields: { username: ticket, password: ticket, url: onlineUrl, uip, ip: uip, ...(proxy && { proxy }) },
    };
  },
  signOutUrl: login =>
    login.pathname === zonePath
      ? `${login.origin}/SubscriberPortal/hotspotlogout?${new URLSearchParams({ uip: login.searchParams.get('uip') ?? '' })}`
      : `${login.origin}/logout`,
  problemOf: error => (/logon[- ]?fail|login[- ]?fail|reject/i.test(error) ? 'ticket_over' : undefined),
  files: it => [{ name: 'SmartZone, ZoneDirector, Unleashed', text: values(it) }],
  logs: plainLogs,
});
