/** Called for each message of a stream. `cut`: it was longer than allowed and is truncated. */
export type OnMessage = (message: Buffer, cut: boolean) => void;

export interface Framer {
  readonly push: (chunk: Buffer) => void;
  /** The stream has ended. The remaining bytes are a message without its newline. */
  readonly end: () => void;
}

const newline = 10;
const maxCountDigits = 7;

/** The octet count at the beginning of `data` (RFC 6587 section 3.4.1); `more` if more bytes are needed to tell. */
function readCount(data: Buffer): { count: number; at: number } | 'more' | undefined {
  let count = 0;
  for (let i = 0; i <= maxCountDigits; i++) {
    if (i === data.length) return 'more';
    const code = data[i] as number;
    if (code === 32 && i > 0) {
      if (i + 1 === data.length) return 'more';
      // A counted message begins with its priority. Otherwise this is a line that begins with a number.
      return data[i + 1] === 60 ? { count, at: i + 1 } : undefined;
    }
    if (code < 48 || code > 57 || (i === 0 && code === 48)) return undefined;
    count = count * 10 + code - 48;
  }
  return undefined;
}

const headerStart = /^<\d{1,3}>(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)/;
const longestHeaderStart = '<191>2026-10-21T09:30:00'.length;
const angle = 60;

/**
 * The index of the first header at `from` or later, or -1. Only bytes that can be a header become text: converting the rest of the
 * chunk for each message would let a stranger's stream of short messages keep the process busy.
 */
function headerAt(data: Buffer, from: number): number {
  for (let at = data.indexOf(angle, from); at >= 0; at = data.indexOf(angle, at + 1)) {
    const digit = data[at + 1] ?? 0;
    if (digit < 48 || digit > 57) continue;
    if (headerStart.test(data.toString('latin1', at, at + longestHeaderStart))) return at;
  }
  return -1;
}

/**
 * Splits a byte stream into syslog messages (RFC 6587). Each message either has an octet count or ends with a newline. RouterOS
 * 7 sends neither: in a stream without newlines, a message ends at the next header. A message longer than `maxBytes` is
 * truncated.
 */
export function createFramer(maxBytes: number, take: OnMessage): Framer {
  let buffered: Buffer = Buffer.alloc(0);
  /** Bytes to discard: the rest of a counted message, or (Infinity) everything up to the next newline. */
  let skip = 0;
  /** Once a newline was seen, a header within a line is text, which a guest may have chosen. */
  let hasNewlines = false;
  /** No second header begins before this index of the buffered bytes. */
  let searched = 1;

  /** The index of the second message in a stream without separators, or -1. */
  function nextHeader(data: Buffer): number {
    if (data[0] !== angle) return -1;
    const at = headerAt(data, searched);
    if (at < 0) searched = Math.max(searched, data.length - longestHeaderStart);
    return at;
  }

  function skipped(data: Buffer): Buffer {
    if (skip === 0) return data;
    if (Number.isFinite(skip)) {
      const n = Math.min(skip, data.length);
      skip -= n;
      return data.subarray(n);
    }
    const end = data.indexOf(newline);
    if (end < 0) return data.subarray(data.length);
    skip = 0;
    return data.subarray(end + 1);
  }

  /** Passes on the first message and returns the rest; undefined if there is no complete message. */
  function next(data: Buffer): Buffer | undefined {
    const counted = readCount(data);
    if (counted === 'more') return undefined;
    if (counted) {
      const { count, at } = counted;
      if (count > maxBytes) {
        if (data.length < at + maxBytes) return undefined;
        take(data.subarray(at, at + maxBytes), true);
        skip = count - maxBytes;
        return data.subarray(at + maxBytes);
      }
      if (data.length < at + count) return undefined;
      take(data.subarray(at, at + count), false);
      return data.subarray(at + count);
    }
    const end = data.indexOf(newline);
    if (end >= 0) hasNewlines = true;
    const second = hasNewlines ? -1 : nextHeader(data);
    if (second > 0) {
      take(data.subarray(0, Math.min(second, maxBytes)), second > maxBytes);
      return data.subarray(second);
    }
    if (end >= 0 && end <= maxBytes) {
      take(data.subarray(0, end), false);
      return data.subarray(end + 1);
    }
    if (end < 0 && data.length <= maxBytes) return undefined;
    take(data.subarray(0, maxBytes), true);
    skip = Number.POSITIVE_INFINITY;
    return data.subarray(maxBytes);
  }

  return {
    push(chunk) {
      let data = skipped(buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]));
      while (data.length > 0) {
        const rest = next(data);
        if (!rest) break;
        searched = 1;
        data = skipped(rest);
      }
      // A copy, so that a few bytes do not keep the whole chunk in memory.
      buffered = data.length === 0 ? Buffer.alloc(0) : Buffer.from(data);
    },
    end() {
      // A buffered part of a counted message includes the count, so it can be longer than a message.
      if (buffered.length > 0) take(buffered.subarray(0, maxBytes), buffered.length > maxBytes);
      buffered = Buffer.alloc(0);
    },
  };
}
