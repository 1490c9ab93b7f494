import type { Language } from '@portico/contract/errors.ts';
import type { Sale } from '@portico/contract/sales.ts';
import { exportRows } from '#features/audit/public.ts';
import { type Actor, listScope } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { csvLine } from '#lib/csv.ts';
import { nextSales, type SaleFilter } from './reports.queries.ts';

const header: Record<Language, readonly string[]> = {
  en: [
    'Sale',
    'Time',
    'Location',
    'Type',
    'Batch or package',
    'Session profile',
    'Visitor',
    'Number',
    'Unit price',
    'Total',
    'Currency',
    'Reverses',
    'Reason',
    'Purchase',
  ],
  tr: [
    'Satış',
    'Zaman',
    'Lokasyon',
    'Tür',
    'Grup veya paket',
    'Oturum profili',
    'Ziyaretçi',
    'Adet',
    'Birim fiyat',
    'Toplam',
    'Para birimi',
    'Geri alınan satış',
    'Neden',
    'Satın alma',
  ],
};

const kinds: Record<Language, Record<Sale['kind'] | 'purchase', string>> = {
  en: { days: 'Days', voucher: 'Voucher', purchase: 'Bought online' },
  tr: { days: 'Gün', voucher: 'Kupon', purchase: 'İnternetten satın alma' },
};

/** The reasons that the product writes for refunds which the payment provider reports. Staff write others. */
const reasons: Record<Language, Record<string, string>> = {
  en: { refund: 'Refunded at the payment provider', chargeback: 'Charged back by the bank' },
  tr: { refund: 'Ödeme sağlayıcısında iade edildi', chargeback: 'Banka geri aldı' },
};

/** All sales and reversals that match, as CSV for the accountant. Times are those of the location. */
export function exportSales(call: Context, actor: Actor, filter: SaleFilter): AsyncGenerator<string> {
  const { language } = call;
  const scope = listScope(actor, filter);
  return exportRows<Awaited<ReturnType<typeof nextSales>>[number]>(call, actor, {
    subject: { type: 'sale', name: 'sales.csv' },
    filter,
    header: header[language],
    next: (tx, after, limit) => nextSales(tx, scope, filter, { after, limit }),
    line: it =>
      csvLine([
        it.id,
        it.sold_local,
        it.location.name,
        kinds[language][it.purchase_id ? 'purchase' : it.kind],
        it.item,
        it.profile?.name,
        it.visitor?.name,
        it.days,
        it.unit_price,
        it.total,
        it.currency.toUpperCase(),
        it.reverses,
        (it.purchase_id && it.reason && reasons[language][it.reason]) || it.reason,
        it.purchase_id,
      ]),
  });
}
