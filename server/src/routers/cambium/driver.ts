import type { SetupFacts } from '../driver.ts';
import { plainLogs } from '../plain-logs.ts';
import { hostAddress, postDriver } from '../post/post-driver.ts';

/*
 * Cambium cnPilot and Enterprise Wi-Fi with an external hotspot. Arrival and sign-in follow Cambium's articles "Guest Access
 * WLAN-External Hotspot with RADIUS Authentication" (82858) and "Click through on external webpage" (47012): ga_ssid,
 * ga_ap_mac, ga_nas_id, ga_srvr, ga_cmac, ga_cip, ga_Qv, ga_orig_url; the form goes to the access point at port 880, or 444
 * with TLS, with the arrival's own query in its address.
 */

const signInPath = '/cgi-bin/hotspot_login.cgi';
const repeated = ['ga_ssid', 'ga_ap_mac', 'ga_nas_id', 'ga_srvr', 'ga_cmac', 'ga_Qv'] as const;

const values = (it: SetupFacts): string => {
  const { hostname, protocol } = new URL(it.portalUrl);
  return `WLAN › AAA servers
  Authentication server: ${it.radius.host}, port ${it.radius.auth_port}
  Accounting server:     ${it.radius.host}, port ${it.radius.acct_port}
  Secret of both:        ${it.secret}
  Accounting mode:       start-interim-stop, interval 60 seconds
  NAS identifier:        ${it.nasIdentifier}
  Dynamic authorization: on, port ${it.coaPort}
WLAN › Guest access
  Portal mode:           external hotspot
  Access policy:         RADIUS
  Redirect mode:         ${protocol === 'https:' ? 'HTTPS' : 'HTTP'}
  External page URL:     ${it.portalUrl}
  Success action:        redirect to ${it.portalUrl}/online?new=1
  Whitelist:             ${hostname}
`;
};

/** Cambium. It was not tried on a device. */
export const cambium = postDriver({
  slug: 'cambium',
  read: (value, secure) => {
    const host = value('ga_srvr', 253);
    if (!host) return undefined;
    const address = secure ? { scheme: 'https', port: 444 } : { scheme: 'http', port: 880 };
    const login = hostAddress(host, { ...address, path: signInPath });
    const query = new URLSearchParams(repeated.map(name => [name, value(name)]));
    return {
      mac: value('ga_cmac', 20),
      ip: value('ga_cip', 45),
      login: login && `${login}?${query}`,
      orig: value('ga_orig_url', 4000),
      error: value('ga_error', 200),
    };
  },
  isSignIn: login => login.pathname === signInPath,
  signIn: (login, ticket) => ({ action: login.href, fields: { ga_user: ticket, ga_pass: ticket } }),
  problemOf: () => 'ticket_over',
  files: it => [{ name: 'cnMaestro, cnPilot', text: values(it) }],
  logs: plainLogs,
});
