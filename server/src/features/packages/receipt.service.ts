import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import { shownVoucherCode } from '@portico/contract/voucher-code.ts';
import type { Tx } from '#db/tenant.ts';
import { countSms } from '#features/locations/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { queueMail } from '#mail/outbox.ts';
import { oneSms } from '#sms/code-text.ts';
import { insertMessage } from '#sms/sms.queries.ts';
import { hasGateway } from './gateway.queries.ts';
import type { StoredPurchase } from './purchases.queries.ts';

/** Minor units with the sign of the currency, as the language writes it. */
export const moneyText = (minor: number, currency: string, language: ShippedLanguage): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency: currency.toUpperCase() }).format(minor / 100);

/** `2000` as `20 %`, as the language writes it. */
export const percentText = (rate: number, language: ShippedLanguage): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(rate / 10_000);

const smsTexts: Readonly<Record<ShippedLanguage, string>> = {
  tr: '{place} Wi-Fi: {amount} odendi. Makbuz kodu: {code}',
  en: '{place} Wi-Fi: {amount} paid. Receipt code: {code}',
  de: '{place} WLAN: {amount} bezahlt. Belegcode: {code}',
  ru: '{place} Wi-Fi: {amount}. Код: {code}',
  ar: '{place} Wi-Fi: {amount}. {code}',
  fr: '{place} Wi-Fi : {amount}. Code : {code}',
  es: '{place} Wi-Fi: {amount}. Clave: {code}',
  it: '{place} Wi-Fi: {amount}. Codice: {code}',
  fa: '{place} وای‌فای: {amount}. {code}',
  uk: '{place} Wi-Fi: {amount}. Код: {code}',
  zh: '{place} Wi-Fi：{amount}。{code}',
  ja: '{place} Wi-Fi：{amount} {code}',
};

/** What a receipt says. */
export const receiptData = (it: StoredPurchase, code: string) => ({
  location: it.location_name,
  package: it.package,
  days: it.days,
  amount: moneyText(it.amount, it.currency, it.language),
  tax: it.tax ? moneyText(it.tax, it.currency, it.language) : '',
  rate: percentText(it.tax_rate, it.language),
  order: it.id,
  code,
});

/** Queues the receipt by mail, and by SMS where the guest gave a number and there is a gateway. */
export async function sendReceipt(tx: Tx, app: App, it: StoredPurchase): Promise<void> {
  const { language, location_id: locationId } = it;
  const plain = app.secrets.read(it.code);
  const code = plain === undefined ? '' : shownVoucherCode(plain);
  const amount = moneyText(it.amount, it.currency, language);
  if (it.email) {
    const data = receiptData(it, code);
    await queueMail(tx, app, { to: it.email, language, template: 'purchase_receipt', data, locationId });
  }
  if (it.phone) await textReceipt(tx, app, it, { phone: it.phone, amount, code });
}

async function textReceipt(
  tx: Tx,
  app: App,
  { language, location_id: locationId, location_name, client_mac }: StoredPurchase,
  { phone, amount, code }: { phone: string; amount: string; code: string },
): Promise<void> {
  if (!app.settings.SMS_URL && !(await hasGateway(tx, locationId))) return;
  // Without messages left the mail has to do.
  if (!(await countSms(tx, locationId))) return;
  // The spaces of amounts are not in the GSM alphabet.
  const text = oneSms(smsTexts[language], { place: location_name, amount: amount.replace(/\s/g, ' '), code });
  await insertMessage(tx, {
    id: newId(),
    locationId,
    phoneHash: app.secrets.index(`phone ${phone}`),
    mac: client_mac ?? '',
    address: '0.0.0.0',
    data: app.secrets.encrypt(JSON.stringify({ to: phone, text })),
  });
}
