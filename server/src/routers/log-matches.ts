import { readKeyValues } from './key-values.ts';

/** A connection as a firewall's line tells it: who, to whom, and as whom the router sent it on. */
export interface Connection {
  readonly source: string;
  readonly sourcePort: number | undefined;
  readonly natAddress: string | undefined;
  readonly natPort: number | undefined;
  readonly destination: string;
  readonly destinationPort: number | undefined;
}

/** An address that a DHCP line lends to a device, or takes back. */
export interface Lease {
  readonly address: string;
  /** `AA:BB:CC:DD:EE:FF`. */
  readonly mac: string;
  readonly ends: boolean;
}

const ip = String.raw`(\d{1,3}(?:\.\d{1,3}){3})`;
const port = (text: string | undefined): number | undefined => {
  const number = text && /^\d{1,5}$/.test(text) ? Number(text) : 0;
  // Zero stands for "not translated" or "not known".
  return number > 0 && number <= 65_535 ? number : undefined;
};
const address = (text: string | undefined): string | undefined =>
  text && text !== '0.0.0.0' && /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) ? text : undefined;

/** RouterOS: `…, proto TCP (SYN), 10.0.0.2:5->1.2.3.4:443, NAT (10.0.0.2:5->5.6.7.8:9)->1.2.3.4:443, len 60`. */
const mikrotik = new RegExp(
  String.raw`, proto [^,]{1,30}, ${ip}(?::(\d{1,5}))?->${ip}(?::(\d{1,5}))?(?:, NAT \(${ip}(?::\d{1,5})?->${ip}(?::(\d{1,5}))?\))?`,
);
/** Fireware: `… 52 tcp 20 63 10.0.1.2 1.2.3.4 40000 443 …`. */
const watchguard = new RegExp(String.raw`(?:^| )${ip} ${ip} (\d{1,5}) (\d{1,5})(?: |$)`);

function fromKeys(values: ReadonlyMap<string, string>): Connection | undefined {
  const source = address(values.get('src_ip') ?? values.get('srcip'));
  const destination = address(values.get('dst_ip') ?? values.get('dstip'));
  if (!source || !destination) return undefined;
  return {
    source,
    sourcePort: port(values.get('src_port') ?? values.get('srcport')),
    natAddress: address(values.get('tran_src_ip') ?? values.get('src_trans_ip')),
    natPort: port(values.get('tran_src_port') ?? values.get('src_trans_port')),
    destination,
    destinationPort: port(values.get('dst_port') ?? values.get('dstport')),
  };
}

/** The connection that a firewall line of any brand tells of; undefined when it tells of none. */
export function readConnection(message: string): Connection | undefined {
  const router = mikrotik.exec(message);
  if (router) {
    const [, source = '', sourcePort, destination = '', destinationPort, , natAddress, natPort] = router;
    // In a line of the other direction the router's own address stands first, and is no translation of the source.
    const translated = router[5] === source;
    return {
      source,
      sourcePort: port(sourcePort),
      natAddress: translated ? address(natAddress) : undefined,
      natPort: translated ? port(natPort) : undefined,
      destination,
      destinationPort: port(destinationPort),
    };
  }
  if (message.includes('msg_id="')) {
    const found = watchguard.exec(message);
    if (!found) return undefined;
    const [, source = '', destination = '', sourcePort, destinationPort] = found;
    const values = readKeyValues(message, found.index + found[0].length);
    return {
      source,
      sourcePort: port(sourcePort),
      natAddress: address(values.get('src_ip_nat')),
      natPort: port(values.get('src_port_nat')),
      destination,
      destinationPort: port(destinationPort),
    };
  }
  return message.includes('src_ip=') || message.includes('srcip=') ? fromKeys(readKeyValues(message)) : undefined;
}

const macText = '([0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5})';
const leases: readonly RegExp[] = [
  // RouterOS: `dhcp1 assigned 10.5.50.9 to AA:… [name]`, from 7 on `for AA:…`; `deassigned … from|for`.
  new RegExp(String.raw`\b(de)?assigned ${ip} (?:to|for|from) ${macText}`),
  // ISC dhcpd (Sophos UTM, Fireware): `DHCPACK on 10.0.0.5 to aa:… (name) via eth1`, `DHCPRELEASE of … from …`.
  new RegExp(String.raw`\bDHCP(?:ACK|(RELEASE)) (?:on|of) ${ip} (?:to|from) ${macText}`),
  // SFOS: `… message="Lease 10.0.0.5 renewed / released … for MAC aa:…"`.
  new RegExp(
    String.raw`\bLease (?:IP )?${ip} (?:(releas|expir)\w*|renew\w*|grant\w*|allocat\w*)?.{0,60}?${macText}`,
    'i',
  ),
];

/** The lease that a DHCP line of any brand tells of; undefined when it tells of none. */
export function readLease(message: string): Lease | undefined {
  for (const [i, pattern] of leases.entries()) {
    const found = pattern.exec(message);
    if (!found) continue;
    const [ends, lent] = i === 2 ? [found[2], found[1]] : [found[1], found[2]];
    const mac = (found[3] as string).replaceAll('-', ':').toUpperCase();
    return { address: lent as string, mac, ends: ends !== undefined };
  }
  return undefined;
}
