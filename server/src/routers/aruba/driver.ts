import type { SetupFacts } from '../driver.ts';
import { plainLogs } from '../plain-logs.ts';
import { hostAddress, plainAddress, postDriver } from '../post/post-driver.ts';

/*
 * Aruba Instant and ArubaOS controllers. The arrival is that of "External Captive Portal Redirect Parameters" in the Aruba
 * Instant User Guide (6.4.3 to 8.x): cmd, mac, essid, ip, apname, apmac, vcname, switchip, url, and errmsg after a refusal.
 * The sign-in is the form of the same guide: user and password to /cgi-bin/login.
 */

const signInPath = '/cgi-bin/login';

/** The names of the certificates that Aruba ships; access points answer to them themselves. */
const ownNames = ['securelogin.arubanetworks.com', 'securelogin.hpe.com'];

/** The commands of Aruba Instant. Its web interface has the same fields. */
const instant = (it: SetupFacts): string => {
  const { hostname, port, protocol, pathname } = new URL(it.portalUrl);
  const isTls = protocol === 'https:';
  return `configure terminal
wlan auth-server portico
 ip ${it.radius.host}
 port ${it.radius.auth_port}
 acctport ${it.radius.acct_port}
 key ${it.secret}
 nas-id ${it.nasIdentifier}
 rfc3576
 cppm-rfc3576-port ${it.coaPort}
 exit
wlan external-captive-portal portico
 server ${hostname}
 port ${port || (isTls ? 443 : 80)}
 url "${pathname}"
 redirect-url "${it.portalUrl}/online?new=1"
 ${isTls ? 'https' : 'no https'}
 exit
wlan walled-garden
 white-list ${hostname}
 exit
wlan ssid-profile <your guest network>
 captive-portal external profile portico
 auth-server portico
 radius-accounting
 radius-interim-accounting-interval 1
 exit
end
commit apply
`;
};

const controller = (it: SetupFacts): string => `aaa authentication-server radius portico
  host ${it.radius.host}
  authport ${it.radius.auth_port}
  acctport ${it.radius.acct_port}
  key ${it.secret}
  nas-identifier ${it.nasIdentifier}
aaa rfc-3576-server <address of our server>
  key ${it.secret}
aaa server-group portico
  auth-server portico
aaa authentication captive-portal portico
  server-group portico
  login-page ${it.portalUrl}
  welcome-page ${it.portalUrl}/online?new=1
  switchip-in-redirection-url
netdestination portico
  name ${new URL(it.portalUrl).hostname}
`;

/** Aruba, by HPE. It was not tried on a device. */
export const aruba = postDriver({
  slug: 'aruba',
  calledByDefault: /^(instant|setmeup)-/i,
  read: value => {
    if (!value('cmd', 20) && !value('switchip', 253)) return undefined;
    return {
      mac: value('mac', 20),
      ip: value('ip', 45),
      login: hostAddress(value('switchip', 253), { path: signInPath }),
      orig: value('url', 4000),
      error: value('errmsg'),
    };
  },
  isSignIn: login => login.pathname === signInPath,
  signIn: (login, ticket, onlineUrl) => ({
    action: plainAddress(login),
    fields: { cmd: 'authenticate', user: ticket, password: ticket, url: onlineUrl },
  }),
  signOutUrl: login => `${plainAddress(login)}?cmd=logout`,
  vendorHost: host => ownNames.includes(host),
  // It gives this reason for every Access-Reject.
  problemOf: error => (/authentication failed/i.test(error) ? 'ticket_over' : undefined),
  files: it => [
    { name: 'Aruba Instant', text: instant(it) },
    { name: 'ArubaOS controller', text: controller(it) },
  ],
  logs: plainLogs,
});
