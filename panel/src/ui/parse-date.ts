const written = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]+(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Converts `20.11.2026 14:30` or ISO 8601 to `2026-11-20 14:30:00`. Null: not a date, or one that no calendar has. */
export function parseDate(typed: string): string | null {
  const text = typed.trim();
  const found = written.exec(text) ?? iso.exec(text)?.with(1, text.slice(8, 10)).with(3, text.slice(0, 4));
  if (!found) return null;
  const [, day, month, year, hour = 0, minute = 0, second = 0] = found;
  const parts = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const;
  const time = new Date(Date.UTC(...parts));
  // Values out of range would be carried over: 31.02. would be 3 March.
  const kept = [time.getUTCMonth(), time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  if (kept.some((value, n) => value !== parts[n + 1])) return null;
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
