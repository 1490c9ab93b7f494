import { countryCode } from '../country-codes.ts';
import { readKeyValues } from '../key-values.ts';
import { asBytes, asDomain, asName, hostOfUrl, type LogFacts, other } from '../log-line.ts';

type Values = ReadonlyMap<string, string>;

/** SFOS has two spellings: of the older `device` format and of the newer, quoted one. */
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

/** Firewall lines come at the start and at the end of a connection, the end with its bytes: only one of them may count. */
function firewall(values: Values): LogFacts {
  const event = pick(values, 'con_event', 'connevent')?.toLowerCase();
  const allowed = values.get('log_subtype') === 'Allowed';
  const counts = allowed && event !== 'start' && event !== 'interim';
  const facts = traffic('firewall', values, counts ? 1 : 0);
  // Interim lines carry totals so far; adding them to the last one would count twice.
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

/** Sophos UTM: `daemon[pid]: key="value" …`. Its packet filter tells the length of one packet, no traffic. */
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

const bytesTwice = (facts: LogFacts): LogFacts => {
  // The web filter reports a request that the firewall reports again as a connection: bytes of sites come from the former.
  if (facts.type !== 'firewall' || (facts.port !== 80 && facts.port !== 443)) return facts;
  return { ...facts, domain: undefined };
};

/** Reads a line of Sophos Firewall (SFOS, both spellings) or of Sophos UTM. */
export function parseSophosLine(message: string): LogFacts {
  if (message.includes('log_type=')) return bytesTwice(sfos(readKeyValues(message)));
  if (message.includes('sys="')) return utm(readKeyValues(message));
  if (
    /\bdhcpd(?:\[\d+\])?: /.test(message) ||
    /\bDHCP(?:ACK|REQUEST|DISCOVER|OFFER|NAK|INFORM|RELEASE|DECLINE)\b/.test(message)
  )
    return { type: 'dhcp', connections: 0 };
  if (/\bnamed(?:\[\d+\])?: /.test(message)) return { type: 'dns', connections: 0 };
  return other;
}
