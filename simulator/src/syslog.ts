import { createSocket } from 'node:dgram';

export type LogTopic = 'firewall' | 'dhcp' | 'web-proxy' | 'dns';

export interface SyslogOptions {
  readonly host: string;
  readonly port: number;
  /** Local address to send from. */
  readonly from?: string | undefined;
  /** The router's identity, which is also the prefix of its remote logging action. */
  readonly nasIdentifier: string;
}

export interface SyslogSender {
  readonly send: (topic: LogTopic, message: string) => void;
  readonly sent: () => number;
  readonly close: () => void;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (n: number): string => String(n).padStart(2, '0');

/** The time stamp of RFC 3164: local time without a year. */
const stamp = (at: Date): string =>
  `${months[at.getMonth()]} ${String(at.getDate()).padStart(2, ' ')} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;

// Facility daemon, severity informational.
const priority = 3 * 8 + 6;

/**
 * A line as RouterOS sends it with `bsd-syslog=yes`. That format drops the topics, so the router's identity is also set
 * as prefix.
 */
export const bsdLine = (nasIdentifier: string, message: string, at = new Date()): string =>
  `<${priority}>${stamp(at)} ${nasIdentifier} ${nasIdentifier}: ${message}`;

/** Sends log lines by UDP; like a real router, it does not notice lost ones. */
export const openSyslog = ({ host, port, from, nasIdentifier }: SyslogOptions): SyslogSender => {
  const socket = createSocket('udp4');
  let sent = 0;
  socket.on('error', () => undefined);
  socket.unref();
  if (from) socket.bind({ address: from, port: 0 });
  return {
    send: (_topic, message) => {
      sent += 1;
      socket.send(bsdLine(nasIdentifier, message), port, host, () => undefined);
    },
    sent: () => sent,
    close: () => socket.close(),
  };
};

/** The messages of RouterOS 7's topics. */
export const logMessage = {
  connection: (it: {
    readonly ip: string;
    readonly mac: string;
    readonly port: number;
    readonly to: string;
    readonly toPort: number;
    readonly proto: 'TCP (SYN)' | 'UDP';
    readonly length: number;
  }) =>
    `forward: in:bridge-guest out:ether1, connection-state:new src-mac ${it.mac.toLowerCase()}, proto ${it.proto}, ` +
    `${it.ip}:${it.port}->${it.to}:${it.toPort}, len ${it.length}`,
  assigned: (it: { readonly ip: string; readonly mac: string; readonly name: string }) =>
    `dhcp1 assigned ${it.ip} to ${it.mac}${it.name ? ` ${it.name}` : ''}`,
  deassigned: (it: { readonly ip: string; readonly mac: string; readonly name: string }) =>
    `dhcp1 deassigned ${it.ip} from ${it.mac}${it.name ? ` ${it.name}` : ''}`,
  proxy: (it: { readonly ip: string; readonly url: string; readonly hit: boolean }) =>
    `${it.ip} GET ${it.url}  action=allow cache=${it.hit ? 'HIT' : 'MISS'}`,
  query: (it: { readonly ip: string; readonly number: number; readonly domain: string }) =>
    `query from ${it.ip}: #${it.number} ${it.domain}. A`,
  answer: (it: { readonly number: number; readonly domain: string; readonly address: string }) =>
    `done query: #${it.number} ${it.domain} ${it.address}`,
} as const;
