import { isIP } from 'node:net';
import { type MikrotikScriptForm, subnetPrefix } from '@portico/contract/device-setup.ts';
import type { ScriptFacts } from '../driver.ts';
import { fetchLines, hotspotPages, withFlash } from './hotspot-pages.ts';
import { openTo } from './open-hosts.ts';
import { pollSource } from './poll-script.ts';
import { quoted } from './quoted.ts';
import { removals } from './undo-script.ts';

const toNumber = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const toAddress = (n: number): string => [24, 16, 8, 0].map(shift => Math.floor(n / 2 ** shift) % 256).join('.');

/** The guests' network: its address, the router's address in it, and the address ranges for guests. */
function planNetwork(form: MikrotikScriptForm) {
  const prefix = subnetPrefix(form.hotspot_subnet)!;
  const size = 2 ** (32 - prefix);
  const network = Math.floor(toNumber(form.hotspot_address) / size) * size;
  // If the operator entered the network's address, the router takes the first one in it.
  const router = toNumber(form.hotspot_address) === network ? network + 1 : toNumber(form.hotspot_address);
  const [first, last] = [network + 1, network + size - 2];
  const ranges = [
    [first, router - 1],
    [router + 1, last],
  ].flatMap(([from, to]) => (from! <= to! ? [`${toAddress(from!)}-${toAddress(to!)}`] : []));
  return { prefix, network: `${toAddress(network)}/${prefix}`, router: toAddress(router), ranges: ranges.join(',') };
}

/** The ports of our server that take the router's word. Guests have no business there. */
const closedPorts = (it: ScriptFacts): [string, number[]][] => {
  const set = (ports: (number | undefined)[]) => ports.filter(port => port !== undefined);
  return [
    ['udp', set([it.radius.auth_port, it.radius.acct_port, it.syslogPort, it.netflowPort])],
    ['tcp', set([it.syslogPort, it.syslogTlsPort, it.radsecPort])],
  ];
};

/** RouterOS needs addresses for RADIUS and syslog servers, so a name is resolved when the script runs. */
const addressOf = (host: string): string => (isIP(host) ? host : `[:resolve ${quoted(host)}]`);

/**
 * The setup script for RouterOS 7 or 6.49. It can be pasted repeatedly: it first removes everything that an earlier run
 * created, marked by the comment or name `portico`.
 */
