/** The day (`2028-02-29`) some years later. A 29th of February becomes a 28th, as it does in the database. */
export function yearsAfter(day: string, years: number): string {
  const year = String(Number(day.slice(0, 4)) + years).padStart(4, '0');
  const date = new Date(`${year}-${day.slice(5, 7)}-01T00:00:00Z`);
  const last = new Date(date);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(Number(day.slice(8, 10)), last.getUTCDate()));
  return date.toISOString().slice(0, 10);
}
