import type { HotspotDriver, SetupFacts } from '../driver.ts';
import { filterLogs } from '../pfsense/filter-log.ts';
import { problemOfText } from '../refusal-texts.ts';
import { loginUrl } from '../return-address.ts';
import { opnsensePage } from './login-page.ts';

/*
 * OPNsense's captive portal. Our template uses the interface of OPNsense's own one, as
 * src/opnsense/mvc/app/controllers/OPNsense/CaptivePortal/Api/AccessController.php has it (2025): access/status, access/logon
 * with user and password, access/logoff. OPNsense sends the id of its server entry as NAS-Identifier (Auth/Radius.php), takes
 * Session-Timeout as the only limit and listens to no Disconnect-Requests.
 */

const values = (it: SetupFacts): string => `System › Access › Servers › Add
  Type:                  RADIUS
  Hostname:              ${it.radius.host}
  Shared secret:         ${it.secret}
  Services offered:      authentication and accounting
  Ports:                 ${it.radius.auth_port} (authentication), ${it.radius.acct_port} (accounting)
  Protocol:              PAP
System › Configuration › Backups: in the downloaded file, the <refid> inside the <authserver> of this server
  ${it.nasIdentifier}
Services › Captive Portal › Administration › Zones
  Authenticate using:    this server
  Always send accounting requests: on
  Allowed addresses:     the addresses of ${new URL(it.portalUrl).hostname}
`;

/** OPNsense. It was not tried on a firewall. */
export const opnsense: HotspotDriver = {
  slug: 'opnsense',
  calledByDefault: /^[0-9a-f]{13}$/,
  // Its interface tells the MAC only if a setting of the zone is on, and RADIUS has it in newer versions.
  tellsMac: false,
  speaksRadius: true,
  sharesSecret: false,
  tellsRefusal: false,
  takesNoCommands: true,
  signInPage: () => null,
  problemOf: problemOfText,
  handOver: async ({ login, ticket, onlineUrl }) => ({ redirect: loginUrl(login, ticket, onlineUrl()) }),
  signOutUrl: login => {
    const url = new URL(login);
    url.search = '?logout=1';
    return url.href;
  },
  setup: {
    files: it => [
      { name: 'OPNsense', text: values(it) },
      { name: 'index.html', text: opnsensePage(it) },
    ],
  },
  logs: filterLogs,
};
