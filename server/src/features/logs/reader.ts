import { setImmediate, setTimeout } from 'node:timers/promises';
import { defaultZone } from '#lib/moments.ts';
import type { LogType } from '#routers/log-line.ts';
import { other } from '#routers/log-line.ts';
import { parseLogLine } from '#routers/log-lines.ts';
import { readHeader } from '#syslog/header.ts';
import type { RawStore, StoredLog } from '#syslog/raw-store.ts';
import { parseRecord } from '#syslog/record.ts';
import { listSegments, readChunk } from '#syslog/segments.ts';
import type { Senders } from '#syslog/senders.ts';
import { localDay, localHour } from './local-day.ts';
import { addFacts, addHour, addType, type DayPart, type DeviceTally } from './tally.ts';

/** Where a stream stands in the database. */
export interface StreamRow {
  readonly tenant_id: string;
  readonly device_id: string;
  readonly position: number;
  readonly day: string | null;
  readonly day_position: number | null;
}

/** Another process has read this stream meanwhile: what was counted here is counted already. */
export class StreamMoved extends Error {
  override readonly name = 'StreamMoved';
}

export interface ReaderOptions {
  readonly store: RawStore;
  readonly senders: Senders;
  readonly load: () => Promise<StreamRow[]>;
  /** Writes what was read, all or nothing. Throws StreamMoved when a stream does not stand where it should. */
  readonly commit: (tallies: readonly DeviceTally[]) => Promise<void>;
  readonly read: (type: LogType) => void;
  readonly trouble: (what: 'parse_failed' | 'torn_line' | 'gap' | 'commit_failed', error?: unknown) => void;
  /** How long lines are gathered before they are committed, and at most how many. */
  readonly gatherMs?: number | undefined;
  readonly gatherLines?: number | undefined;
}

interface Stream {
  position: number;
  day: string | undefined;
  dayStart: number;
  /** Names by address, of the latest DNS answers. */
  readonly names: Map<string, string>;
  lastAt: number;
}

const pollMs = 250;
const sliceMs = 2;
const mostNames = 10_000;
const longestRetryMs = 10_000;
const noNames: ReadonlyMap<string, string> = new Map();

