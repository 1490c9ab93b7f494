import type { DayPart, DeviceTally } from './tally.ts';

/** The state of a stream in the database. */
export interface StreamRow {
  readonly tenant_id: string;
  readonly device_id: string;
  readonly position: number;
  readonly day: string | null;
  readonly day_position: number | null;
}

/** The reading position in the stream of a device's lines. */
export interface Stream {
  position: number;
  day: string | undefined;
  dayStart: number;
  /** Host names by address, from the latest DNS answers. */
  readonly names: Map<string, string>;
  lastAt: number;
}

const maxNames = 10_000;

const streamOf = (row: StreamRow, names = new Map<string, string>()): Stream => ({
  ...{ position: row.position, day: row.day ?? undefined, dayStart: row.day_position ?? 0 },
  ...{ names, lastAt: Date.now() },
});

/** The streams of all devices. A stream that is not in the database begins at position 0. */
export function createStreams(load: () => Promise<StreamRow[]>) {
  const streams = new Map<string, Stream>();
  return {
    /** Goes back to the committed positions, and returns their devices. Keeps the names. */
    async reload(): Promise<string[]> {
      const rows = await load();
      for (const row of rows) streams.set(row.device_id, streamOf(row, streams.get(row.device_id)?.names));
      return rows.map(row => row.device_id);
    },
    /** Begins again with what the database says of these devices, as after a start. */
    async begin(devices: ReadonlySet<string>): Promise<void> {
      const rows = (await load()).filter(row => devices.has(row.device_id));
      for (const deviceId of devices) streams.delete(deviceId);
      for (const row of rows) streams.set(row.device_id, streamOf(row));
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

/** The part of the stream for a line of this day. A new part begins when the day changes. */
export function partOf(tally: DeviceTally, stream: Stream, day: string, position: number): DayPart {
  const last = tally.parts.at(-1);
  if (last && last.day === day) return last;
  const continues = !last && stream.day === day;
  if (last) last.end = position;
  const part: DayPart = {
    day,
    start: continues ? stream.dayStart : position,
    end: position,
    startsDay: !continues,
    types: new Map(),
  };
  tally.parts.push(part);
  return part;
}

/** Moves a stream to the end of its committed tally. */
export function advance(stream: Stream, tally: DeviceTally): void {
  stream.position = tally.to;
  const last = tally.parts.at(-1);
  if (last) {
    stream.day = last.day;
    stream.dayStart = last.start;
  }
  if (tally.closed) stream.day = undefined;
}

/** Stores the name of an address. At the limit, the oldest one is removed. */
export function rememberName(names: Map<string, string>, { name, address }: { name: string; address: string }): void {
  names.delete(address);
  if (names.size >= maxNames) names.delete(names.keys().next().value as string);
  names.set(address, name);
}
