const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const pad = (value: number) => String(value).padStart(2, '0');

/**
 * A time as FreeRADIUS, daloRADIUS, RouterOS and SQL write it, as a local time `2026-11-20 12:30:00`, or as a moment if it
 * has a zone. Undefined for text that is no time, such as `0000-00-00 00:00:00`.
 */
export function readMoment(value: string): string | undefined {
  const text = value.trim();
  const zoned = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)$/.exec(text);
  if (zoned) {
    const moment = new Date(
      text.replace(' ', 'T').replace(/([+-]\d\d)(?::?(\d\d))?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`),
    );
    return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 2000 ? undefined : moment.toISOString();
  }
  const found =
    /^(?<y>\d{4})-(?<m>\d\d?)-(?<d>\d\d?)(?:[ T](?<time>\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?)?$/.exec(text) ??
    /^(?<d>\d\d?)[ -](?<m>[a-z]{3})[a-z]*[ -](?<y>\d{4})(?:[ T](?<time>\d\d?:\d\d(?::\d\d)?))?$/i.exec(text) ??
    /^(?<m>[a-z]{3})[a-z]*[ /](?<d>\d\d?),?[ /](?<y>\d{4})(?:[ T](?<time>\d\d?:\d\d(?::\d\d)?))?$/i.exec(text) ??
    /^(?<d>\d\d?)[./](?<m>\d\d?)[./](?<y>\d{4})(?: (?<time>\d\d?:\d\d(?::\d\d)?))?$/.exec(text);
  const { y = '', m = '', d = '', time = '0:00' } = found?.groups ?? {};
  const month = /^\d/.test(m) ? Number(m) : months.indexOf(m.toLowerCase()) + 1;
  const [year, day] = [Number(y), Number(d)];
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (!found || year < 2000 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return `${year}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`;
}

/** `2M`, `512k` or a number, in bits per second. */
export function readRate(value: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)$/i.exec(value.trim()) ?? [];
  if (digits === undefined) return undefined;
  const rate = Number(digits) * { '': 1, k: 1000, m: 1_000_000, g: 1_000_000_000 }[unit.toLowerCase()]!;
  return rate > 0 ? rate : undefined;
}

/** Seconds. */
export const readSeconds = (value: string): number | undefined =>
  /^\d{1,9}$/.test(value) && Number(value) > 0 ? Number(value) : undefined;
