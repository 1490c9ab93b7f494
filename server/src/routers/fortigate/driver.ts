import type { SetupFacts } from '../driver.ts';
import { plainAddress, postDriver } from '../post/post-driver.ts';
import { fortigateLogs } from './log-lines.ts';

/*
 * FortiGate with an external captive portal. The arrival is that of Fortinet's technical tip "FortiAuthenticator and captive
 * portal policy" (346187): login, post, magic, usermac, apmac, apip, userip, ssid, apname, bssid. The form is that of "The
 * typical captive portal workflow" (201711): magic, username and password to the address in `post`.
 */

const config = (it: SetupFacts): string => {
  const { hostname } = new URL(it.portalUrl);
  return `config user radius
    edit "portico"
        set server "${it.radius.host}"
        set secret ${it.secret}
        set radius-port ${it.radius.auth_port}
        set auth-type pap
        set nas-id-type custom
        set nas-id "${it.nasIdentifier}"
        set radius-coa enable
        set acct-interim-interval 60
        config accounting-server
            edit 1
                set status enable
                set server "${it.radius.host}"
                set secret ${it.secret}
                set port ${it.radius.acct_port}
            next
        end
    next
end
config user group
    edit "portico-guests"
        set member "portico"
    next
end
config user setting
    set auth-secure-http enable
    set auth-type http https
end
config firewall address
    edit "portico-portal"
        set type fqdn
        set fqdn "${hostname}"
    next
end
config wireless-controller vap
    edit "<your guest network>"
        set security captive-portal
        set portal-type external-auth
        set external-web "${it.portalUrl}"
        set external-web-format auto-detect
        set security-redirect-url "${it.portalUrl}/online?new=1"
        set selected-usergroups "portico-guests"
    next
end
config firewall policy
    edit 0
        set name "portico-portal"
        set srcintf "<your guest network>"
        set dstintf "<your internet interface>"
        set srcaddr "all"
        set dstaddr "portico-portal"
        set action accept
        set schedule "always"
        set service "HTTP" "HTTPS" "DNS"
        set captive-portal-exempt enable
        set nat enable
    next
end
config log syslogd setting
    set status enable
    set server "${it.radius.host}"
    set port ${it.syslogPort}
end
`;
};

/** The path that takes the sign-in; the port tells FortiOS's authentication server from others. */
const signInPath = '/fgtauth';

/** FortiGate. It was not tried on a device. */
export const fortigate = postDriver({
  slug: 'fortigate',
  calledByDefault: /^(FGT|FGVM|FWF|FG\d)/i,
  read: value => {
    const [post, magic] = [value('post'), value('magic', 200)];
    if (!post && !magic) return undefined;
    const login = URL.canParse(post) ? new URL(post) : undefined;
    if (login) login.search = new URLSearchParams({ magic }).toString();
    return { mac: value('usermac', 20), ip: value('userip', 45), login: login && magic ? login.href : '' };
  },
  isSignIn: login => login.pathname === signInPath && (login.searchParams.get('magic') ?? '') !== '',
  signIn: (login, ticket, onlineUrl) => ({
    action: plainAddress(login),
    fields: { magic: login.searchParams.get('magic') ?? '', username: ticket, password: ticket, '4Tredir': onlineUrl },
  }),
  signOutUrl: login => `${login.origin}/logout?`,
  files: it => [{ name: 'FortiOS', text: config(it) }],
  logs: fortigateLogs,
});
