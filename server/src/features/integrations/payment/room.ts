import { chargePurchase, readPurchaseCharge, setChargedSale, takeBackPurchase } from '#features/room-charges/public.ts';
import { IntegrationError } from '../problems.ts';
import type { PaymentDriver } from './driver.ts';

/** A charge that is not queued by then will not be. */
const queuedWithinMs = 60_000;

/**
 * The bill of a hotel room as a way to pay. The charge is queued here, and the link to the hotel system sends it; its answer
 * is read from the queue. It needs no page, no notification and no account besides the link.
 */
export const room: Pick<PaymentDriver<null>, 'traits' | 'create' | 'confirm' | 'refund'> = {
  traits: { isRepeatable: true, reportsItself: true, refusal: 'room_refused', noteSale: setChargedSale },

  async create({ app, tenantId }, { id, amount, currency, title, hotelGuest }) {
    const order = { purchaseId: id, visitorId: hotelGuest ?? '', amount, currency, words: title };
    const isQueued = hotelGuest !== null && (await app.db.withTenant(tenantId, tx => chargePurchase(tx, order)));
    if (!isQueued) throw new IntegrationError('refused', 'room');
    return { reference: id, url: null };
  },

  async confirm({ app, tenantId }, { id, amount, currency, created_at }) {
    const charge = await app.db.withTenant(tenantId, tx => readPurchaseCharge(tx, id));
    if (!charge) {
      // The process died before the charge was queued.
      const state = Date.now() - Date.parse(created_at) < queuedWithinMs ? 'open' : 'failed';
      return { state, id, amount, currency, payment: null, refunded: 0, disputed: false };
    }
    const over = charge.state === 'refused' || charge.state === 'cancelled';
    return {
      state: charge.state === 'posted' ? 'paid' : over ? 'failed' : 'open',
      id,
      amount: charge.amount,
      currency: charge.currency,
      payment: charge.number === null ? null : String(charge.number),
      refunded: charge.taken_back,
      disputed: false,
      answer: charge.answer ?? undefined,
    };
  },

  async refund({ app, tenantId }, { id, refunds }) {
    const back = await app.db.withTenant(tenantId, tx => takeBackPurchase(tx, id, refunds));
    if (!back || back.state === 'refused' || back.state === 'cancelled')
      throw new IntegrationError('refused', back?.answer ?? 'room');
    return back.state === 'posted' ? 'done' : 'waiting';
  },
};
