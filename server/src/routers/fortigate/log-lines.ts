import { readKeyValues } from '../key-values.ts';
import {
  asAddress,
  asBytes,
  asDomain,
  asName,
  asPort,
  type Connection,
  type Lease,
  type LogFacts,
  type LogReader,
  leaseOf,
  other,
} from '../log-line.ts';

/*
 * The default format of FortiOS's syslog (Fortinet's "FortiOS Log Message Reference", 7.x): `type="traffic" subtype="forward"
 * srcip=… srcport=… dstip=… dstport=… transip=… transport=… proto=6 action="accept" sentbyte=… rcvdbyte=…`.
 */

const protocols: Readonly<Record<string, string>> = { '1': 'icmp', '6': 'tcp', '17': 'udp' };

const allowed = new Set(['accept', 'close', 'timeout', 'client-rst', 'server-rst', 'passthrough']);

function parse(message: string): LogFacts {
  if (!message.includes('type="')) return other;
  const values = readKeyValues(message);
  const connections = allowed.has(values.get('action') ?? '') ? 1 : 0;
  const target = { destination: asAddress(values.get('dstip')), port: asPort(values.get('dstport')) };
  if (values.get('type') === 'traffic')
    return {
      ...target,
      type: 'firewall',
      protocol: protocols[values.get('proto') ?? ''],
      application: asName(values.get('app') ?? values.get('service')),
      recv: asBytes(values.get('rcvdbyte')),
      sent: asBytes(values.get('sentbyte')),
      connections,
    };
  if (values.get('subtype') === 'webfilter')
    return { ...target, type: 'proxy', domain: asDomain(values.get('hostname')), connections };
  if (values.get('subtype') === 'dns') return { type: 'dns', domain: asDomain(values.get('qname')), connections: 0 };
  return (values.get('logdesc') ?? '').startsWith('DHCP') ? { type: 'dhcp', connections: 0 } : other;
}

function readConnection(message: string): Connection | undefined {
  if (!message.includes('type="traffic"')) return undefined;
  const values = readKeyValues(message);
  const source = asAddress(values.get('srcip'));
  const destination = asAddress(values.get('dstip'));
  if (!source || !destination) return undefined;
  return {
    source,
    sourcePort: asPort(values.get('srcport')),
    natAddress: asAddress(values.get('transip')),
    natPort: asPort(values.get('transport')),
    destination,
    destinationPort: asPort(values.get('dstport')),
  };
}

/** `logdesc="DHCP Ack log" dhcp_msg="Ack" mac="…" ip=… `. */
function readLease(message: string): Lease | undefined {
  if (!message.includes('dhcp_msg=')) return undefined;
  const values = readKeyValues(message);
  const [said, address, mac] = [values.get('dhcp_msg'), asAddress(values.get('ip')), values.get('mac') ?? ''];
  if (!address || !/^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(mac)) return undefined;
  return said === 'Ack' || said === 'Release' ? leaseOf(address, mac, said === 'Release') : undefined;
}

/** Reads the lines of FortiOS. */
export const fortigateLogs: LogReader = { parse, readConnection, readLease };
