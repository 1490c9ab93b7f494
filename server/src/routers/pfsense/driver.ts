import type { SetupFacts } from '../driver.ts';
import { postDriver } from '../post/post-driver.ts';
import { filterLogs } from './filter-log.ts';
import { pfsensePage } from './login-page.ts';

/*
 * pfSense's captive portal. The page is ours; its words follow pfSense's manual, "Captive Portal: HTML page contents", and
 * src/usr/local/captiveportal/index.php: the form takes auth_user, auth_pass, accept, zone and redirurl. Limits follow
 * dictionary.pfsense and WISPr. pfSense listens to no Disconnect-Requests.
 */

const values = (it: SetupFacts): string => `Services › Captive Portal › your zone › Authentication
  Method:                          Use an Authentication backend
  Server (System › User Manager › Authentication Servers, type RADIUS):
    Hostname ${it.radius.host}, secret ${it.secret}, protocol PAP
    Ports ${it.radius.auth_port} (authentication), ${it.radius.acct_port} (accounting)
  NAS Identifier:                  ${it.nasIdentifier}
  Session timeout:                 use RADIUS Session-Timeout attributes
  Traffic quota:                   use RADIUS pfSense-Max-Total-Octets attribute
  Per-user bandwidth restrictions: use RADIUS attributes
  MAC address format:              default
Accounting
  RADIUS:                          send accounting packets
  Accounting updates:              Interim
  Accounting style:                Inverted off
Allowed hostnames
  ${new URL(it.portalUrl).hostname}
`;

/** pfSense. It was not tried on a firewall. */
export const pfsense = postDriver({
  slug: 'pfsense',
  calledByDefault: /^CaptivePortal-/i,
  read: value => {
    const [action, zone] = [value('action'), value('zone', 64)];
    if (!action) return undefined;
    const login = URL.canParse(action) ? new URL(action) : undefined;
    if (login && zone) login.searchParams.set('zone', zone);
    return {
      mac: value('mac', 20),
      ip: value('ip', 45),
      login: login?.href ?? '',
      orig: value('orig', 4000),
      error: value('error'),
    };
  },
  isSignIn: login =>
    (login.pathname === '/' || login.pathname === '/index.php') && (login.searchParams.get('zone') ?? '') !== '',
  signIn: (login, ticket, onlineUrl) => ({
    action: login.href,
    fields: {
      auth_user: ticket,
      auth_pass: ticket,
      zone: login.searchParams.get('zone') ?? '',
      redirurl: onlineUrl,
      accept: 'Continue',
    },
  }),
  tellsRefusal: true,
  takesNoCommands: true,
  problemOf: error => (/invalid credentials/i.test(error) ? 'ticket_over' : undefined),
  files: it => [
    { name: 'pfSense', text: values(it) },
    { name: 'portal.html', text: pfsensePage(it) },
  ],
  logs: filterLogs,
});
