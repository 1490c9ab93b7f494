/** The kinds of log lines. The law asks for the first three; lines of type `other` are stored but not shown. */
export const logTypes = ['firewall', 'dhcp', 'proxy', 'dns', 'other'] as const;
export type LogType = (typeof logTypes)[number];

/** The data in a log line. `recv` and `sent` count bytes from the guest's side: `recv` is download. */
export interface LogFacts {
  readonly type: LogType;
  /** The host that a guest visited, in lower case. */
  readonly domain?: string | undefined;
  /** Destination address of the guest's connection. */
  readonly destination?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: string | undefined;
  readonly application?: string | undefined;
  /** ISO 3166-1, two letters. */
  readonly country?: string | undefined;
  readonly recv?: number | undefined;
  readonly sent?: number | undefined;
  /** 1 for an allowed connection or request, else 0. */
  readonly connections: 0 | 1;
  /** A name and its address from a DNS answer. */
  readonly answer?: { readonly name: string; readonly address: string } | undefined;
}

/** A connection from a firewall line, with its source NAT. */
export interface Connection {
  readonly source: string;
  readonly sourcePort: number | undefined;
  readonly natAddress: string | undefined;
  readonly natPort: number | undefined;
  readonly destination: string;
  readonly destinationPort: number | undefined;
}

/** A DHCP lease that a line reports as granted or ended. */
export interface Lease {
  readonly address: string;
  /** `AA:BB:CC:DD:EE:FF`. */
  readonly mac: string;
  readonly ends: boolean;
}

/** Reads the messages of log lines, without their syslog header and with one character per byte. It never throws. */
export interface LogReader {
  readonly parse: (message: string) => LogFacts;
  readonly readConnection: (message: string) => Connection | undefined;
  readonly readLease: (message: string) => Lease | undefined;
}

export const other: LogFacts = { type: 'other', connections: 0 };

const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))+$/;
const ipv4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export const isIpv4 = (text: string): boolean => ipv4.test(text);

/** A host name in lower case and without its final dot; undefined for an address or other text. */
export function asDomain(text: string | undefined): string | undefined {
  if (!text) return undefined;
  // Some loggers break long values with a space: `www. example.com`.
  let name = text.includes(' ') ? text.replaceAll(' ', '') : text;
  if (name.endsWith('.')) name = name.slice(0, -1);
  name = name.toLowerCase();
  return hostName.test(name) && !ipv4.test(name) ? name : undefined;
}

/** The host of `scheme://host:port/path`, of `host:port` or of `host/path`. */
export function hostOfUrl(url: string | undefined): string | undefined {
  if (!url) return undefined;
  const scheme = url.indexOf('://');
  const from = scheme > 0 && scheme < 10 ? scheme + 3 : 0;
  let to = from;
  for (; to < url.length; to++) {
    const c = url.charCodeAt(to);
    if (c === 47 || c === 58 || c === 63 || c === 35) break;
  }
  const at = url.lastIndexOf('@', to);
  return asDomain(url.slice(at > from ? at + 1 : from, to));
}

/** A number of bytes with at most 15 digits. */
export function asBytes(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** The first 60 printable characters; undefined if there are none. */
export function asName(text: string | undefined): string | undefined {
  const name = text
    ?.replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 60);
  return name || undefined;
}

/** A port from 1 to 65535. Loggers write 0 for "not translated" and "unknown". */
export function asPort(text: string | undefined): number | undefined {
  const number = text && /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= 65_535 ? number : undefined;
}

/** An IPv4 address other than 0.0.0.0. */
export const asAddress = (text: string | undefined): string | undefined =>
  text && text !== '0.0.0.0' && isIpv4(text) ? text : undefined;

/** Patterns that drivers build their expressions from. */
export const ipv4Pattern = String.raw`(\d{1,3}(?:\.\d{1,3}){3})`;
export const macPattern = '([0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5})';

export const leaseOf = (address: string, mac: string, ends: boolean): Lease => ({
  address,
  mac: mac.replaceAll('-', ':').toUpperCase(),
  ends,
});
