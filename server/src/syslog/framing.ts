/** What comes out of a stream. `cut`: the message was longer than allowed and its end is lost. */
export type TakeMessage = (message: Buffer, cut: boolean) => void;

export interface Framer {
  readonly push: (chunk: Buffer) => void;
  /** The stream ended: what is left is a message without its newline. */
  readonly end: () => void;
}

const newline = 10;
const longestCount = 7;

/** The octet count at the beginning of `data` (RFC 6587 section 3.4.1), `more` when it may still become one, or undefined. */
function readCount(data: Buffer): { count: number; at: number } | 'more' | undefined {
  let count = 0;
  for (let i = 0; i <= longestCount; i++) {
    if (i === data.length) return 'more';
    const code = data[i] as number;
    if (code === 32 && i > 0) {
      if (i + 1 === data.length) return 'more';
      // A message that is counted begins with its priority; anything else is a line that happens to begin with a number.
      return data[i + 1] === 60 ? { count, at: i + 1 } : undefined;
    }
    if (code < 48 || code > 57 || (i === 0 && code === 48)) return undefined;
    count = count * 10 + code - 48;
  }
  return undefined;
}

const beginning = /<\d{1,3}>(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)/g;

/** Where the second message begins in a stream that puts nothing between them; -1: nowhere yet. */
function secondBeginning(data: Buffer): number {
  beginning.lastIndex = 1;
  return data[0] === 60 ? (beginning.exec(data.toString('latin1'))?.index ?? -1) : -1;
}

/**
 * Cuts a byte stream into syslog messages (RFC 6587): each either counted in octets or ended by a newline, distinguished
 * message by message. RouterOS 7 ends its messages with nothing at all; in a stream without a newline the next header does.
 * Of a message longer than `longest` bytes the beginning is kept.
 */
export function createFramer(longest: number, take: TakeMessage): Framer {
  let held: Buffer = Buffer.alloc(0);
  /** Bytes still to be thrown away: of a counted message, or (Infinity) up to the next newline. */
  let skip = 0;
  /** A newline was seen: what looks like a header within a line is its text, which a guest may have chosen. */
  let hasNewlines = false;

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

  /** Takes one message off the beginning; undefined when there is none yet. */
  function next(data: Buffer): Buffer | undefined {
    const counted = readCount(data);
    if (counted === 'more') return undefined;
    if (counted) {
      const { count, at } = counted;
      if (count > longest) {
        if (data.length < at + longest) return undefined;
        take(data.subarray(at, at + longest), true);
        skip = count - longest;
        return data.subarray(at + longest);
      }
      if (data.length < at + count) return undefined;
      take(data.subarray(at, at + count), false);
      return data.subarray(at + count);
    }
    const end = data.indexOf(newline);
    if (end >= 0) hasNewlines = true;
    const second = hasNewlines ? -1 : secondBeginning(data);
    if (second > 0) {
      take(data.subarray(0, Math.min(second, longest)), second > longest);
      return data.subarray(second);
    }
    if (end >= 0 && end <= longest) {
      take(data.subarray(0, end), false);
      return data.subarray(end + 1);
    }
    if (end < 0 && data.length <= longest) return undefined;
    take(data.subarray(0, longest), true);
    skip = Number.POSITIVE_INFINITY;
    return data.subarray(longest);
  }

  return {
    push(chunk) {
      let data = skipped(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      while (data.length > 0) {
        const rest = next(data);
        if (!rest) break;
        data = skipped(rest);
      }
      // A copy, so that the few bytes kept do not keep the whole chunk.
      held = data.length === 0 ? Buffer.alloc(0) : Buffer.from(data);
    },
    end() {
      // What is held of a counted message has the count in front, so it can be longer than a message.
      if (held.length > 0) take(held.subarray(0, longest), held.length > longest);
      held = Buffer.alloc(0);
    },
  };
}
