import {
  asAddress,
  asPort,
  type Connection,
  ipv4Pattern,
  type Lease,
  type LogFacts,
  type LogReader,
  leaseOf,
  macPattern,
  other,
} from './log-line.ts';

/** `DHCPACK(br-lan) 10.1.0.5 aa:bb:cc:dd:ee:ff name`, as dnsmasq writes it. */
const dnsmasqLease = new RegExp(String.raw`DHCP(?:ACK|(RELEASE))\([^)]{1,40}\) ${ipv4Pattern} ${macPattern}`, 'y');
const dnsmasqDhcp = /\bDHCP[A-Z]{3,8}\([^)]{1,40}\) /;

/** A line of the netfilter target LOG: `… IN=br-lan OUT=eth0 SRC=10.1.0.5 DST=… PROTO=TCP SPT=… DPT=…`. */
const isPacket = (line: string): boolean =>
  line.includes('SRC=') && line.includes(' DST=') && line.includes(' PROTO=') && line.includes('IN=');

/** Flags without a value, such as `SYN`, follow the values, which contain no spaces. */
const value = (line: string, name: string): string | undefined => {
  const at = line.indexOf(` ${name}=`);
  if (at < 0) return undefined;
  const from = at + name.length + 2;
  const end = line.indexOf(' ', from);
  return line.slice(from, end < 0 ? undefined : end);
};

function readConnection(line: string): Connection | undefined {
  // A DHCP line ends with a name that the guest device chose.
  if (!isPacket(line) || dnsmasqDhcp.test(line)) return undefined;
  const source = asAddress(value(line, 'SRC'));
  const destination = asAddress(value(line, 'DST'));
  if (!source || !destination) return undefined;
  return {
    source,
    sourcePort: asPort(value(line, 'SPT')),
    natAddress: undefined,
    natPort: undefined,
    destination,
    destinationPort: asPort(value(line, 'DPT')),
  };
}

function parse(line: string): LogFacts {
  if (dnsmasqDhcp.test(line)) return { type: 'dhcp', connections: 0 };
  const connection = readConnection(line);
  if (!connection) return other;
  return {
    type: 'firewall',
    destination: connection.destination,
    port: connection.destinationPort,
    protocol: value(line, 'PROTO')?.toLowerCase().slice(0, 20),
    // Only forwarded packets are a guest's.
    connections: value(line, 'OUT') ? 1 : 0,
  };
}

function readLease(line: string): Lease | undefined {
  const first = dnsmasqDhcp.exec(line);
  if (!first) return undefined;
  dnsmasqLease.lastIndex = first.index;
  const [, release, address, mac] = dnsmasqLease.exec(line) ?? [];
  return address && mac ? leaseOf(address, mac, release !== undefined) : undefined;
}

/** Reads the lines of a Linux gateway, such as OpenWrt: netfilter's LOG target and dnsmasq. */
export const linuxLogs: LogReader = { parse, readConnection, readLease };
