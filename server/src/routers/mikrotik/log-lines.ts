import {
  asAddress,
  asDomain,
  asPort,
  type Connection,
  hostOfUrl,
  ipv4Pattern,
  isIpv4,
  type Lease,
  type LogFacts,
  type LogReader,
  leaseOf,
  macPattern,
  other,
} from '../log-line.ts';

/*
 * RouterOS writes `topics prefix: message`, and with bsd-syslog `prefix: message`. The message may therefore start anywhere.
 * `len` in a firewall line is the length of one packet, so these lines count connections and no bytes.
 */
const dhcp =
  /(?:^|\s)(?:de)?assigned (?:\d[\d.]{6,14}|[0-9a-f:]{2,45}) (?:to|for|from) |(?:^|[\s:])(?:sending|received) (?:discover|offer|request|ack|nak|decline|release|inform)\b|\bdhcp,/;
const proxy = /(?:^|\s)(?:\d[\d.]{6,14}|[0-9a-f:]{2,45}) ([A-Z]{3,10}) (\S{1,4096})\s{1,4}action=(\w{1,20})/;
const dnsAnswer = /(?:^|\s)done query: #\d{1,12} (\S{1,254}) (\S{1,45})/;
const dns = /(?:^|\s)(?:query from [\da-f]|(?:done|local) query: #)|\bdns,/;
const guestChain = /(?:^|\s)(?:forward|srcnat|prerouting|postrouting): ?$/;
const anyChain = /(?:^|\s)(?:input|output|forward|srcnat|dstnat|prerouting|postrouting): ?$/;
const deniedPrefix = /\b(?:drop|reject|deny|block)/i;
const protocolName = /^[A-Za-z0-9-]{1,20}$/;

/** Reads `1.2.3.4:443`, `[2001:db8::1]:443` or an address alone. */
function endpointOf(text: string): { address: string; port?: number | undefined } {
  const colon = text.lastIndexOf(':');
  if (text.startsWith('[')) {
    const end = text.indexOf(']');
    return {
      address: text.slice(1, end < 0 ? undefined : end),
      port: colon > end ? Number(text.slice(colon + 1)) : undefined,
    };
  }
  if (colon < 0 || text.indexOf(':') !== colon) return { address: text };
  return { address: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

/** Reads `chain: in:ether1 out:bridge, connection-state:new src-mac …, proto TCP (SYN), 1.2.3.4:5->6.7.8.9:443, len 60`. */
function parseFirewall(message: string): LogFacts | undefined {
  const start = message.indexOf(' in:');
  const before = message.slice(Math.max(0, start - 200), start);
  // Lines without a MAC address have no comma before `proto`.
  const proto = message.indexOf(' proto ', start);
  const arrow = proto < 0 ? -1 : message.indexOf('->', proto);
  if (arrow < 0) return anyChain.test(before) ? { type: 'firewall', connections: 0 } : undefined;
  const name = message.slice(proto + 7, proto + 29).split(/[ ,]/, 1)[0] as string;
  const comma = message.indexOf(',', arrow);
  const { address, port } = endpointOf(
    message.slice(arrow + 2, comma < 0 ? Math.min(message.length, arrow + 60) : comma).trim(),
  );
  // The input and output chains carry the router's own traffic.
  const counts = guestChain.test(before) && !deniedPrefix.test(before);
  return {
    type: 'firewall',
    destination: address.length <= 45 ? address : undefined,
    port: port !== undefined && port <= 65_535 ? port : undefined,
    protocol: protocolName.test(name) ? name.toLowerCase() : undefined,
    connections: counts ? 1 : 0,
  };
}

function parseProxy(message: string): LogFacts | undefined {
  const found = proxy.exec(message);
  if (!found) return undefined;
  const [, method, url, action] = found;
  return {
    type: 'proxy',
    domain: hostOfUrl(url),
    protocol: 'tcp',
    port: method === 'CONNECT' || url?.startsWith('https:') ? 443 : 80,
    connections: action === 'allow' ? 1 : 0,
  };
}

function parseDns(message: string): LogFacts {
  const [, name, address] = dnsAnswer.exec(message) ?? [];
  const domain = asDomain(name);
  const isAnswer = domain && address && (isIpv4(address) || address.includes(':'));
  return { type: 'dns', connections: 0, answer: isAnswer ? { name: domain, address } : undefined };
}

/** `CEF:0|MikroTik|board|version|class|topics|severity|dvchost=… msg=…`. */
const cef = /^CEF:0\|MikroTik\|(?:[^|]{0,80}\|){3}([\w,-]{1,80})\|[^|]{0,20}\|[^\n]{0,300}?\bmsg=/;

/** A CEF line as `topics message`. */
function withoutCef(message: string): string {
  const found = message.startsWith('CEF:') ? cef.exec(message) : null;
  return found ? `${found[1]} ${message.slice(found[0].length).replaceAll(/\\([=\\])/g, '$1')}` : message;
}

const kinds = ['firewall', 'web-proxy', 'dns', 'dhcp'] as const;
type Kind = (typeof kinds)[number];

/** Topics of RouterOS 6 and 7, one of which begins each list of topics. */
const knownTopics = new Set(
  (
    'account acme amt async backup bfd bgp bluetooth bridge calc caps certificate container critical ddns debug dhcp disk dns ' +
    'dot1x dude e-mail error event evpn fetch firewall gps gsm health hotspot igmp-proxy info interface iot ipsec ipv6 iscsi isdn ' +
    'isis kidcontrol kvm l2tp ldp lora lte macsec manager mme mpls mqtt mvrp natpmp netinstall netwatch ntp ' +
    'ospf ovpn packet pim poe-out ppp pppoe pptp ptp queue radius radvd raw read reply rip route rpki rsvp script sertcp ' +
    'simulator smb snmp socksify ssh ssld sstp state store stp system telephony tftp timer tr069 update ' +
    'upnp ups vpls vrrp warning watchdog web-proxy wireguard wireless write zerotier'
  ).split(' '),
);
const topics = /^[a-z0-9-]{2,24}(?:,[a-z0-9!-]{1,24}){1,5}(?= )/;
const isFirewall = (message: string): boolean => message.includes(' in:') && message.includes(' out:');

/**
 * The kind of a line: by its topics, else by what begins first. Names that guests chose stand behind it, such as that of a
 * device in a DHCP line. They may look like a line of another kind. A log prefix with a comma, such as `drop,wan`, is no list
 * of topics.
 */
function kindOf(message: string): Kind | undefined {
  const written = topics.exec(message)?.[0].split(',');
  if (written && knownTopics.has(written[0] as string)) return kinds.find(it => written.includes(it));
  // Most lines are these. Nothing that a guest wrote stands before.
  const firewall = isFirewall(message) ? message.slice(0, message.indexOf(' in:')) : undefined;
  if (firewall !== undefined && !dns.test(firewall) && !dhcp.test(firewall)) return 'firewall';
  const names = dns.exec(message)?.index ?? message.length;
  const leases = dhcp.exec(message)?.index ?? message.length;
  const pages = message.includes('action=')
    ? (proxy.exec(message)?.index ?? message.length)
    : message.includes('web-proxy,')
      ? 0
      : message.length;
  const first = Math.min(names, leases, pages);
  if (first === message.length) return undefined;
  if (first === pages) return 'web-proxy';
  return first === names ? 'dns' : 'dhcp';
}

function parse(line: string): LogFacts {
  const message = withoutCef(line);
  switch (kindOf(message)) {
    case 'firewall':
      return (isFirewall(message) && parseFirewall(message)) || other;
    case 'web-proxy':
      return parseProxy(message) ?? { type: 'proxy', connections: 0 };
    case 'dns':
      return parseDns(message);
    case 'dhcp':
      return { type: 'dhcp', connections: 0 };
    default:
      return other;
  }
}

/** `…, proto TCP (SYN), 10.0.0.2:5->1.2.3.4:443, NAT (10.0.0.2:5->5.6.7.8:9)->1.2.3.4:443, len 60`. */
const translation = new RegExp(
  String.raw` proto [^,]{1,30}, ${ipv4Pattern}(?::(\d{1,5}))?->${ipv4Pattern}(?::(\d{1,5}))?(?:, NAT \(${ipv4Pattern}(?::\d{1,5})?->${ipv4Pattern}(?::(\d{1,5}))?\))?`,
);

function readConnection(message: string): Connection | undefined {
  const found = kindOf(withoutCef(message)) === 'firewall' ? translation.exec(message) : null;
  if (!found) return undefined;
  const [, source = '', sourcePort, destination = '', destinationPort, natSource, natAddress, natPort] = found;
  // In a line of the reverse direction the first address is the router's own, so this is no source NAT.
  const isSourceNat = natSource === source;
  return {
    source,
    sourcePort: asPort(sourcePort),
    natAddress: isSourceNat ? asAddress(natAddress) : undefined,
    natPort: isSourceNat ? asPort(natPort) : undefined,
    destination,
    destinationPort: asPort(destinationPort),
  };
}

/**
 * `dhcp1 assigned 10.5.50.9 to AA:… [name]`, since RouterOS 7 `for AA:…`; `deassigned … from|for`. Debug lines have the options of a
 * packet, such as `Host-Name = "…"`, and a guest chose their text.
 */
const lease = new RegExp(String.raw`^[^"=]{0,200}?\b(de)?assigned ${ipv4Pattern} (?:to|for|from) ${macPattern}`);

function readLease(line: string): Lease | undefined {
  const message = withoutCef(line);
  const [, ends, address, mac] = (kindOf(message) === 'dhcp' && lease.exec(message)) || [];
  return address && mac ? leaseOf(address, mac, ends !== undefined) : undefined;
}

/** Reads RouterOS lines in all remote formats: firewall, web-proxy, dhcp and dns topics. */
export const mikrotikLogs: LogReader = { parse, readConnection, readLease };
