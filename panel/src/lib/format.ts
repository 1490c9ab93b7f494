import { dateFormat } from '#lib/date-format.ts';
import { language } from '#lib/language.ts';

const locales = { en: 'en-GB', tr: 'tr-TR' } as const;
const locale = () => locales[language()];

const cache = new Map<string, unknown>();
function cached<T>(kind: string, make: (locale: string) => T): T {
  const key = `${kind}.${locale()}`;
  if (!cache.has(key)) cache.set(key, make(locale()));
  return cache.get(key) as T;
}

export const formatNumber = (value: number): string => cached('number', l => new Intl.NumberFormat(l)).format(value);

/** The length of a list. The server stops counting at `max`. */
export const formatCount = (count: number, max = 10_000): string =>
  count < max ? formatNumber(count) : `${formatNumber(max)}+`;

/** 0.256 → `26%`, in the format of the language. */
export const formatPercent = (share: number): string =>
  cached('percent', l => new Intl.NumberFormat(l, { style: 'percent' })).format(share);

/** 0.256 → `+26%`, -0.1 → `−10%`. */
export const formatChange = (share: number): string =>
  cached('change', l => new Intl.NumberFormat(l, { style: 'percent', signDisplay: 'exceptZero' })).format(share);

/** `₺1,250`, or `₺1.250` in Turkish. Whole amounts have no decimals unless `decimals` is set. */
export function formatMoney(amount: number, currency: string, decimals = !Number.isInteger(amount)): string {
  const digits = decimals ? 2 : 0;
  const make = (l: string) =>
    new Intl.NumberFormat(l, {
      style: 'currency',
      currency: currency.toUpperCase(),
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  return cached(`money${currency}${digits}`, make).format(amount);
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Bytes in decimal units, as volumes are sold: 1500 → `1.5 KB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [Math.max(0, bytes), 0];
  // 999.5 and more would be rounded to 1,000.
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  const format = cached(`bytes${digits}`, l => new Intl.NumberFormat(l, { maximumFractionDigits: digits }));
  return `${format.format(value)} ${byteUnits[unit]}`;
}

/** Bytes as decimal megabytes with two digits, like the CSV export of sessions: 1500000 → `1.50`. */
export const formatMegabytes = (bytes: number): string =>
  cached('megabytes', l => new Intl.NumberFormat(l, { minimumFractionDigits: 2, maximumFractionDigits: 2 })).format(
    bytes / 1_000_000,
  );

/** The time zone of all times on the screen; undefined before sign-in, which means the browser's. */
let screenZone: string | undefined;

export const setTimeZone = (timeZone: string): void => {
  screenZone = timeZone;
};

const inZone = (time: Date, options: Intl.DateTimeFormatOptions, timeZone = screenZone): string =>
  dateFormat(locale(), timeZone === undefined ? options : { ...options, timeZone }).format(time);

const year = { year: 'numeric' } as const;
const day = { day: 'numeric', month: 'short' } as const;
const minute = { hour: '2-digit', minute: '2-digit' } as const;

/** Clocks are put back by an hour, or by half of one. */
const minutesBack = [-60, -30, 30, 60];

/** Whether clocks show this time twice, because they are put back. */
function isRepeated(date: Date, timeZone?: string): boolean {
  const shown = (it: Date) => inZone(it, { ...day, ...minute }, timeZone);
  return minutesBack.some(minutes => shown(new Date(date.getTime() + minutes * 60_000)) === shown(date));
}

/**
 * `20 Nov, 14:05` in the time zone of the screen, or the given one. It has the year unless that is the current one, and the
 * offset if clocks show the time twice.
 */
export function formatDateTime(time: string, timeZone?: string): string {
  const date = new Date(time);
  const isThisYear = inZone(date, year, timeZone) === inZone(new Date(), year, timeZone);
  const offset = isRepeated(date, timeZone) ? ({ timeZoneName: 'shortOffset' } as const) : {};
  return inZone(date, { ...day, ...minute, ...(isThisYear ? {} : year), ...offset }, timeZone);
}

/** The day of a time on the clocks of the screen, or of the given time zone. */
export const formatDate = (time: string, timeZone?: string): string =>
  inZone(new Date(time), { ...day, ...year }, timeZone);

/** A local time as it is written: `2026-11-20T14:05` → `20 Nov, 14:05`. */
export const formatLocalTime = (local: string): string => formatDateTime(`${local.slice(0, 16)}Z`, 'UTC');

/** `2026-11-20` → `20 Nov 2026`. */
export const formatDay = (date: string): string => formatDate(date, 'UTC');

/** The whole date, with seconds and the time zone. */
export const formatExact = (time: string): string => inZone(new Date(time), { dateStyle: 'full', timeStyle: 'long' });

/** `14:05:09` */
export const formatClock = (time: string): string => inZone(new Date(time), { timeStyle: 'medium' });

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `5 minutes ago`, `in 2 days`; under a minute `now`. */
export function formatRelative(time: string, now: number): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const format = cached('relative', l => new Intl.RelativeTimeFormat(l, { numeric: 'auto' }));
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length)
      // A time to come is rounded: of seven days, a moment later, "in 6 days" would be wrong.
      return format.format(seconds > 0 ? Math.round(seconds / length) : Math.trunc(seconds / length), unit);
  return format.format(0, 'second');
}
