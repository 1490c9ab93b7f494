import { countryCode } from '../country-codes.ts';
import { isDhcpMessage, readDhcpLease } from '../isc-dhcp.ts';
import { readKeyValues } from '../key-values.ts';
import {
  asAddress,
  asBytes,
  asDomain,
  asName,
  asPort,
  type Connection,
  hostOfUrl,
  ipv4Pattern,
  type Lease,
  type LogFacts,
  type LogReader,
  leaseOf,
  macPattern,
  other,
} from '../log-line.ts';

type Values = ReadonlyMap<string, string>;

/** SFOS has two sets of names: the older `device` format and the newer, quoted one. */
const pick = (values: Values, ...keys: string[]): string | undefined => {
  for (const key of keys) {
    const value = values.get(key);
    if (value) return value;
  }
  return undefined;
};

const port = (text: string | undefined): number | undefined =>
  text && /^\d{1,5}$/.test(text) ? Number(text) : undefined;

function traffic(type: LogFacts['type'], values: Values, connections: 0 | 1): LogFacts {
  return {
    type,
    domain: asDomain(pick(values, 'domain', 'domainname', 'dst_domainname')) ?? hostOfUrl(values.get('url')),
    destination: pick(values, 'dst_ip'),
    port: port(values.get('dst_port')),
    protocol: values.get('protocol')?.toLowerCase(),
    application: asName(pick(values, 'app_name', 'application', 'application_name')),
    country: countryCode(pick(values, 'dst_country', 'dst_country_code')),
    recv: asBytes(pick(values, 'bytes_received', 'recv_bytes')),
    sent: asBytes(pick(values, 'bytes_sent', 'sent_bytes')),
    connections,
  };
}

/** SFOS logs the start and the end of a connection. Only the end, which has the bytes, is counted. */
function firewall(values: Values): LogFacts {
  const event = pick(values, 'con_event', 'connevent')?.toLowerCase();
  const allowed = values.get('log_subtype') === 'Allowed';
  const counts = allowed && event !== 'start' && event !== 'interim';
  const facts = traffic('firewall', values, counts ? 1 : 0);
  // Interim lines carry running totals, which the last line repeats.
  return event === 'interim' || !allowed ? { ...facts, recv: undefined, sent: undefined } : facts;
}

function sfos(values: Values): LogFacts {
  switch (values.get('log_type')) {
    case 'Firewall':
      return firewall(values);
    case 'Content Filtering':
      return traffic('proxy', values, values.get('log_subtype') === 'Allowed' ? 1 : 0);
    case 'Anti-Virus':
    case 'Sandbox':
      return values.has('url') ? traffic('proxy', values, 0) : other;
    case 'Event':
      return /^DHCP/.test(values.get('log_component') ?? '') ? { type: 'dhcp', connections: 0 } : other;
    default:
      return other;
  }
}

/** Sophos UTM: `daemon[pid]: key="value" …`. Its packet filter logs the length of one packet only. */
function utm(values: Values): LogFacts {
  const sub = values.get('sub');
  if (sub === 'packetfilter') {
    return {
      type: 'firewall',
      destination: values.get('dstip'),
      port: port(values.get('dstport')),
      protocol: { '6': 'tcp', '17': 'udp', '1': 'icmp' }[values.get('proto') ?? ''],
      connections: values.get('action') === 'accept' ? 1 : 0,
    };
  }
  if (sub !== 'http') return other;
  const passed = values.get('action') === 'pass';
  return {
    type: 'proxy',
    domain: hostOfUrl(values.get('url')),
    destination: values.get('dstip'),
    application: asName(values.get('application')),
    recv: passed ? asBytes(values.get('size')) : undefined,
    connections: passed ? 1 : 0,
  };
}

/** The web filter logs a request that the firewall logs again as a connection. Only the web filter's line counts for the site. */
const withoutRepeatedDomain = (facts: LogFacts): LogFacts => {
  if (facts.type !== 'firewall' || (facts.port !== 80 && facts.port !== 443)) return facts;
  return { ...facts, domain: undefined };
};

function parse(message: string): LogFacts {
  if (message.includes('log_type=')) return withoutRepeatedDomain(sfos(readKeyValues(message)));
  if (message.includes('sys="')) return utm(readKeyValues(message));
  if (/\bdhcpd(?:\[\d+\])?: /.test(message) || isDhcpMessage(message)) return { type: 'dhcp', connections: 0 };
  if (/\bnamed(?:\[\d+\])?: /.test(message)) return { type: 'dns', connections: 0 };
  return other;
}

function readConnection(message: string): Connection | undefined {
  if (!message.includes('src_ip=') && !message.includes('srcip=')) return undefined;
  const values = readKeyValues(message);
  const source = asAddress(values.get('src_ip') ?? values.get('srcip'));
  const destination = asAddress(values.get('dst_ip') ?? values.get('dstip'));
  if (!source || !destination) return undefined;
  return {
    source,
    sourcePort: asPort(values.get('src_port') ?? values.get('srcport')),
    natAddress: asAddress(values.get('tran_src_ip') ?? values.get('src_trans_ip')),
    natPort: asPort(values.get('tran_src_port') ?? values.get('src_trans_port')),
    destination,
    destinationPort: asPort(values.get('dst_port') ?? values.get('dstport')),
  };
}

/** SFOS: `… message="Lease 10.0.0.5 renewed / released … for MAC aa:…"`. */
const lease = new RegExp(
  String.raw`\bLease (?:IP )?${ipv4Pattern} (?:(releas|expir)\w*|renew\w*|grant\w*|allocat\w*)?.{0,60}?${macPattern}`,
  'i',
);

function readLease(message: string): Lease | undefined {
  const [, address, ends, mac] = lease.exec(message) ?? [];
  return address && mac ? leaseOf(address, mac, ends !== undefined) : readDhcpLease(message);
}

/** Reads lines of Sophos Firewall (SFOS, both sets of names) and of Sophos UTM. */
export const sophosLogs: LogReader = { parse, readConnection, readLease };
