import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { timeParts } from '@portico/contract/time-parts.ts';

/**
 * Owners add languages that Intl may not know. It would then take the words of the machine, so English is named as the next choice.
 */
const localesOf = (language: PortalLanguage): string[] => [language, 'en-GB'];
const isKnown = (language: PortalLanguage): boolean => Intl.NumberFormat.supportedLocalesOf(language).length > 0;

const formats = new Map<string, Intl.NumberFormat>();
function format(language: PortalLanguage, unit: string, digits = 0): Intl.NumberFormat {
  const key = `${language} ${unit} ${digits}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat(localesOf(language), {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    });
    formats.set(key, found);
  }
  return found;
}

/** Seconds as `1:02:05`, which needs no words. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (count: number) => String(count).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Seconds in the two largest units that matter: “2 hr 5 min”. Without words in a language that Intl does not know. */
export function duration(language: PortalLanguage, seconds: number): string {
  if (!isKnown(language)) return clock(seconds);
  const parts = timeParts(seconds).map(({ unit, count }) => format(language, unit).format(count));
  return parts.join(' ') || format(language, 'second').format(0);
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes in the unit with the shortest number: “1.4 GB”. Rounded as in the panel, so that guests and operators read the same. */
export function amount(language: PortalLanguage, bytes: number): string {
  let [value, power] = [Math.max(0, bytes), 0];
  // 999.5 and more would be rounded to 1,000.
  while (value >= 999.5 && power < sizes.length - 1) {
    value /= 1000;
    power += 1;
  }
  return format(language, sizes[power]!, power === 0 || value >= 100 ? 0 : 1).format(value);
}

/** Minor units with the sign of the currency (ISO 4217). */
export const money = (language: PortalLanguage, minor: number, currency: string): string =>
  new Intl.NumberFormat(localesOf(language), { style: 'currency', currency: currency.toUpperCase() }).format(
    minor / 100,
  );

/** A rate in hundredths of a percent. */
export const percent = (language: PortalLanguage, rate: number): string =>
  new Intl.NumberFormat(localesOf(language), { style: 'percent', maximumFractionDigits: 2 }).format(rate / 10_000);
