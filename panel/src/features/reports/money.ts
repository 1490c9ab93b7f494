import type { SalesTotal } from '@portico/contract/reports.ts';
import { language } from '#lib/language.ts';

export type Currency = SalesTotal['currency'];

/** `₺1,250`, or `₺1.250` in Turkish; with the small coin only where there is one. */
export function formatMoney(amount: number, currency: Currency): string {
  const options = { style: 'currency', currency: currency.toUpperCase(), currencyDisplay: 'narrowSymbol' } as const;
  const digits = Number.isInteger(amount) ? 0 : 2;
  return new Intl.NumberFormat(language() === 'tr' ? 'tr-TR' : 'en-GB', {
    ...options,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
