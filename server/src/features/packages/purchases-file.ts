import type { Language } from '@portico/contract/errors.ts';
import type { Purchase } from '@portico/contract/purchases.ts';
import { exportRows } from '#features/audit/public.ts';
import { type Actor, listScope } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { csvLine } from '#lib/csv.ts';
import { nextPurchases, type PurchaseFilter } from './purchases.queries.ts';

const header: Record<Language, readonly string[]> = {
  en: [
    'Purchase',
    'Paid',
    'Refunded',
    'Location',
    'Package',
    'Days',
    'Currency',
    'Gross',
    'Tax rate %',
    'Tax',
    'Net',
    'Refund',
    'Refunded tax',
    'Status',
    'Provider',
    'Payment',
    'E-mail',
  ],
  tr: [
    'Satın alma',
    'Ödendi',
    'İade edildi',
    'Lokasyon',
    'Paket',
    'Gün',
    'Para birimi',
    'Brüt',
    'Vergi oranı %',
    'Vergi',
    'Net',
    'İade',
    'İade edilen vergi',
    'Durum',
    'Sağlayıcı',
    'Ödeme',
    'E-posta',
  ],
};

const states: Record<Language, Record<Purchase['state'], string>> = {
  en: {
    open: 'Not paid yet',
    paid: 'Paid',
    failed: 'Not paid',
    refused: 'Refused',
    refunding: 'Being refunded',
    refunded: 'Refunded',
    'charged-back': 'Charged back',
  },
  tr: {
    open: 'Henüz ödenmedi',
    paid: 'Ödendi',
    failed: 'Ödenmedi',
    refused: 'Reddedildi',
    refunding: 'İade ediliyor',
    refunded: 'İade edildi',
    'charged-back': 'Banka geri aldı',
  },
};

/** Exact at each size: `1050` as `10.50`. */
const decimal = (minor: number): string => {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const refundOf = ({ paid_at, refunded_at, amount, returned }: Purchase): string => {
  if (paid_at && refunded_at) return decimal(amount);
  return returned ? decimal(returned) : '';
};

/** The tax of what went back. Together with the tax of the rest it is that of the purchase, as in the totals. */
const refundedTaxOf = ({ paid_at, refunded_at, amount, returned, tax }: Purchase): string => {
  if (paid_at && refunded_at) return decimal(tax);
  if (!returned) return '';
  const kept = (2n * BigInt(tax) * BigInt(amount - returned) + BigInt(amount)) / (2n * BigInt(amount));
  return decimal(tax - Number(kept));
};

/** All purchases that match, as CSV for the accountant. Times are those of the location. */
export function exportPurchases(call: Context, actor: Actor, filter: PurchaseFilter): AsyncGenerator<string> {
  const { language } = call;
  const scope = listScope(actor, filter);
  return exportRows<Awaited<ReturnType<typeof nextPurchases>>[number]>(call, actor, {
    subject: { type: 'purchase', name: 'purchases.csv' },
    filter,
    header: header[language],
    next: (tx, after, limit) => nextPurchases(tx, scope, filter, { after, limit }),
    line: it =>
      csvLine([
        it.id,
        it.paid_local,
        it.refunded_local,
        it.location.name,
        it.package,
        it.days,
        it.currency.toUpperCase(),
        decimal(it.amount),
        decimal(it.tax_rate),
        decimal(it.tax),
        decimal(it.amount - it.tax),
        refundOf(it),
        refundedTaxOf(it),
        states[language][it.state],
        it.provider,
        it.payment,
        it.email,
      ]),
  });
}
