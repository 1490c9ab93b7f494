import type { DayPart, DeviceTally } from './tally.ts';

/** Where a stream stands in the database. */
export interface StreamRow {
  readonly tenant_id: string;
  readonly device_id: string;
  readonly position: number;
  readonly day: string | null;
  readonly day_position: number | null;
}

/** How far the stream of a device's lines was read. */
export interface Stream {
  position: number;
  day: string | undefined;
  dayStart: number;
  /** Names by address, of the latest DNS answers. */
  readonly names: Map<string, string>;
  lastAt: number;
}

const maxNames = 10_000;

/** The streams of all devices; those that the database does not know begin at their beginning. */
export function createStreams(load: () => Promise<StreamRow[]>) {
  const streams = new Map<string, Stream>();
  return {
    /** Forgets what was read and not committed. The names stay. */
    async reload(): Promise<void> {
      for (const row of await load())
        streams.set(row.device_id, {
          position: row.position,
          day: row.day ?? undefined,
          dayStart: row.day_position ?? 0,
          names: streams.get(row.device_id)?.names ?? new Map<string, string>(),
          lastAt: Date.now(),
        });
    },
    known: (deviceId: string): Stream | undefined => streams.get(deviceId),
    of(deviceId: string): Stream {
      let stream = streams.get(deviceId);
      if (!stream) {
        stream = { position: 0, day: undefined, dayStart: 0, names: new Map(), lastAt: Date.now() };
        streams.set(deviceId, stream);
      }
      return stream;
    },
  };
}

/** The part of the stream that a line of this day belongs to; a new one begins where the day changes. */
export function partOf(tally: DeviceTally, stream: Stream, day: string, position: number): DayPart {
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

/** Moves a stream on to where its tally was committed. */
export function settle(stream: Stream, tally: DeviceTally): void {
  stream.position = tally.to;
  const last = tally.parts.at(-1);
  if (last) {
    stream.day = last.day;
    stream.dayStart = last.start;
  }
  if (tally.closed) stream.day = undefined;
}

/** Ties a name to an address; the oldest of very many goes. */
export function remember(names: Map<string, string>, { name, address }: { name: string; address: string }): void {
  names.delete(address);
  if (names.size >= maxNames) names.delete(names.keys().next().value as string);
  names.set(address, name);
}
