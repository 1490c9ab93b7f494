import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { timeParts } from '@portico/contract/time-parts.ts';

const formats = new Map<string, Intl.NumberFormat>();
function format(language: PortalLanguage, unit: string, digits = 0): Intl.NumberFormat {
  const key = `${language} ${unit} ${digits}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    });
    formats.set(key, found);
  }
  return found;
}

/** Seconds in the two largest units that matter: “2 hr 5 min”. */
export function duration(language: PortalLanguage, seconds: number): string {
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
  new Intl.NumberFormat(language, { style: 'currency', currency: currency.toUpperCase() }).format(minor / 100);

/** A rate in hundredths of a percent. */
export const percent = (language: PortalLanguage, rate: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(rate / 10_000);
