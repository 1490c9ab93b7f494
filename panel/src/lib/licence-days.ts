import { yearsAfter } from '@portico/contract/licence-days.ts';
import { formatDate } from '#lib/format.ts';
import { dayIn } from '#lib/time-zone.ts';

/** A licence and the time zone of its location. */
interface Licensed {
  readonly license_end_at: string | null;
  readonly time_zone: string;
}

/** The end of a licence of `years` years, as text. It starts at the end of the current licence. */
export function endAfter({ license_end_at, time_zone }: Licensed, years: number): string {
  const from = Math.max(Date.now(), license_end_at ? Date.parse(license_end_at) : 0);
  return formatDate(yearsAfter(dayIn(time_zone, from), years), 'UTC');
}
