import { createHmac } from 'node:crypto';
import type { paytrConnection } from '@portico/contract/integration-kinds.ts';
import type { z } from 'zod';
import { IntegrationError } from '../problems.ts';
import { type At, decimalOf, minorOf, type Outcome, type PaymentDriver, paidOnPage, paymentBases } from './driver.ts';
import { askProvider, type Json, pageOf, sameText, textOf } from './requests.ts';

/** PayTR iFrame API (dev.paytr.com). Its page is opened as a link instead of in a frame. */

type Connection = z.output<typeof paytrConnection>;

const sign = ({ merchant_key }: Connection, text: string) =>
  createHmac('sha256', merchant_key).update(text).digest('base64');

async function ask({ app }: At<Connection>, path: string, form: Record<string, string>): Promise<Json> {
  const { status, json } = await askProvider(app, {
    url: `${paymentBases.paytr}/odeme/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  if (status >= 500) throw new IntegrationError('unreachable', `HTTP ${status}`);
  return json;
}

/** Order numbers have letters and digits only. */
const orderOf = (id: string): string => id.replaceAll('-', '');
const idOf = (order: string): string =>
  /^[0-9a-f]{32}$/.test(order) ? order.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : '';

const asked: Readonly<Record<string, string>> = { try: 'TL', eur: 'EUR', usd: 'USD', gbp: 'GBP' };
const answered: Readonly<Record<string, string>> = { TL: 'try', TRY: 'try', EUR: 'eur', USD: 'usd', GBP: 'gbp' };
/** The number of the error for an order without a payment. */
const noPayment = '004';
/** Minutes until the page expires. */
const timeLimit = '30';

const lookUp = (at: At<Connection>, order: string): Promise<Json> => {
  const { merchant_id, merchant_salt } = at.connection;
  const paytr_token = sign(at.connection, merchant_id + order + merchant_salt);
  return ask(at, 'durum-sorgu', { merchant_id, merchant_oid: order, paytr_token });
};

/** Amounts come as `10.8`, and in some answers as `10,80`. */
const amountOf = (value: unknown): number => minorOf(textOf(value).replace(',', '.'));

/** How much went back, from the list of refunds. */
function refundedOf({ returns }: Json): number {
  if (!Array.isArray(returns)) return 0;
  const amounts = returns.map(it => amountOf((it as Json | null)?.['return_amount']));
  return amounts.reduce((sum, it) => sum + (Number.isNaN(it) ? 0 : it), 0);
}

export const paytr: PaymentDriver<Connection> = {
  traits: paidOnPage,
  received: 'OK',
  hasHook: true,

  async create(at, it) {
    const { merchant_id, merchant_salt, test_mode } = at.connection;
    const basket = Buffer.from(JSON.stringify([[it.title, decimalOf(it.amount), 1]])).toString('base64');
    const currency = asked[it.currency] ?? '';
    const [order, amount, test] = [orderOf(it.id), String(it.amount), test_mode ? '1' : '0'];
    // Without instalments the guest pays exactly the amount.
    const [noInstalment, maxInstalments] = ['1', '0'];
    const signed = [
      merchant_id,
      it.address,
      order,
      it.email,
      amount,
      basket,
      noInstalment,
      maxInstalments,
      currency,
      test,
    ];
    const json = await ask(at, 'api/get-token', {
      merchant_id,
      user_ip: it.address,
      merchant_oid: order,
      email: it.email,
      payment_amount: amount,
      paytr_token: sign(at.connection, signed.join('') + merchant_salt),
      user_basket: basket,
      debug_on: '0',
      no_installment: noInstalment,
      max_installment: maxInstalments,
      // PayTR wants a buyer with an address. Guests give an e-mail address only, so the rest is that of the venue.
      user_name: it.email,
      user_address: it.place,
      user_phone: '0',
      merchant_ok_url: it.returnUrl,
      // Whether the page takes another card after that is not documented, so that the guest gets a new one.
      merchant_fail_url: `${it.returnUrl}?declined=1`,
      timeout_limit: timeLimit,
      currency,
      test_mode: test,
      lang: it.language === 'tr' ? 'tr' : 'en',
    });
    const token = textOf(json['token']);
    if (json['status'] !== 'success' || !/^[\w-]+$/.test(token))
      throw new IntegrationError('refused', textOf(json['reason']).slice(0, 200));
    return { reference: order, url: pageOf(`${paymentBases.paytr}/odeme/guvenli/${token}`) };
  },

  async confirm(at, order): Promise<Outcome> {
    const json = await lookUp(at, order.reference);
    const id = idOf(order.reference);
    if (json['status'] !== 'success')
      return {
        state: 'open',
        id,
        amount: order.amount,
        currency: order.currency,
        payment: null,
        refunded: 0,
        disputed: false,
      };
    return {
      state: 'paid',
      id,
      amount: amountOf(json['payment_total']),
      currency: answered[textOf(json['currency']).toUpperCase()] ?? textOf(json['currency']).toLowerCase(),
      payment: order.reference,
      refunded: refundedOf(json),
      disputed: false,
    };
  },

  async refund(at, order) {
    // PayTR would refund again, so it is asked first.
    const back = refundedOf(await lookUp(at, order.reference));
    if (back >= order.amount) return 'done';
    const { merchant_id, merchant_salt } = at.connection;
    const amount = decimalOf(order.amount - back);
    const paytr_token = sign(at.connection, merchant_id + order.reference + amount + merchant_salt);
    const form = { merchant_id, merchant_oid: order.reference, return_amount: amount, paytr_token };
    const json = await ask(at, 'iade', { ...form, reference_no: order.reference });
    if (json['status'] !== 'success') throw new IntegrationError('refused', textOf(json['err_msg']).slice(0, 200));
    return 'done';
  },

  webhook({ connection }, { body }) {
    const form = new URLSearchParams(body);
    const [order, status, total] = ['merchant_oid', 'status', 'total_amount'].map(key => form.get(key) ?? '');
    const expected = sign(connection, order + connection.merchant_salt + status + total);
    if (!sameText(form.get('hash') ?? '', expected)) return undefined;
    return order ? { reference: order } : null;
  },

  async test(at) {
    const json = await lookUp(at, orderOf('00000000-0000-4000-8000-000000000000'));
    // A genuine account is told that there is no such order, another one that its token is wrong.
    if (json['status'] !== 'success' && json['err_no'] !== noPayment)
      throw new IntegrationError('login_refused', textOf(json['err_msg']).slice(0, 200));
    return [{ name: 'merchant_id', value: at.connection.merchant_id }];
  },
};
