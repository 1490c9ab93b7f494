import { createHmac } from 'node:crypto';
import type { iyzicoConnection } from '@portico/contract/integration-kinds.ts';
import type { z } from 'zod';
import { randomWord } from '#lib/ids.ts';
import { IntegrationError } from '../problems.ts';
import { type At, decimalOf, minorOf, type Outcome, type PaymentDriver, paidOnPage, paymentBases } from './driver.ts';
import { askProvider, type Json, jsonOf, pageOf, sameText, textOf, within } from './requests.ts';

/** iyzico Checkout Form (docs.iyzico.com): initialise, open the page, and retrieve the result by its token. */

type Connection = z.output<typeof iyzicoConnection>;

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** The header IYZWSv2: an HMAC over random key, path and body. */
function authorization({ api_key, secret_key }: Connection, path: string, random: string, body: string): string {
  const signature = hex(secret_key, random + path + body);
  const text = `apiKey:${api_key}&randomKey:${random}&signature:${signature}`;
  return `IYZWSv2 ${Buffer.from(text).toString('base64')}`;
}

async function ask({ app, connection }: At<Connection>, path: string, it: Json): Promise<Json> {
  return send({ app, connection }, path, { body: JSON.stringify(it) });
}

/** Without a body it is a GET. The query is not signed. */
async function send(
  { app, connection }: Pick<At<Connection>, 'app' | 'connection'>,
  path: string,
  { body = '', query = '' }: { body?: string; query?: string },
): Promise<Json> {
  const random = randomWord(20);
  const base = paymentBases[connection.sandbox ? 'iyzico-sandbox' : 'iyzico'];
  const { status, json } = await askProvider(app, {
    url: base + path + query,
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: authorization(connection, path, random, body),
      'x-iyzi-rnd': random,
      'content-type': 'application/json',
    },
    ...(body && { body }),
  });
  if (status >= 500) throw new IntegrationError('unreachable', `HTTP ${status}`);
  return json;
}

/** Amounts are signed without trailing zeros. */
const plain = (value: unknown): string => {
  const text = textOf(value);
  return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
};

/** Answers are signed over some of their values, joined by a colon. */
function requireSigned({ secret_key }: Connection, json: Json, values: readonly string[]): void {
  if (!sameText(textOf(json['signature']), hex(secret_key, values.join(':'))))
    throw new IntegrationError('bad_answer', 'signature');
}

const requireSuccess = (json: Json): void => {
  if (json['status'] !== 'success') throw new IntegrationError('refused', textOf(json['errorMessage']).slice(0, 200));
};

const retrieve = (at: At<Connection>, { id, reference }: { id: string; reference: string }) =>
  ask(at, '/payment/iyzipos/checkoutform/auth/ecom/detail', { locale: 'en', conversationId: id, token: reference });

/**
 * Whether the whole payment went back, by the reporting service (docs.iyzico.com, Reporting Service; the names of its values
 * are those of the official client iyzipay-java). An account without that service answers with a failure.
 */
async function isPaidBack(at: At<Connection>, paymentId: string): Promise<boolean> {
  const query = `?paymentId=${encodeURIComponent(paymentId)}`;
  const json = await send(at, '/v2/reporting/payment/details', { query }).catch((error: unknown): Json => {
    // Without the report the refund itself is tried; if iyzico is away, that waits.
    if (error instanceof IntegrationError && error.code !== 'unreachable') return {};
    throw error;
  });
  const payments = json['status'] === 'success' && Array.isArray(json['payments']) ? (json['payments'] as Json[]) : [];
  const payment = payments.find(it => textOf(it['paymentId']) === paymentId);
  return payment?.['paymentRefundStatus'] === 'TOTALLY_REFUNDED';
}

const currencyOf = (code: string) => code.toUpperCase();

