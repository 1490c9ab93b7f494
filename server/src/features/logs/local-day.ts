import { offsetMs } from '#lib/moments.ts';

/** A time as `YYYY-MM-DDTHH:mm:ss` in a time zone. */
export const localTime = (at: number, timeZone: string): string =>
  new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 19);

/** Converts a local `YYYY-MM-DDTHH:mm:ss` to UTC. A time that clocks skip is read with the offset from before the change. */
export function momentOf(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const first = asUtc - offsetMs(asUtc, timeZone);
  return asUtc - offsetMs(first, timeZone);
}

/** The local day of a time, `YYYY-MM-DD`. */
export function localDay(at: number, timeZone: string): string {
  const day = Math.floor((at + offsetMs(at, timeZone)) / 86_400_000);
  if (day !== lastDay) {
    lastDay = day;
    lastText = new Date(day * 86_400_000).toISOString().slice(0, 10);
  }
  return lastText;
}

export interface LocalHour {
  readonly day: string;
  /** 0 to 23. When clocks are set back, both occurrences of an hour count as one. */
  readonly hour: number;
}

/** The local day and hour of a time. */
export const localHour = (at: number, timeZone: string): LocalHour => ({
  day: localDay(at, timeZone),
  hour: Math.floor((at + offsetMs(at, timeZone)) / 3_600_000) % 24,
});

let lastDay = Number.NaN;
let lastText = '';
