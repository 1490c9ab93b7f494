import { createCache } from '#lib/cache.ts';

/**
 * A line as it is kept: `2026-10-21T09:30:00.123Z 198.51.100.7 <the line, byte for byte>` and a newline. The time is ours,
 * as routers' clocks are often wrong; the address is the sender's. Newlines within a line are kept as `\n`.
 */
export interface LogRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly source: string;
  readonly line: string;
}

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
export function formatRecord({ at, source, line }: LogRecord): string {
  let end = line.length;
  for (; end > 0; end--) {
    const code = line.charCodeAt(end - 1);
    if (code !== 10 && code !== 13 && code !== 0) break;
  }
  let text = end === line.length ? line : line.slice(0, end);
  if (text.includes('\n')) text = text.replaceAll('\n', '\\n');
  return `${timeText(at)} ${source} ${text}\n`;
}

/** Reads a record without its newline; undefined for one that a crash cut off. */
export function parseRecord(text: string): LogRecord | undefined {
  if (text.charCodeAt(24) !== 32) return undefined;
  const at = recordTime(text);
  const space = text.indexOf(' ', 25);
  if (Number.isNaN(at) || space < 0) return undefined;
  return { at, source: text.slice(25, space), line: text.slice(space + 1) };
}

const minutes = createCache<string, number>({ maxEntries: 1000 });

/** The time of a record. Records come by the thousand a minute, so that a minute is parsed once. */
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
