import { yearsAfter } from '@portico/contract/licence-days.ts';
import { formatDate } from '#lib/format.ts';

/** What a licence's days are told by: the clocks of its location. */
interface Licensed {
  readonly license_end_at: string | null;
  readonly time_zone: string;
}

/** The day (`2026-11-21`) that the clocks of a time zone show. */
export const dayIn = (timeZone: string, time: string | number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(time),
  );

/** When a licence of so many years would end, in words: it follows the one in force. */
export function endAfter({ license_end_at, time_zone }: Licensed, years: number): string {
  const from = Math.max(Date.now(), license_end_at ? Date.parse(license_end_at) : 0);
  return formatDate(yearsAfter(dayIn(time_zone, from), years), 'UTC');
}
