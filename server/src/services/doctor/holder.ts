import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import path from 'node:path';

/** A process that has a port open. */
export interface Holder {
  readonly pid: number;
  readonly name: string;
  /** A process of Portico, of this installation or of another one. */
  readonly isPortico: boolean;
}

/** The states of a socket that takes work: a TCP port that listens, a UDP port. */
const open = { TCP: '0A', UDP: '07' } as const;

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The address of a socket as the kernel writes it: words of four bytes, each with its last byte first. */
function addressOf(hex: string): { readonly text: string; readonly family: 'ipv4' | 'ipv6' } {
  const bytes = Buffer.from(hex, 'hex').swap32();
  if (bytes.length === 4) return { text: bytes.join('.'), family: 'ipv4' };
  return { text: bytes.toString('hex').match(/.{4}/g)!.join(':'), family: 'ipv6' };
}

/** Whether a socket at this address keeps `host` from being opened. */
function isInWay(hex: string, host: string): boolean {
  const { text, family } = addressOf(hex);
  // A name may have any address. `::` takes the addresses of IPv4 too.
  const kind = isIP(host);
  const isEvery = /^0+$/.test(hex);
  if (kind === 0 || host === '::' || (isEvery && (family === 'ipv6' || kind === 4))) return true;
  const wanted = new BlockList();
  if (host === '0.0.0.0') wanted.addSubnet(host, 0, 'ipv4');
  else wanted.addAddress(host.split('%')[0]!, kind === 4 ? 'ipv4' : 'ipv6');
  return wanted.check(text, family);
}

function inodes(kind: 'TCP' | 'UDP', host: string, port: number): ReadonlySet<string> {
  const family = kind.toLowerCase();
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = [family, `${family}6`].flatMap(name => read(`/proc/self/net/${name}`).split('\n').slice(1));
  const fields = rows.map(row => row.trim().split(/\s+/));
  const held = fields.filter(([, local = '', , state]) => {
    const [address, at] = local.split(':');
    return state === open[kind] && at === hex && isInWay(address!, host);
  });
  return new Set(held.map(row => `socket:[${row[9]}]`));
}

/** Other programs have a server/dist/main.js too. */
function isOfPortico(pid: string, word: string): boolean {
  const [, folder] = /^(.*?)server\/(?:dist|src)\/main\.[jt]s$/.exec(word) ?? [];
  if (folder === undefined) return false;
  try {
    // The path as the process sees it, which may be in a container.
    const manifest = path.join(
      `/proc/${pid}/root`,
      path.resolve(readlinkSync(`/proc/${pid}/cwd`), folder, 'package.json'),
    );
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown }).name === 'portico';
  } catch {
    return false;
  }
}

function hasOneOf(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    const files = `/proc/${pid}/fd`;
    return readdirSync(files).some(it => {
      try {
        return sockets.has(readlinkSync(`${files}/${it}`));
      } catch {
        // It was closed meanwhile.
        return false;
      }
    });
  } catch {
    // The process belongs to another user.
    return false;
  }
}

/** The process that keeps a port of an address from being opened, on Linux. Undefined where this user may not see it. */
export function holderOf(kind: 'TCP' | 'UDP', host: string, port: number): Holder | undefined {
  const sockets = inodes(kind, host, port);
  if (sockets.size === 0) return undefined;
  const pid = readdirSync('/proc').find(it => /^\d+$/.test(it) && hasOneOf(it, sockets));
  if (pid === undefined) return undefined;
  const words = read(`/proc/${pid}/cmdline`).split('\0');
  return {
    pid: Number(pid),
    name: read(`/proc/${pid}/comm`).trim(),
    isPortico: words.some(word => isOfPortico(pid, word)),
  };
}
