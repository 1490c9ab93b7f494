import { createHmac } from 'node:crypto';
import type { stripeConnection } from '@portico/contract/integration-kinds.ts';
import type { z } from 'zod';
import { IntegrationError } from '../problems.ts';
import { type At, type Outcome, type PaymentDriver, paidOnPage, paymentBases } from './driver.ts';
import { askProvider, type Json, jsonOf, pageOf, sameText, textOf, within } from './requests.ts';

/** Stripe Checkout Sessions over REST (docs.stripe.com/api/checkout/sessions). */

type Connection = z.output<typeof stripeConnection>;

/** Sessions live at least half an hour; ours end with that. */
const sessionSeconds = 1860;
/** Stripe's own libraries refuse older notifications. */
const maxAgeSeconds = 300;

async function ask(
  { app, connection }: At<Connection>,
  path: string,
  { form, once }: { form?: Record<string, string>; once?: string } = {},
): Promise<Json> {
  const { status, json } = await askProvider(app, {
    url: `${paymentBases.stripe}/v1/${path}`,
    method: form ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${connection.secret_key}`,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      // Stripe answers a repeated request with the first result.
      ...(once && { 'idempotency-key': once }),
    },
    body: form && new URLSearchParams(form).toString(),
  });
  if (status >= 400) {
    const code = status >= 500 || status === 429 ? 'unreachable' : 'refused';
    throw new IntegrationError(code, textOf(within(json, 'error', 'message')).slice(0, 200));
  }
  return json;
}

const numberOf = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : Number.NaN);

/** `t=…,v1=…`: an HMAC over the time and the body. The header has several while a secret is being replaced. */
function isGenuine(header: string, body: string, secret: string): boolean {
  if (!secret) return false;
  const parts = header.split(',').map(it => it.trim().split('=', 2) as [string, string | undefined]);
  const at = parts.find(([key]) => key === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > maxAgeSeconds) return false;
  const expected = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return parts.some(([key, value]) => key === 'v1' && sameText(value ?? '', expected));
}

export const stripe: PaymentDriver<Connection> = {
  traits: paidOnPage,
  received: '{"received":true}',
  hasHook: true,

  async create(at, it) {
    const session = await ask(at, 'checkout/sessions', {
      once: `checkout-${it.id}`,
      form: {
        mode: 'payment',
        client_reference_id: it.id,
        'metadata[purchase]': it.id,
        'payment_intent_data[metadata][purchase]': it.id,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': it.currency,
        'line_items[0][price_data][unit_amount]': String(it.amount),
        'line_items[0][price_data][product_data][name]': it.title,
        // Cards only: other ways of payment may take days, and the guest waits.
        'payment_method_types[0]': 'card',
        customer_email: it.email,
        locale: it.language === 'ar' ? 'auto' : it.language,
        success_url: it.returnUrl,
        cancel_url: it.returnUrl,
        expires_at: String(Math.floor(Date.now() / 1000) + sessionSeconds),
      },
    });
    const reference = textOf(session['id']);
    if (!reference) throw new IntegrationError('bad_answer', 'id');
    return { reference, url: pageOf(textOf(session['url'])) };
  },

  async confirm(at, { reference }): Promise<Outcome> {
    const expand = 'expand[]=payment_intent.latest_charge';
    const session = await ask(at, `checkout/sessions/${encodeURIComponent(reference)}?${expand}`);
    if (session['id'] !== reference) throw new IntegrationError('bad_answer', 'id');
    const charge = within(session, 'payment_intent', 'latest_charge');
    const paid = session['payment_status'] === 'paid';
    return {
      state: paid ? 'paid' : session['status'] === 'expired' ? 'failed' : 'open',
      id: textOf(session['client_reference_id']),
      amount: numberOf(session['amount_total']),
      currency: textOf(session['currency']).toLowerCase(),
      payment: textOf(within(session, 'payment_intent', 'id')) || null,
      refunded: numberOf(within(charge, 'amount_refunded')) || 0,
      disputed: within(charge, 'disputed') === true,
    };
  },

  async refund(at, { id, payment, refunds }) {
    if (!payment) throw new IntegrationError('refused', 'payment_intent');
    const form = { payment_intent: payment, 'metadata[purchase]': id };
    // Stripe keeps a refusal too, so that a new request of an operator needs a key of its own.
    const answer = await ask(at, 'refunds', { once: `refund-${id}-${refunds}`, form });
    const status = textOf(answer['status']);
    if (status === 'failed' || status === 'canceled') throw new IntegrationError('refused', status);
    return status === 'succeeded' ? 'done' : 'waiting';
  },

  webhook({ connection }, { headers, body }) {
    const header = textOf(headers['stripe-signature']);
    if (!isGenuine(header, body, connection.webhook_secret)) return undefined;
    const event = jsonOf(body);
    const object = within(event, 'data', 'object');
    const type = textOf(event?.['type']);
    if (type.startsWith('checkout.session.')) return { reference: textOf(within(object, 'id')) };
    if (type.startsWith('charge.')) return { payment: textOf(within(object, 'payment_intent')) };
    return null;
  },

  async test(at) {
    const account = await ask(at, 'account');
    return [{ name: 'account', value: textOf(account['id']) || null }];
  },
};