/** Reads what the raw logs hold beyond what the database knows, and commits what it adds up to, until it is stopped. */
export async function startReader(options: ReaderOptions) {
  const { store, senders, gatherMs = 1000, gatherLines = 200_000 } = options;
  const streams = new Map<string, Stream>();
  let stopping = false;

  async function reload(): Promise<void> {
    const rows = await options.load();
    for (const row of rows) {
      const names = streams.get(row.device_id)?.names ?? new Map<string, string>();
      streams.set(row.device_id, {
        position: row.position,
        day: row.day ?? undefined,
        dayStart: row.day_position ?? 0,
        names,
        lastAt: Date.now(),
      });
    }
  }

  function streamOf(deviceId: string): Stream {
    let stream = streams.get(deviceId);
    if (!stream) {
      stream = { position: 0, day: undefined, dayStart: 0, names: new Map(), lastAt: Date.now() };
      streams.set(deviceId, stream);
    }
    return stream;
  }

  function tallyOf({ tenantId, deviceId }: StoredLog, stream: Stream, tallies: Map<string, DeviceTally>): DeviceTally {
    let tally = tallies.get(deviceId);
    if (!tally) {
      const locationId = senders.byDevice(deviceId)?.locationId;
      const { position } = stream;
      tally = {
        tenantId,
        deviceId,
        locationId,
        from: position,
        to: position,
        closed: false,
        parts: [],
        hours: new Map(),
        tops: new Map(),
      };
      tallies.set(deviceId, tally);
    }
    return tally;
  }

  /** The part of the stream that a line of this day belongs to; a new one begins where the day changes. */
  function partOf(tally: DeviceTally, stream: Stream, day: string, position: number): DayPart {
    const last = tally.parts.at(-1);
    if (last && last.day === day) return last;
    const goesOn = !last && stream.day === day;
    if (last) last.end = position;
    const part: DayPart = {
      day,
      start: goesOn ? stream.dayStart : position,
      end: position,
      opens: !goesOn,
      types: new Map(),
    };
    tally.parts.push(part);
    return part;
  }

  async function digest(
    stored: StoredLog,
    stream: Stream,
    tally: DeviceTally,
    chunk: { bytes: Buffer; start: number; end: number },
  ) {
    const sender = senders.byDevice(stored.deviceId);
    const zone = sender?.timeZone ?? defaultZone;
    const text = chunk.bytes.toString('latin1');
    let lines = 0;
    let slice = performance.now();
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      const record = parseRecord(text.slice(at, end));
      if (record) stream.lastAt = record.at;
      else options.trouble('torn_line');
      const day = localDay(stream.lastAt, zone);
      const part = partOf(tally, stream, day, chunk.start + at);
      let facts = other;
      try {
        if (record) facts = parseLogLine(sender?.brand, record.line.slice(readHeader(record.line).bodyAt));
      } catch (error) {
        options.trouble('parse_failed', error);
      }
      if (facts.answer) remember(stream.names, facts.answer);
      addHour(tally, stream.lastAt);
      addType(part, facts.type, end - at + 1);
      addFacts(tally, localHour(stream.lastAt, zone), facts, stream.names);
      options.read(facts.type);
      at = end + 1;
      part.end = chunk.start + at;
      lines++;
      // The other services share this thread.
      if (lines % 32 === 0 && performance.now() - slice > sliceMs) {
        await setImmediate();
        slice = performance.now();
      }
    }
    tally.to = chunk.end;
    return lines;
  }

  /** One turn: a piece of every stream that has more. Answers how many lines there were. */
  async function turn(tallies: Map<string, DeviceTally>): Promise<number> {
    let lines = 0;
    for (const stored of store.logs()) {
      if (stopping) break;
      const stream = streamOf(stored.deviceId);
      const from = tallies.get(stored.deviceId)?.to ?? stream.position;
      const until = stored.log.synced();
      if (from >= until) continue;
      const chunk = await readChunk(await listSegments(stored.log.folder), from, until);
      if (!chunk) continue;
      if (chunk.start > from) options.trouble('gap');
      lines += await digest(stored, stream, tallyOf(stored, stream, tallies), chunk);
    }
    return lines;
  }

  /** A day that is over by the clock ends when every line of it was read: no line of it can come any more. */
  function closeOver(tallies: Map<string, DeviceTally>): void {
    for (const stored of store.logs()) {
      const { deviceId, log } = stored;
      const stream = streamOf(deviceId);
      if (stream.day === undefined || tallies.has(deviceId)) continue;
      const zone = senders.byDevice(deviceId)?.timeZone ?? defaultZone;
      const isRead = log.pending() === 0 && log.written() <= stream.position;
      if (isRead && localDay(Date.now(), zone) > stream.day) tallyOf(stored, stream, tallies).closed = true;
    }
  }

  function settle(tallies: Map<string, DeviceTally>): void {
    for (const [deviceId, tally] of tallies) {
      const stream = streamOf(deviceId);
      stream.position = tally.to;
      const last = tally.parts.at(-1);
      if (last) {
        stream.day = last.day;
        stream.dayStart = last.start;
      }
      if (tally.closed) stream.day = undefined;
    }
  }

  /** Commits, again and again while the database is away. What is not committed is read again after a restart. */
  async function commit(tallies: Map<string, DeviceTally>): Promise<void> {
    for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        await options.commit([...tallies.values()]);
        settle(tallies);
        return;
      } catch (error) {
        options.trouble('commit_failed', error);
        if (error instanceof StreamMoved) return void (await reload().catch(() => undefined));
        for (let waited = 0; waited < waitMs && !stopping; waited += pollMs) await setTimeout(pollMs);
        if (stopping) return;
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      const tallies = new Map<string, DeviceTally>();
      const began = Date.now();
      let lines = 0;
      while (!stopping && lines < gatherLines && Date.now() - began < gatherMs) {
        const more = await turn(tallies);
        lines += more;
        if (more === 0) break;
      }
      closeOver(tallies);
      if (tallies.size > 0) await commit(tallies);
      if (lines === 0 && !stopping) await setTimeout(pollMs);
    }
  }

  await reload();
  let ended: Promise<void> | undefined;
  return {
    /** The position that the database knows of a device. */
    position: (deviceId: string) => streams.get(deviceId)?.position ?? 0,
    /** Names by address, of a device's latest DNS answers. */
    names: (deviceId: string): ReadonlyMap<string, string> => streams.get(deviceId)?.names ?? noNames,
    /** Bytes that are kept but not read yet. */
    lag: () => {
      let bytes = 0;
      for (const { deviceId, log } of store.logs()) bytes += Math.max(0, log.written() - streamOf(deviceId).position);
      return bytes;
    },
    start() {
      const keepOn = (): Promise<void> =>
        run().catch(async error => {
          options.trouble('commit_failed', error);
          if (stopping) return;
          await setTimeout(1000);
          await keepOn();
        });
      ended ??= keepOn();
    },
    async stop() {
      stopping = true;
      await ended;
    },
  };
}

function remember(names: Map<string, string>, { name, address }: { name: string; address: string }): void {
  names.delete(address);
  if (names.size >= mostNames) names.delete(names.keys().next().value as string);
  names.set(address, name);
}
