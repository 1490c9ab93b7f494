import { isDhcpMessage, readDhcpLease } from '../isc-dhcp.ts';
import { asAddress, asPort, type Connection, type LogFacts, type LogReader, other } from '../log-line.ts';

/*
 * Lines of pfSense's and OPNsense's packet filter, as Netgate's "Raw Filter Log Format" describes them: comma-separated; for
 * IPv4 the sixteenth value onwards is protocol number, protocol, length, source, destination, and ports for TCP and UDP.
 */

const filterLine = /(?:^|\s)filterlog(?:\[\d+\])?:? ?(?=\d)|^(?=\d*,\d*,[^,]*,[^,]*,[a-z0-9._]+,match,)/;

function valuesOf(message: string): string[] | undefined {
  if (!message.includes(',match,')) return undefined;
  const at = filterLine.exec(message);
  const values = at ? message.slice(at.index + at[0].length).split(',') : [];
  return values[8] === '4' && values.length >= 20 ? values : undefined;
}

function parse(message: string): LogFacts {
  if (isDhcpMessage(message)) return { type: 'dhcp', connections: 0 };
  const values = valuesOf(message);
  if (!values) return other;
  return {
    type: 'firewall',
    destination: asAddress(values[19]),
    port: asPort(values[21]),
    protocol: values[16]?.toLowerCase().slice(0, 20),
    connections: values[6] === 'pass' ? 1 : 0,
  };
}

function readConnection(message: string): Connection | undefined {
  if (isDhcpMessage(message)) return undefined;
  const values = valuesOf(message);
  const [source, destination] = [asAddress(values?.[18]), asAddress(values?.[19])];
  if (!source || !destination) return undefined;
  return {
    source,
    sourcePort: asPort(values?.[20]),
    natAddress: undefined,
    natPort: undefined,
    destination,
    destinationPort: asPort(values?.[21]),
  };
}

/** Reads the lines of pfSense and OPNsense. */
export const filterLogs: LogReader = { parse, readConnection, readLease: readDhcpLease };
