/** `2.50` or `2,50` in hundredths. A text that is no such number stays one, which the contract refuses. */
export function hundredths(typed: string): number | string {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : typed;
}

/** The text for a field, without cents where there are none. */
export const fromHundredths = (value: number): string => (value % 100 ? (value / 100).toFixed(2) : String(value / 100));
