import type { Purchase } from '@portico/contract/purchases.ts';
import type { Tx } from '#db/tenant.ts';
import { confirmCounted, type Outcome, sourceOf, traitsOf } from '#features/integrations/public.ts';
import { recordPurchaseSale, reversePurchaseSale } from '#features/reports/public.ts';
import { commandForVisitors, sendSoon } from '#features/sessions/public.ts';
import { addBoughtDays, findBuyer, insertBuyer, takeBoughtDays } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { createTurns } from '#lib/turns.ts';
import * as queries from './purchases.queries.ts';
import { sendReceipt } from './receipt.service.ts';

/** A guest who repeats the return must not use up the calls that the provider allows the venue. */
const inTurn = createTurns();

/**
 * The one way in which a purchase changes its state: ask the provider, then apply its answer under the lock of the purchase.
 * A notification, the guest's return and the job all come here, so it does not matter how often, or in which order, they come.
 */
export const settle = (app: App, at: { tenantId: string; purchaseId: string }): Promise<void> =>
  inTurn(at.purchaseId, () => ask(app, at));

async function ask(app: App, { tenantId, purchaseId }: { tenantId: string; purchaseId: string }): Promise<void> {
  const before = await app.db.withTenant(tenantId, tx => queries.readPurchase(tx, purchaseId));
  const reference = before && referenceOf(before);
  if (!before || !reference) return;
  const source = await sourceOf(app, tenantId, before);
  if (!source) return app.db.withTenant(tenantId, async tx => void (await queries.stopChecks(tx, purchaseId)));
  const outcome = await confirmCounted(source, { ...before, reference });
  const commands = await app.db.withTenant(tenantId, tx => apply(tx, app, { id: purchaseId, reference }, outcome));
  if (commands) sendSoon(app);
}

/** The provider's id of the checkout, also if the process died before it was noted. */
export const referenceOf = (it: queries.StoredPurchase): string | null =>
  it.reference ?? (traitsOf(it.provider).isRepeatable ? it.id : null);

/** Applies what the provider says. Returns the number of commands for routers. */
async function apply(tx: Tx, app: App, at: { id: string; reference: string }, outcome: Outcome): Promise<number> {
  const purchase = await queries.lockPurchase(tx, at.id);
  if (!purchase || referenceOf(purchase) !== at.reference) return 0;
  let commands = 0;
  if (purchase.state === 'open' || purchase.state === 'failed') {
    if (outcome.state === 'paid') {
      commands = await takePayment(tx, app, purchase, outcome);
      // The money may be back before the payment is known: a refund at the provider while this server was away.
      const taken = await queries.lockPurchase(tx, at.id);
      if (taken) commands += await takeWhatWentBack(tx, taken, outcome);
    } else if (outcome.state === 'failed')
      await queries.updatePurchase(tx, at.id, { state: 'failed', reported: outcome.answer?.slice(0, 64) ?? null });
  } else commands = await takeWhatWentBack(tx, purchase, outcome);
  // An answer that reports itself may have come meanwhile, and must not be put off.
  if (!traitsOf(purchase.provider).reportsItself || outcome.state !== 'open') await queries.scheduleCheck(tx, at.id);
  return commands;
}

/** Whether the whole payment went back, or the bank took it. */
const isOver = ({ amount }: queries.StoredPurchase, it: Outcome): boolean => it.disputed || it.refunded >= amount;

/** Takes back what the provider has paid back. Returns the number of commands for routers. */
async function takeWhatWentBack(tx: Tx, purchase: queries.StoredPurchase, it: Outcome): Promise<number> {
  if (purchase.state !== 'paid' && purchase.state !== 'refunding') return 0;
  if (isOver(purchase, it)) return reverse(tx, purchase, it.refunded >= purchase.amount ? 'refunded' : 'charged-back');
  return it.refunded > purchase.returned ? reversePart(tx, purchase, it.refunded) : 0;
}

