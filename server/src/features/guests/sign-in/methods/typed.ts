/** Normalises what guests type. */

/** Replaces Arabic and Persian digits by 0-9. */
export const latinDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, digit => String(digit.charCodeAt(0) & 0xf));

/** The number of an identity card or passport, in capitals and without separators. */
export const plainNumber = (text: string): string =>
  latinDigits(text)
    .replace(/[\s.-]/g, '')
    .toUpperCase();

/** A name as the registry writes it: Turkish capitals, single spaces. */
export const capitals = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLocaleUpperCase('tr');

/** `2026-11-20`, or `20.11.2026` (from browsers without a date field), as `YYYY-MM-DD`; undefined for an invalid date. */
export function dayOf(text: string): string | undefined {
  const match = /^(?:(\d{4})-(\d{2})-(\d{2})|(\d{1,2})[./-](\d{1,2})[./-](\d{4}))$/.exec(latinDigits(text).trim());
  if (!match) return undefined;
  const [, year, month, day, day2, month2, year2] = match;
  const iso = `${year ?? year2}-${(month ?? month2)!.padStart(2, '0')}-${(day ?? day2)!.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}
