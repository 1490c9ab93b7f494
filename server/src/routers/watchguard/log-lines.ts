import { countryCode } from '../country-codes.ts';
import { dhcpMessageAt, readDhcpLease } from '../isc-dhcp.ts';
import { readKeyValues } from '../key-values.ts';
import {
  asAddress,
  asBytes,
  asDomain,
  asName,
  asPort,
  type Connection,
  ipv4Pattern,
  type LogFacts,
  type LogReader,
  other,
} from '../log-line.ts';

/*
 * Fireware: `serial (time) process[pid]: msg_id="3000-0148" Allow in-interface out-interface 52 tcp 20 127 source destination
 * sport dport … key="value" (policy)`. The fields before the keys are positional; proxies leave three of them out.
 */
const message = /msg_id="([0-9A-F]{4})-([0-9A-F]{4})" {0,4}(.*)$/s;
const connection =
  /^(Allow|Deny) {1,4}(\S{1,60}(?: \S{1,60}){1,7}?) {1,4}(?:\d{1,6} {1,4})?(tcp|udp|icmp|igmp|gre|esp|ah|[a-z0-9/-]{2,20}) {1,4}(?:\d{1,5} {1,4}\d{1,5} {1,4})?([0-9a-fA-F.:]{3,45}) {1,4}([0-9a-fA-F.:]{3,45})(?: {1,4}(\d{1,5}) {1,4}(\d{1,5}))?/;
/** Message areas: the packet filter, and the proxies for HTTP, HTTPS, DNS, FTP, SMTP, POP3, IMAP, SIP, H.323, TCP-UDP. */
const packetFilter = '3000';
const webProxies = new Set(['1AFF', '2CFF', '1CFF', '2DFF', '1BFF', '21FF', '28FF', '20FF', '2AFF']);
const dnsProxy = '1DFF';
const dhcpAreas = new Set(['1600', '1601', '1602']);

/** Traffic of the Firebox itself, whose interface is named `Firebox`. */
const ownTraffic = /^Firebox\s|\sFirebox$/;

/** Whether a line is dhcpd's own. The name of a guest device behind its beginning may look like a message of the firewall. */
const isOfDhcpd = (line: string): boolean => {
  const [at, id] = [dhcpMessageAt(line), line.indexOf('msg_id="')];
  return at >= 0 && (id < 0 || at < id);
};

function parse(line: string): LogFacts {
  if (isOfDhcpd(line)) return { type: 'dhcp', connections: 0 };
  const [, area, id, rest] = message.exec(line) ?? [];
  if (area === undefined || id === undefined || rest === undefined) return other;
  if (dhcpAreas.has(area)) return { type: 'dhcp', connections: 0 };
  const found = connection.exec(rest);
  if (!found) return other;
  const [, action, interfaces = '', protocol, , destination, , port] = found;
  const values = readKeyValues(rest, found[0].length);
  const isProxy = webProxies.has(area) || values.has('proxy_act');
  // Only the summary with the bytes counts, because a connection has several lines.
  const isSummary = values.has('sent_bytes') || values.has('rcvd_bytes');
  const isPacket = area === packetFilter && id === '0148';
  const allowed = action === 'Allow' && !ownTraffic.test(interfaces);
  return {
    type: area === dnsProxy ? 'dns' : isProxy ? 'proxy' : 'firewall',
    domain: asDomain(values.get('dstname') ?? values.get('host') ?? values.get('sni')),
    destination,
    port: port === undefined ? undefined : Number(port),
    protocol,
    application: asName(values.get('app_name')),
    country: countryCode(values.get('geo_dst')),
    recv: allowed ? asBytes(values.get('rcvd_bytes')) : undefined,
    sent: allowed ? asBytes(values.get('sent_bytes')) : undefined,
    connections: allowed && (isSummary || isPacket) ? 1 : 0,
  };
}

/** `… 52 tcp 20 63 10.0.1.2 1.2.3.4 40000 443 …`. */
const endpoints = new RegExp(String.raw`(?:^| )${ipv4Pattern} ${ipv4Pattern} (\d{1,5}) (\d{1,5})(?: |$)`);

function readConnection(line: string): Connection | undefined {
  const found = line.includes('msg_id="') && !isOfDhcpd(line) ? endpoints.exec(line) : null;
  if (!found) return undefined;
  const [, source = '', destination = '', sourcePort, destinationPort] = found;
  const values = readKeyValues(line, found.index + found[0].length);
  return {
    source,
    sourcePort: asPort(sourcePort),
    natAddress: asAddress(values.get('src_ip_nat')),
    natPort: asPort(values.get('src_port_nat')),
    destination,
    destinationPort: asPort(destinationPort),
  };
}

/** Reads WatchGuard Fireware lines: traffic, proxies and DHCP events. */
export const watchguardLogs: LogReader = { parse, readConnection, readLease: readDhcpLease };
