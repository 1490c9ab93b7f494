import { type Cache, createCache } from './cache.ts';

/** The time zone of lines whose device is deleted. They are dropped in the end. */
export const defaultZone = 'Europe/Istanbul';

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
const offsets = new Map<string, Cache<number, number>>();

/** Milliseconds by which a zone's clocks are ahead of UTC. They change at whole quarters of an hour only, so that one is worked out once. */
export function offsetMs(at: number, timeZone: string): number {
  const quarter = Math.floor(at / quarterMs);
  const known = offsets.get(timeZone) ?? createCache<number, number>({ maxEntries: 5000 });
  let offset = known.get(quarter);
  if (offset === undefined) {
    offsets.set(timeZone, known);
    const part: Record<string, string> = {};
    for (const { type, value } of formatOf(timeZone).formatToParts(quarter * quarterMs)) part[type] = value;
    const clock = `${part['year']!.padStart(4, '0')}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:${part['second']}Z`;
    offset = Date.parse(clock) - quarter * quarterMs;
    known.set(quarter, offset);
  }
  return offset;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A moment on the clocks of a zone with its offset, as PostgreSQL writes it: `2026-10-25 02:10:00+01`. */
export function localText(at: number, timeZone: string): string {
  const offset = offsetMs(at, timeZone);
  const shown = new Date(at + offset).toISOString().slice(0, 19).replace('T', ' ');
  const minutes = Math.abs(offset) / 60_000;
  const rest = minutes % 60 ? `:${two(minutes % 60)}` : '';
  return `${shown}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${rest}`;
}

const dayMs = 86_400_000;

/**
 * The moment at which the clocks of a zone show a whole second, as PostgreSQL's `at time zone` computes it. A time that
 * clocks skip is read with the offset before the change. Of a time that occurs twice, it is the second one. Undefined for
 * years of which calendars may differ.
 */
export function zonedMoment(local: string, timeZone: string): Date | undefined {
  const [, year, rest] = /^(\d{4})-(\d\d-\d\d[ T]\d\d:\d\d:\d\d)$/.exec(local) ?? [];
  if (!year || Number(year) < 1980 || Number(year) > 2036) return undefined;
  const shown = Date.parse(`${year}-${rest!.replace(' ', 'T')}Z`);
  if (Number.isNaN(shown)) return undefined;
  const [before, after] = [offsetMs(shown - dayMs, timeZone), offsetMs(shown + dayMs, timeZone)];
  const later = shown - after;
  return new Date(before === after || offsetMs(later, timeZone) === after ? later : shown - before);
}
