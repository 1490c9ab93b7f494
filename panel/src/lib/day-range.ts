const pattern = /^(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)$/;
/** Whether a day as `2026-11-20` is in the calendar. Years before 1900 are mistakes. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || text < '1900') return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The days of the address, as `2026-11-01_2026-11-20`; none if it is unreadable. */
export function daysOf(value = ''): { first_day?: string; last_day?: string } {
  const [, first_day, last_day] = pattern.exec(value) ?? [];
  return isDay(first_day) && isDay(last_day) ? { first_day, last_day } : {};
}
