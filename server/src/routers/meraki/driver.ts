import type { SetupFacts } from '../driver.ts';
import { plainLogs } from '../plain-logs.ts';
import { postDriver } from '../post/post-driver.ts';
import { isMerakiCloud } from './cloud-host.ts';

/*
 * Meraki with sign-on splash. Arrival and sign-in follow Meraki's "Captive Portal with Sign-on API"
 * (developer.cisco.com/meraki/captive-portal-api/sign-on-api): login_url, continue_url, ap_mac, ap_name, ap_tags, client_mac,
 * client_ip, and error_message after a refusal. The guest posts username, password and success_url to the login_url.
 * Disconnect-Requests follow "CoA Disconnect for Splash Sign-on": Meraki's cloud takes them at UDP 3799, not at Cisco's 1700.
 */

const signInPath = '/splash/login';

/** Meraki appends the site that the guest wanted; we keep that ourselves. */
function withoutContinueUrl(loginUrl: string): string {
  if (!URL.canParse(loginUrl)) return '';
  const url = new URL(loginUrl);
  url.searchParams.delete('continue_url');
  return url.href;
}

const values = (it: SetupFacts): string => {
  const { hostname } = new URL(it.portalUrl);
  return `Wireless › Access control › your guest network
  Security:                  open
  Splash page:               sign-on with my RADIUS server
  RADIUS server:             ${it.radius.host}, port ${it.radius.auth_port}, secret ${it.secret}
  RADIUS accounting server:  ${it.radius.host}, port ${it.radius.acct_port}, secret ${it.secret}
  RADIUS attribute NAS-ID:   custom, ${it.nasIdentifier}
  RADIUS CoA support:        on
  Interim update interval:   60 seconds
  Captive portal strength:   block all access until sign-on is complete
  Walled garden:             ${hostname}
Wireless › Splash page
  Custom splash URL:         ${it.portalUrl}
  Splash frequency:          every day
`;
};

/** Meraki with sign-on: its cloud or its access points ask RADIUS. It was not tried on a device. */
export const meraki = postDriver({
  slug: 'meraki',
  read: value => {
    const loginUrl = value('login_url', 2000);
    if (!loginUrl) return undefined;
    return {
      mac: value('client_mac', 20),
      ip: value('client_ip', 45),
      login: withoutContinueUrl(loginUrl),
      orig: value('continue_url', 4000),
      error: value('error_message'),
    };
  },
  isSignIn: login => login.protocol === 'https:' && login.pathname === signInPath,
  signIn: (login, ticket, onlineUrl) => ({
    action: login.href,
    fields: { username: ticket, password: ticket, success_url: onlineUrl },
  }),
  vendorHost: isMerakiCloud,
  problemOf: error => (/access denied|invalid|incorrect/i.test(error) ? 'ticket_over' : undefined),
  files: it => [{ name: 'Meraki dashboard', text: values(it) }],
  logs: plainLogs,
});