/** Why an answer does not fit the purchase: the provider lies, or was asked for something else. */
function mismatchOf(purchase: queries.StoredPurchase, it: Outcome): Purchase['problem'] {
  if (it.id !== purchase.id) return 'reference';
  if (it.currency !== purchase.currency) return 'currency';
  return it.amount === purchase.amount ? null : 'amount';
}

async function takePayment(tx: Tx, app: App, purchase: queries.StoredPurchase, it: Outcome): Promise<number> {
  const problem = mismatchOf(purchase, it);
  if (problem) {
    const reported = problem === 'reference' ? it.id.slice(0, 64) : `${it.amount} ${it.currency}`.slice(0, 64);
    await queries.updatePurchase(tx, purchase.id, { state: 'refused', problem, reported, payment: it.payment });
    return 0;
  }
  const visitorId = await giveDays(tx, purchase);
  await queries.updatePurchase(
    tx,
    purchase.id,
    { state: 'paid', visitor_id: visitorId, payment: it.payment, problem: null, reported: null },
    { paid_at: true },
  );
  const saleId = newId();
  await recordPurchaseSale(tx, { ...purchase, id: saleId, purchaseId: purchase.id, visitorId });
  await traitsOf(purchase.provider).noteSale?.(tx, purchase.id, saleId);
  if (!isOver(purchase, it)) await sendReceipt(tx, app, purchase);
  return commandForVisitors(tx, { visitorIds: [visitorId], event: 'changed', userId: null });
}

/** The visitor who gets the days: the one who paid, or a new one. */
async function giveDays(tx: Tx, purchase: queries.StoredPurchase): Promise<string> {
  const { location_id: locationId, device_id: deviceId, profile_id: profileId, days, email, phone } = purchase;
  const known = purchase.visitor_id && (await findBuyer(tx, purchase.visitor_id, { locationId, profileId }));
  const id = known ? known.id : newId();
  if (!known) await insertBuyer(tx, id, { locationId, deviceId, email: email ?? '', phone, seconds: 0 });
  await addBoughtDays(tx, id, { days, profileId });
  return id;
}

/** How many whole days an amount pays for. */
const wholeDays = (purchase: queries.StoredPurchase, amount: number): number =>
  Math.floor(amount / purchase.unit_price);

const reasonOf = (purchase: queries.StoredPurchase): string => purchase.refund_reason || 'refund';

/**
 * The provider has paid a part back, `returned` in all. The days that it would have paid for are taken back; a day that is paid in
 * part stays. The caller holds the lock of the purchase.
 */
async function reversePart(tx: Tx, purchase: queries.StoredPurchase, returned: number): Promise<number> {
  const { id } = purchase;
  const days = wholeDays(purchase, returned) - wholeDays(purchase, purchase.returned);
  await queries.updatePurchase(tx, id, { returned });
  const part = { days, amount: returned - purchase.returned, reason: reasonOf(purchase), userId: purchase.refunded_by };
  return takeBack(tx, purchase, part);
}

/** Takes the days back, and writes the reversal. The caller holds the lock of the purchase. */
export async function reverse(
  tx: Tx,
  purchase: queries.StoredPurchase,
  state: 'refunded' | 'charged-back',
): Promise<number> {
  const { id, days, amount, returned } = purchase;
  await queries.updatePurchase(tx, id, { state }, { refunded_at: true });
  const reason = state === 'refunded' ? reasonOf(purchase) : 'chargeback';
  const rest = { days: days - wholeDays(purchase, returned), amount: amount - returned };
  return takeBack(tx, purchase, { ...rest, reason, userId: purchase.refunded_by });
}

async function takeBack(
  tx: Tx,
  { id, visitor_id: visitorId, paid_at: paidAt }: queries.StoredPurchase,
  it: { days: number; amount: number; reason: string; userId: string | null },
): Promise<number> {
  await reversePurchaseSale(tx, { id: newId(), purchaseId: id, ...it });
  if (!visitorId || !paidAt || !it.days) return 0;
  await takeBoughtDays(tx, visitorId, it.days);
  return commandForVisitors(tx, { visitorIds: [visitorId], event: 'changed', userId: null });
}
