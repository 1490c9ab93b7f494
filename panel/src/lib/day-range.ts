const pattern = /^(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)$/;
const isDay = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));

/** The days of the address, as `2026-11-01_2026-11-20`; none if it is unreadable. */
export function daysOf(value = ''): { first_day?: string; last_day?: string } {
  const [, first_day, last_day] = pattern.exec(value) ?? [];
  return isDay(first_day) && isDay(last_day) ? { first_day, last_day } : {};
}
