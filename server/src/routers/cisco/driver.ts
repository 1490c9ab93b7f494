import type { SetupFacts } from '../driver.ts';
import { plainLogs } from '../plain-logs.ts';
import { plainAddress, postDriver } from '../post/post-driver.ts';

/*
 * Cisco wireless controllers (AireOS and Catalyst 9800) with external web authentication: switch_url, ap_mac, client_mac, wlan,
 * redirect, and statusCode after a refusal. The names come from public portals for these controllers. The vendor's "External Web
 * Authentication with Wireless LAN Controllers Configuration Example" (document 71881) could not be checked.
 */

/** The virtual interface that Cisco's documents recommend (RFC 5737); it leads to the controller only. */
const virtualAddress = '192.0.2.1';

/** `statusCode` of a refused sign-in. */
const problems: Readonly<Record<string, string>> = {
  1: 'already logged in',
  2: 'not configured for web authentication',
  3: 'simultaneous use',
  4: 'excluded',
  5: 'invalid user name or password',
};

const catalyst = (it: SetupFacts): string => {
  const { hostname } = new URL(it.portalUrl);
  return `radius server portico
 address ipv4 ${it.radius.host} auth-port ${it.radius.auth_port} acct-port ${it.radius.acct_port}
 key ${it.secret}
aaa group server radius portico
 server name portico
aaa authentication login portico group portico
aaa accounting identity portico start-stop group portico
aaa accounting update periodic 1
aaa server radius dynamic-author
 client <address of our server> server-key ${it.secret}
 port ${it.coaPort}
parameter-map type webauth global
 virtual-ip ipv4 ${virtualAddress}
parameter-map type webauth portico
 type webauth
 redirect for-login ${it.portalUrl}
 redirect on-success ${it.portalUrl}/online?new=1
 redirect append client-mac tag client_mac
 redirect append ap-mac tag ap_mac
 redirect append wlan-ssid tag wlan
 redirect portal ipv4 <address of ${hostname}>
urlfilter list portico
 action permit
 url ${hostname}
! Without custom-string in your version: name the controller ${it.nasIdentifier} and use sys-name
wireless aaa policy portico
 nas-id option1 custom-string ${it.nasIdentifier}
wireless profile policy <your policy profile>
 aaa-policy portico
 accounting-list portico
 idle-timeout 900
 session-timeout 86400
wlan <your guest network>
 security web-auth
 security web-auth authentication-list portico
 security web-auth parameter-map portico
`;
};

const aireOs = (
  it: SetupFacts,
): string => `config radius auth add 1 ${it.radius.host} ${it.radius.auth_port} ascii ${it.secret}
config radius auth rfc3576 enable 1
config radius acct add 1 ${it.radius.host} ${it.radius.acct_port} ascii ${it.secret}
config interface address virtual ${virtualAddress}
config custom-web webauth_type external
config custom-web ext-webauth-url ${it.portalUrl}
config custom-web redirectUrl ${it.portalUrl}/online?new=1
config wlan nasid ${it.nasIdentifier} <WLAN id>
config wlan security web-auth enable <WLAN id>
config wlan radius_server auth add <WLAN id> 1
config wlan radius_server acct add <WLAN id> 1
config wlan radius_server acct interim-update 60 <WLAN id>
`;

/** Cisco wireless controllers. It was not tried on a device. */
export const cisco = postDriver({
  slug: 'cisco',
  read: value => {
    const switchUrl = value('switch_url');
    if (!switchUrl) return undefined;
    // The controller leaves out the scheme.
    const orig = value('redirect', 4000);
    return {
      mac: value('client_mac', 20),
      login: switchUrl,
      orig: orig && !/^https?:/.test(orig) ? `http://${orig}` : orig,
      error: problems[value('statusCode', 2)] ?? '',
    };
  },
  isSignIn: login => login.pathname === '/login.html',
  signIn: (login, ticket, onlineUrl) => ({
    action: plainAddress(login),
    fields: {
      username: ticket,
      password: ticket,
      buttonClicked: '4',
      redirect_url: onlineUrl,
      err_flag: '0',
      err_msg: '',
      info_flag: '0',
      info_msg: '',
    },
  }),
  signOutUrl: login => `${login.origin}/logout.html`,
  vendorHost: host => host === virtualAddress,
  files: it => [
    { name: 'Catalyst 9800 (IOS XE)', text: catalyst(it) },
    { name: 'AireOS', text: aireOs(it) },
  ],
  logs: plainLogs,
});
