const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...parts });
  formats.set(timeZone, format);
  return format;
}

const quarterMs = 900_000;
const offsets = new Map<string, number>();

/** Milliseconds by which a zone's clocks are ahead of UTC. They change at whole quarters of an hour only, so that one is worked out once. */
export function offsetMs(at: number, timeZone: string): number {
  const quarter = Math.floor(at / quarterMs);
  const key = `${quarter}${timeZone}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    if (offsets.size > 20_000) offsets.clear();
    const part: Record<string, string> = {};
    for (const { type, value } of formatOf(timeZone).formatToParts(quarter * quarterMs)) part[type] = value;
    const clock = `${part['year']!.padStart(4, '0')}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:${part['second']}Z`;
    offset = Date.parse(clock) - quarter * quarterMs;
    offsets.set(key, offset);
  }
  return offset;
}

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
