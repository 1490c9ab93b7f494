import { setImmediate } from 'node:timers/promises';
import { defaultZone } from '#lib/moments.ts';
import { type LogFacts, type LogType, other } from '#routers/log-line.ts';
import { parseLogLine } from '#routers/log-lines.ts';
import { readHeader } from '#syslog/header.ts';
import { type LogRecord, parseRecord } from '#syslog/record.ts';
import type { Chunk } from '#syslog/segments.ts';
import type { LogSender } from '#syslog/senders.ts';
import { localDay, localHour } from './local-day.ts';
import { partOf, rememberName, type Stream } from './streams.ts';
import { addFacts, addHour, addType, type DeviceTally } from './tally.ts';

export interface CountOptions {
  readonly read: (type: LogType) => void;
  readonly problem: (what: 'parse_failed' | 'torn_line', error?: unknown) => void;
}

const sliceMs = 2;

/** Parses the lines of a chunk and adds them to the tally. Returns the number of lines. */
export async function countLines(
  { stream, tally, sender }: { stream: Stream; tally: DeviceTally; sender: LogSender | undefined },
  chunk: Chunk,
  options: CountOptions,
): Promise<number> {
  // A deleted device has no sender and no time zone.
  const zone = sender?.timeZone ?? defaultZone;
  const text = chunk.bytes.toString('latin1');
  let lines = 0;
  let slice = performance.now();
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const record = parseRecord(text.slice(at, end));
    if (record) stream.lastAt = record.at;
    else options.problem('torn_line');
    const part = partOf(tally, stream, localDay(stream.lastAt, zone), chunk.start + at);
    const facts = factsOf(record, sender, options);
    if (facts.answer) rememberName(stream.names, facts.answer);
    addHour(tally, stream.lastAt);
    addType(part, facts.type, end - at + 1);
    addFacts(tally, localHour(stream.lastAt, zone), facts, stream.names);
    options.read(facts.type);
    at = end + 1;
    part.end = chunk.start + at;
    lines++;
    // Other services share this thread, so it must not be blocked for long.
    if (lines % 32 === 0 && performance.now() - slice > sliceMs) {
      await setImmediate();
      slice = performance.now();
    }
  }
  tally.to = chunk.end;
  return lines;
}

/** A line that cannot be parsed is still stored and counted. */
function factsOf(record: LogRecord | undefined, sender: LogSender | undefined, { problem }: CountOptions): LogFacts {
  if (!record) return other;
  try {
    return parseLogLine(sender?.brand, record.line.slice(readHeader(record.line).bodyAt));
  } catch (error) {
    problem('parse_failed', error);
    return other;
  }
}
