import { formatDate } from '#lib/format.ts';
import type { Licence } from '#ui/licence-state.tsx';

/** Years. */
export const terms = [1, 2, 3] as const;
export type Term = (typeof terms)[number];

/** The term in an address; one year when it names none. */
export const termOf = (text: string | undefined): Term => terms.find(years => String(years) === text) ?? 1;

/** When a licence of so many years would end: it follows the one in force. */
export function endAfter({ is_trial, license_end_at }: Licence, years: number): string {
  const now = Date.now();
  const end = new Date(Math.max(now, is_trial || !license_end_at ? now : Date.parse(license_end_at)));
  end.setFullYear(end.getFullYear() + years);
  return formatDate(end.toISOString());
}
