import type { Visits } from '@portico/contract/statistics.ts';
import { dateFormat } from '#lib/date-format.ts';
import { language } from '#lib/language.ts';

/** The server's labels are local times of the location. Parsing and printing them as UTC leaves them unchanged. */
const print = (label: string, options: Intl.DateTimeFormatOptions): string => {
  const [day = '', time = '00:00'] = label.split(' ');
  const date = new Date(`${day.length === 7 ? `${day}-01` : day}T${time}:00Z`);
  const locale = language() === 'tr' ? 'tr-TR' : 'en-GB';
  return dateFormat(locale, { ...options, timeZone: 'UTC' }).format(date);
};

/** The full label and the axis label of a bucket; `count` is the number of buckets. */
export function bucketLabel(label: string, bucket: Visits['bucket'], count: number): { label: string; short: string } {
  const day = { day: 'numeric', month: 'short' } as const;
  const hour = { hour: '2-digit', minute: '2-digit' } as const;
  if (bucket === 'hour')
    return {
      label: print(label, { weekday: 'short', ...day, ...hour }),
      short: print(label, count > 25 ? { day: 'numeric', ...hour } : hour),
    };
  if (bucket === 'month')
    return {
      label: print(label, { month: 'long', year: 'numeric' }),
      short: print(label, { month: 'short', ...(label.endsWith('-01') && { year: '2-digit' }) }),
    };
  return { label: print(label, { weekday: 'long', ...day }), short: print(label, day) };
}
