import { offsetMs } from '#lib/moments.ts';

/** A moment as `YYYY-MM-DDTHH:mm:ss` on the clocks of a time zone. */
export const localTime = (at: number, timeZone: string): string =>
  new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 19);

/** The moment at which clocks of a zone show `YYYY-MM-DDTHH:mm:ss`; of a time they skip, the one that would have been. */
export function momentOf(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const first = asUtc - offsetMs(asUtc, timeZone);
  return asUtc - offsetMs(first, timeZone);
}

/** The local day of a moment, `YYYY-MM-DD`. */
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
  /** 0 to 23; of an hour that clocks show twice, both are one. */
  readonly hour: number;
}

/** The local day of a moment and its hour. */
export const localHour = (at: number, timeZone: string): LocalHour => ({
  day: localDay(at, timeZone),
  hour: Math.floor((at + offsetMs(at, timeZone)) / 3_600_000) % 24,
});

let lastDay = Number.NaN;
let lastText = '';
