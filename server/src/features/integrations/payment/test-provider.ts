import type { testPaymentConnection } from '@portico/contract/integration-kinds.ts';
import type { z } from 'zod';
import { IntegrationError } from '../problems.ts';
import { type PaymentDriver, paidOnPage } from './driver.ts';
import { sameText, textOf } from './requests.ts';
import * as books from './test-payments.queries.ts';

/** Payments without money, for trying things out. Its page and its books are in this product, behind the same interface. */

type Connection = z.output<typeof testPaymentConnection>;

/** The text that the test provider signs in its notifications. */
const signedPart = (tenantId: string, reference: string) => `test payment ${tenantId} ${reference}`;

/** The address of its page. */
export const testPagePath = (tenantId: string, reference: string): string => `/pay/test/${tenantId}/${reference}`;

export const testProvider: PaymentDriver<Connection> = {
  traits: paidOnPage,
  received: 'OK',
  hasHook: false,

  async create({ app, tenantId, locationId }, it) {
    const row = {
      reference: it.id,
      location_id: locationId,
      amount: it.amount,
      currency: it.currency,
      title: it.title,
    };
    await app.db.withTenant(tenantId, tx => books.insertTestPayment(tx, { ...row, return_url: it.returnUrl }));
    const { origin } = new URL(it.returnUrl);
    return { reference: it.id, url: origin + testPagePath(tenantId, it.id) };
  },

  async confirm({ app, tenantId }, { reference }) {
    const row = await app.db.withTenant(tenantId, tx => books.findTestPayment(tx, reference));
    if (!row) throw new IntegrationError('bad_answer', reference);
    const { state, amount, currency, refunded, disputed } = row;
    return { state, id: reference, amount, currency, payment: `test-${reference.slice(-12)}`, refunded, disputed };
  },

  async refund({ app, tenantId }, { reference }) {
    const count = await app.db.withTenant(tenantId, tx => books.refundTestPayment(tx, reference));
    if (!count) throw new IntegrationError('refused', reference);
    return 'done';
  },

  webhook({ app, tenantId }, { headers, body }) {
    const expected = app.secrets.sign(signedPart(tenantId, body));
    return sameText(textOf(headers['x-test-signature']), expected) ? { reference: body } : undefined;
  },

  async test({ app }) {
    if (!app.settings.TEST_PAYMENTS) throw new IntegrationError('refused', 'TEST_PAYMENTS=0');
    return [];
  },
};
