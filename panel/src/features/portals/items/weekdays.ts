import { language } from '#lib/language.ts';

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
/** 1 January 2024 was a Monday. */
export const weekdayName = (day: number): string =>
  new Intl.DateTimeFormat(language(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
