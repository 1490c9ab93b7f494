import { createCache } from '#lib/cache.ts';
import { type LineProof, lineProofs, type Transport } from './proof.ts';

/**
 * A stored line: `2026-10-21T09:30:00.123Z 198.51.100.7,udp,radius <the line, byte for byte>` and a newline. The time is the
 * server's, because routers' clocks are often wrong. The transport and the proof of the sender follow the source address.
 * Records of 0.5.0 and before have only the address. Newlines within a line are stored as `\n`.
 */
export interface LogRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly source: string;
  readonly origin?: LineOrigin | undefined;
  readonly line: string;
}

export interface LineOrigin {
  readonly transport: Transport;
  readonly proof: LineProof;
}

const origins = new Map(
  lineProofs.flatMap(proof =>
    (['udp', 'tcp', 'tls'] as const).map((transport): [string, LineOrigin] => [
      `,${transport},${proof}`,
      { transport, proof },
    ]),
  ),
);

let lastMs = -1;
let lastText = '';

/** Milliseconds since 1970 as RFC 3339, always 24 characters. */
function timeText(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

/** The text of a record; `line` is one character per byte (latin1). */
export function formatRecord({ at, source, origin, line }: LogRecord): string {
  let end = line.length;
  for (; end > 0; end--) {
    const code = line.charCodeAt(end - 1);
    if (code !== 10 && code !== 13 && code !== 0) break;
  }
  let text = end === line.length ? line : line.slice(0, end);
  if (text.includes('\n')) text = text.replaceAll('\n', '\\n');
  const suffix = origin ? `,${origin.transport},${origin.proof}` : '';
  return `${timeText(at)} ${source}${suffix} ${text}\n`;
}

/** Parses a record without its newline; undefined for one that a crash truncated. */
export function parseRecord(text: string): LogRecord | undefined {
  if (text.charCodeAt(24) !== 32) return undefined;
  const at = recordTime(text);
  const space = text.indexOf(' ', 25);
  if (Number.isNaN(at) || space < 0) return undefined;
  const comma = text.indexOf(',', 25);
  const line = text.slice(space + 1);
  if (comma < 0 || comma > space) return { at, source: text.slice(25, space), line };
  return { at, source: text.slice(25, comma), origin: origins.get(text.slice(comma, space)), line };
}

const minutes = createCache<string, number>({ maxEntries: 1000 });

/** The time of a record. A minute has thousands of records, so each minute is parsed once. */
function recordTime(text: string): number {
  const minute = text.slice(0, 16);
  let at = minutes.get(minute);
  if (at === undefined) {
    at = Date.parse(`${minute}:00.000Z`);
    minutes.set(minute, at);
  }
  const digit = (i: number) => text.charCodeAt(i) - 48;
  return at + (digit(17) * 10 + digit(18)) * 1000 + digit(20) * 100 + digit(21) * 10 + digit(22);
}
