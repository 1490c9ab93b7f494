import type { Product } from '@portico/contract/qr-menu.ts';
import { language } from '#lib/language.ts';

/** Always with the small coin, as on a menu. */
export const formatPrice = (price: number, currency: Product['currency']): string =>
  new Intl.NumberFormat(language() === 'tr' ? 'tr-TR' : 'en-GB', {
    style: 'currency',
    currency: currency.toUpperCase(),
    currencyDisplay: 'narrowSymbol',
  }).format(price);
