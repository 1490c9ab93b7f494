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

/** A moment as `YYYY-MM-DDTHH:mm:ss` on the clocks of a time zone. */
export function localTime(at: number, timeZone: string): string {
  const part: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) part[type] = value;
  return `${part['year']}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:${part['second']}`;
}

/** Minutes by which a zone's clocks are ahead of UTC at a moment. */
export function offsetMinutes(at: number, timeZone: string): number {
  const second = at - (at % 1000);
  return (Date.parse(`${localTime(second, timeZone)}Z`) - second) / 60_000;
}

/** The moment at which clocks of a zone show `YYYY-MM-DDTHH:mm:ss`; of a time they skip, the one that would have been. */
export function momentOf(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const first = asUtc - offsetMinutes(asUtc, timeZone) * 60_000;
  return asUtc - offsetMinutes(first, timeZone) * 60_000;
}

const days = new Map<string, string>();

/** The local day of a moment, `YYYY-MM-DD`. Zones differ from UTC by whole quarters of an hour, so that a quarter is worked out once. */
export function localDay(at: number, timeZone: string): string {
  const key = `${Math.floor(at / 900_000)}${timeZone}`;
  let day = days.get(key);
  if (day === undefined) {
    if (days.size > 10_000) days.clear();
    day = localTime(at, timeZone).slice(0, 10);
    days.set(key, day);
  }
  return day;
}
