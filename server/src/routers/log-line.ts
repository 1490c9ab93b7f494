/** What a log line is about. The first three are the legal record's types; `other` is kept as well, and not shown. */
export const logTypes = ['firewall', 'dhcp', 'proxy', 'dns', 'other'] as const;
export type LogType = (typeof logTypes)[number];

/** What a line tells beyond itself. Counters are bytes as the guest sees them: `recv` is download. */
export interface LogFacts {
  readonly type: LogType;
  /** A host that a guest went to, in lower case. */
  readonly domain?: string | undefined;
  /** The address and port that a guest connected to. */
  readonly destination?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: string | undefined;
  readonly application?: string | undefined;
  /** ISO 3166-1, two letters. */
  readonly country?: string | undefined;
  readonly recv?: number | undefined;
  readonly sent?: number | undefined;
  /** 1 when the line stands for a connection or request that was let through, else 0. */
  readonly connections: 0 | 1;
  /** A name and an address that a DNS answer tied to it. */
  readonly answer?: { readonly name: string; readonly address: string } | undefined;
}

/** Reads the message of a line (without its syslog header, one character per byte). Never throws, whatever it is given. */
export type ParseLogLine = (message: string) => LogFacts;

export const other: LogFacts = { type: 'other', connections: 0 };

const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))+$/;
const ipv4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export const isIpv4 = (text: string): boolean => ipv4.test(text);

/** A host name in lower case and without its final dot, or undefined when it is none (addresses are none). */
export function asDomain(text: string | undefined): string | undefined {
  if (!text) return undefined;
  // Some loggers break long values with a blank: `www. example.com`.
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

/** A whole number of bytes, at most 2^53; undefined when there is none. */
export function asBytes(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** Printable text of at most 60 characters, or undefined. */
export function asName(text: string | undefined): string | undefined {
  const name = text
    ?.replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 60);
  return name || undefined;
}
