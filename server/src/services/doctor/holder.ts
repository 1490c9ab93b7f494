import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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

function inodes(kind: 'TCP' | 'UDP', port: number): ReadonlySet<string> {
  const family = kind.toLowerCase();
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = [family, `${family}6`].flatMap(name => read(`/proc/self/net/${name}`).split('\n').slice(1));
  const fields = rows.map(row => row.trim().split(/\s+/));
  const held = fields.filter(([, local, , state]) => state === open[kind] && local?.endsWith(`:${hex}`));
  return new Set(held.map(row => `socket:[${row[9]}]`));
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
    // Of another user.
    return false;
  }
}

/** The process that has a port, on Linux. Undefined where this user may not see it. */
export function holderOf(kind: 'TCP' | 'UDP', port: number): Holder | undefined {
  const sockets = inodes(kind, port);
  if (sockets.size === 0) return undefined;
  const pid = readdirSync('/proc').find(it => /^\d+$/.test(it) && hasOneOf(it, sockets));
  if (pid === undefined) return undefined;
  const words = read(`/proc/${pid}/cmdline`).split('\0');
  return {
    pid: Number(pid),
    name: read(`/proc/${pid}/comm`).trim(),
    isPortico: words.some(it => /(?:^|\/)server\/(?:dist|src)\/main\.[jt]s$/.test(it)),
  };
}
