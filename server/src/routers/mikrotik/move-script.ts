import { isIP } from 'node:net';
import type { ArrivalFacts } from '../router-control.ts';
import { hotspotPages } from './hotspot-pages.ts';
import { closeAll, openTo } from './open-hosts.ts';
import { pollSource } from './poll-script.ts';
import { quoted } from './quoted.ts';

const mine = 'comment="portico"';

/**
 * For a router whose tenant is in another installation: it polls there from now on. The rest it is told there, by the
 * installation that knows it. The error ends the script that runs this one, which would poll the old address again at once.
 */
export const movedScript = (poll: { readonly url: string; readonly token: string }): string =>
  [
    `/system scheduler set [find where name="portico"] on-event=${quoted(pollSource(poll))}`,
    ':error "Portico: this router asks at another address from now on"',
    '',
  ].join('\n');

/** Everything in which the setup script wrote the server's address. May be repeated. */
export function arriveScript(it: ArrivalFacts): string {
  const host = new URL(it.captiveUrl).hostname;
  const announced = it.captiveUrl.startsWith('https:');
  const set = (menu: string, where: string, values: string) => `${menu} set [find where ${where}] ${values}`;
  return [
    isIP(it.radius.host) ? `:local to ${quoted(it.radius.host)}` : `:local to [:resolve ${quoted(it.radius.host)}]`,
    set(
      '/radius',
      mine,
      `address=$to authentication-port=${it.radius.auth_port} accounting-port=${it.radius.acct_port}`,
    ),
    `/radius incoming set port=${it.coaPort}`,
    set(
      '/ip firewall filter',
      `${mine} and chain=input and protocol=udp and src-address!=""`,
      `src-address=$to dst-port=${it.coaPort}`,
    ),
    set('/ip firewall filter', `${mine} and chain=forward and dst-address!=""`, 'dst-address=$to'),
    `/ip hotspot walled-garden remove [find where ${mine}]`,
    `/ip hotspot walled-garden add dst-host=${quoted(host)} action=allow ${mine}`,
    `/ip hotspot walled-garden ip remove [find where ${mine}]`,
    `/ip hotspot walled-garden ip add dst-host=${quoted(host)} action=accept ${mine}`,
    closeAll,
    ...openTo(it.openHosts),
    ...(announced
      ? [
          set(
            '/ip dhcp-server option',
            'name="portico"',
            `value=${quoted(`'${it.captiveUrl}/captive/${it.nasIdentifier}'`)}`,
          ),
        ]
      : []),
    set('/system logging action', 'name="portico"', `remote=$to remote-port=${it.syslogPort}`),
    ...(it.netflowPort ? [set('/ip traffic-flow target', `port=${it.netflowPort}`, 'dst-address=$to')] : []),
    ':local at "portico"',
    ':if ([:len [/file find where name="flash"]] > 0) do={ :set at "flash/portico" }',
    `:foreach p in={${hotspotPages.map(quoted).join(';')}} do={ /tool fetch url=(${quoted(`${it.loginFileUrl}?page=`)} . $p) dst-path=($at . "/" . $p . ".html") }`,
    `/tool fetch url=(${quoted(`${it.report.url}?done=${it.report.id},`)} . "&failed=") http-header-field=${quoted(`x-portico-token: ${it.report.token}`)} output=none`,
    '',
  ].join('\n');
}
