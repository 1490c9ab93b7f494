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

const daemon = /\b(?:dhcpd|named)(?:\[\d+\])?: /;

/**
 * The first mark tells the kind of a line. Names that guests chose come after it, and may look like a line of another kind.
 * `keys`: SFOS or UTM.
 */
function kindOf(message: string): 'keys' | 'dhcp' | 'dns' | undefined {
  const named = daemon.exec(message);
  const starts = [message.indexOf('log_type='), message.indexOf('sys="'), dhcpMessageAt(message), named?.index ?? -1];
  const first = Math.min(...starts.filter(at => at >= 0));
  if (first === Number.POSITIVE_INFINITY) return undefined;
  if (first === starts[0] || first === starts[1]) return 'keys';
  return first === named?.index && named[0].startsWith('named') ? 'dns' : 'dhcp';
}

function parse(message: string): LogFacts {
  const kind = kindOf(message);
  if (kind !== 'keys') return kind ? { type: kind, connections: 0 } : other;
  const values = readKeyValues(message);
  return values.has('log_type') ? withoutRepeatedDomain(sfos(values)) : utm(values);
}

function readConnection(message: string): Connection | undefined {
  if (parse(message).type !== 'firewall') return undefined;
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
  if (kindOf(message) !== 'keys') return readDhcpLease(message);
  const [, address, ends, mac] = lease.exec(message) ?? [];
  return address && mac ? leaseOf(address, mac, ends !== undefined) : undefined;
}

/** Reads lines of Sophos Firewall (SFOS, both sets of names) and of Sophos UTM. */
export const sophosLogs: LogReader = { parse, readConnection, readLease };
