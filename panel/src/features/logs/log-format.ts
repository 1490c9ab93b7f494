import { language } from '#lib/language.ts';

const cache = new Map<string, Intl.DateTimeFormat>();

const dayAndTime = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

const locale = () => (language() === 'tr' ? 'tr-TR' : 'en-GB');

/** Formats a local time of the location. Parsing and printing it as UTC leaves it unchanged. */
export function formatLocal(time: string, options: Intl.DateTimeFormatOptions = dayAndTime): string {
  const at = new Date(`${time.slice(0, 10)}T${time.slice(11) || '00:00:00'}Z`);
  if (Number.isNaN(at.getTime())) return time;
  const key = `${locale()}${Object.entries(options).flat().join()}`;
  let format = cache.get(key);
  if (!format) cache.set(key, (format = new Intl.DateTimeFormat(locale(), { ...options, timeZone: 'UTC' })));
  return format.format(at);
}

/** The name of a country by its ISO 3166-1 code. Returns unknown codes unchanged. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