export function mikrotikScript(it: ScriptFacts): string {
  const net = planNetwork(it);
  const seven = it.version === '7';
  const server = addressOf(it.radius.host);
  const host = new URL(it.captiveUrl).hostname;
  // RFC 8910 requires https, as anyone on the network could answer over http.
  const announces = it.captiveUrl.startsWith('https:');
  const portalApi = `${it.captiveUrl}/captive/${it.nasIdentifier}`;
  const clean = removals(it.netflowPort);
  const radiusAuth = seven ? ' require-message-auth=yes-for-request-resp' : '';
  const remoteFormat = seven ? ' remote-log-format=syslog' : ' bsd-syslog=yes syslog-facility=local0';
  const lines = [
    `# Portico: guest Wi-Fi for RouterOS ${seven ? '7.18 or later' : '6.49'}. Paste it into a terminal; it may be pasted again.`,
    '# Take away what an earlier run made',
    ...clean,
    '',
    '# The name this router is known by',
    `/system identity set name=${quoted(it.nasIdentifier)}`,
    '',
    '# The guests’ network',
    '/interface bridge add name="portico" comment="portico"',
    ...it.guestInterfaces.flatMap(name => [
      `/interface bridge port remove [find where interface=${quoted(name)}]`,
      `/interface bridge port add bridge="portico" interface=${quoted(name)} comment="portico"`,
    ]),
    `/ip address add address=${net.router}/${net.prefix} interface="portico" comment="portico"`,
    `/ip pool add name="portico" ranges=${net.ranges}`,
    ...(announces
      ? [`/ip dhcp-server option add name="portico" code=114 value=${quoted(`'${portalApi}'`)}`]
      : ['# DHCP option 114 tells phones of the portal (RFC 8910); it needs a portal address with https.']),
    `/ip dhcp-server network add address=${net.network} gateway=${net.router} dns-server=${net.router}${announces ? ' dhcp-option="portico"' : ''} comment="portico"`,
    '/ip dhcp-server add name="portico" interface="portico" address-pool="portico" lease-time=1h disabled=no',
    '/ip dns set allow-remote-requests=yes',
    ...['udp', 'tcp'].map(
      protocol =>
        `/ip firewall filter add chain=input in-interface=${quoted(it.gateway_interface)} protocol=${protocol} dst-port=53 action=drop comment="portico"`,
    ),
    `/ip firewall nat add chain=srcnat src-address=${net.network} out-interface=${quoted(it.gateway_interface)} action=masquerade comment="portico"`,
    '',
    '# Sign-in and accounting',
    `/radius add service=hotspot address=${server} secret=${quoted(it.secret)} authentication-port=${it.radius.auth_port} accounting-port=${it.radius.acct_port} timeout=3s${radiusAuth} comment="portico"`,
    `/radius incoming set accept=yes port=${it.coaPort}`,
    `/ip firewall filter add chain=input protocol=udp dst-port=${it.coaPort} src-address=${server} action=accept comment="portico"`,
    `/ip hotspot profile add name="portico" hotspot-address=${net.router} login-by=http-pap use-radius=yes radius-accounting=yes radius-interim-update=received html-directory="portico"`,
    '/ip hotspot add name="portico" interface="portico" address-pool="portico" profile="portico" addresses-per-mac=2 disabled=no',
    '',
    '# The portal is open to guests before they sign in',
    `/ip hotspot walled-garden add dst-host=${quoted(host)} action=allow comment="portico"`,
    `/ip hotspot walled-garden ip add dst-host=${quoted(host)} action=accept comment="portico"`,
    ...(it.openHosts?.length ? ['# So are the providers of payments and sign-ins', ...openTo(it.openHosts)] : []),
    '',
    '# The pages of the hotspot, which lead to the portal',
    ...hotspotPages.flatMap(page => fetchLines(page, it.loginFileUrl)),
    withFlash('/ip hotspot profile set [find where name="portico"] html-directory="flash/portico"'),
    '',
    '# Orders from the panel, fetched every minute',
    `/system scheduler add name="portico" interval=1m start-time=startup policy=ftp,read,write,test on-event=${quoted(pollSource(it.poll))} comment="portico"`,
    '',
    '# The record that the law asks for',
    `/system logging action add name="portico" target=remote remote=${server} remote-port=${it.syslogPort}${remoteFormat}`,
    ...['firewall', 'dhcp', 'web-proxy', 'dns'].map(
      topic => `/system logging add topics=${topic} action="portico" prefix=${quoted(it.nasIdentifier)}`,
    ),
    ...(it.netflowPort
      ? [
          '',
          '# How many bytes went to which site',
          '/ip traffic-flow set enabled=yes active-flow-timeout=1m',
          `/ip traffic-flow target add dst-address=${server} port=${it.netflowPort} version=9`,
          '',
        ]
      : []),
    // Behind the router's address, guests' packets would pass for its own. By interface, as a guest chooses a source address.
    ...closedPorts(it).map(
      ([protocol, ports]) =>
        `/ip firewall filter add chain=forward in-interface="portico" dst-address=${server} protocol=${protocol} dst-port=${ports.join(',')} action=drop comment="portico"`,
    ),
    `/ip firewall filter add chain=forward connection-state=new src-address=${net.network} action=log log-prefix="fw" comment="portico"`,
    // These rules must come first in their chain, in this order, before fasttrack takes the connection. The commands share one
    // line, because a terminal forgets local variables at the end of a line.
    // The router's own filter ends with "drop all not coming from LAN", before which the rule of the CoA port must stand.
    ...['forward', 'input'].map(
      chain =>
        `:do { ${[
          `:local mine [/ip firewall filter find where chain=${chain} and comment="portico"]`,
          `:local others [/ip firewall filter find where chain=${chain} and comment!="portico" and dynamic=no]`,
          ':if ([:len $others] > 0) do={ /ip firewall filter move $mine destination=($others->0) }',
        ].join('; ')} }`,
    ),
    '',
    `:log info ${quoted('Portico is set up')}`,
  ];
  return `${lines.join('\n')}\n`;
}
