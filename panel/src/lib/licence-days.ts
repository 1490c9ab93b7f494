import { yearsAfter } from '@portico/contract/licence-days.ts';
import { formatDate } from '#lib/format.ts';

/** A licence and the time zone of its location. */
interface Licensed {
  readonly license_end_at: string | null;
  readonly time_zone: string;
}

/** The day (`2026-11-21`) in a time zone. */
export const dayIn = (timeZone: string, time: string | number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(time),
  );

/** The end of a licence of so many years, as text. It starts at the end of the current licence. */
export function endAfter({ license_end_at, time_zone }: Licensed, years: number): string {
  const from = Math.max(Date.now(), license_end_at ? Date.parse(license_end_at) : 0);
  return formatDate(yearsAfter(dayIn(time_zone, from), years), 'UTC');
}