export const iyzico: PaymentDriver<Connection> = {
  traits: paidOnPage,
  received: '{"received":true}',
  hasHook: true,

  async create(at, it) {
    const price = decimalOf(it.amount);
    // iyzico wants a buyer with a postal address. Guests give an e-mail address only, so the rest is that of the venue.
    const address = { contactName: it.email, city: '-', country: '-', address: it.place };
    const json = await ask(at, '/payment/iyzipos/checkoutform/initialize/auth/ecom', {
      locale: it.language === 'tr' ? 'tr' : 'en',
      conversationId: it.id,
      price,
      paidPrice: price,
      currency: currencyOf(it.currency),
      basketId: it.id,
      paymentGroup: 'PRODUCT',
      callbackUrl: it.returnUrl,
      // Without instalments the guest pays exactly the amount.
      enabledInstallments: [1],
      buyer: {
        id: it.id,
        name: 'Wi-Fi',
        surname: 'Guest',
        email: it.email,
        identityNumber: '11111111111',
        registrationAddress: it.place,
        city: '-',
        country: '-',
        ip: it.address,
      },
      billingAddress: address,
      shippingAddress: address,
      basketItems: [{ id: it.id, name: it.title, category1: 'Wi-Fi', itemType: 'VIRTUAL', price }],
    });
    requireSuccess(json);
    const token = textOf(json['token']);
    requireSigned(at.connection, json, [it.id, token]);
    return { reference: token, url: pageOf(textOf(json['paymentPageUrl'])) };
  },

  async confirm(at, order): Promise<Outcome> {
    const json = await retrieve(at, order);
    const none = { id: order.id, amount: order.amount, currency: order.currency, payment: null };
    // Before the guest has paid, the answer is a failure without a payment.
    if (json['status'] !== 'success' || json['paymentStatus'] !== 'SUCCESS') {
      const failed = json['paymentStatus'] === 'FAILURE' || json['errorCode'] === '5122';
      return { ...none, state: failed ? 'failed' : 'open', refunded: 0, disputed: false };
    }
    const signed = ['paymentStatus', 'paymentId', 'currency', 'basketId', 'conversationId'].map(key =>
      textOf(json[key]),
    );
    requireSigned(at.connection, json, [
      ...signed,
      plain(json['paidPrice']),
      plain(json['price']),
      textOf(json['token']),
    ]);
    if (json['token'] !== order.reference) throw new IntegrationError('bad_answer', 'token');
    // 1: accepted; 0: being reviewed; -1: refused for suspected fraud.
    const review = Number(json['fraudStatus'] ?? 1);
    return {
      state: review === 1 ? 'paid' : review === 0 ? 'open' : 'failed',
      id: textOf(json['basketId']),
      amount: minorOf(plain(json['paidPrice'])),
      currency: textOf(json['currency']).toLowerCase(),
      payment: textOf(json['paymentId']) || null,
      refunded: 0,
      disputed: false,
    };
  },

  async refund(at, order) {
    const payment = await retrieve(at, order);
    const item = textOf(within(payment, 'itemTransactions', 0, 'paymentTransactionId'));
    const paymentId = textOf(payment['paymentId']);
    // The answer to an earlier request may be lost.
    if (paymentId && (await isPaidBack(at, paymentId))) return 'done';
    if (!item) throw new IntegrationError('refused', 'paymentTransactionId');
    const json = await ask(at, '/payment/refund', {
      locale: 'en',
      conversationId: order.id,
      paymentTransactionId: item,
      price: decimalOf(order.amount),
      currency: currencyOf(order.currency),
      ip: '127.0.0.1',
    });
    // The report may have been behind a moment ago.
    if (json['status'] !== 'success' && paymentId && (await isPaidBack(at, paymentId))) return 'done';
    requireSuccess(json);
    return 'done';
  },

  webhook({ connection: { secret_key } }, { headers, body }) {
    const json = jsonOf(body);
    if (!json) return undefined;
    const [event, payment, token, id, status] = [
      'iyziEventType',
      'iyziPaymentId',
      'token',
      'paymentConversationId',
      'status',
    ].map(key => textOf(json[key]));
    const expected = hex(secret_key, `${secret_key}${event}${payment}${token}${id}${status}`);
    if (!sameText(textOf(headers['x-iyz-signature-v3']).toLowerCase(), expected)) return undefined;
    return token ? { reference: token } : null;
  },

  async test(at) {
    const json = await ask(at, '/payment/bin/check', { locale: 'en', conversationId: 'test', binNumber: '589004' });
    requireSuccess(json);
    return [{ name: 'status', value: 'success' }];
  },
};
