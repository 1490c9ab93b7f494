import type { Purchase, RefundForm } from '@portico/contract/purchases.ts';
import { audit } from '#features/audit/public.ts';
import { IntegrationError, mayBeBack, sourceOf, traitsOf } from '#features/integrations/public.ts';
import { sendSoon } from '#features/sessions/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import * as queries from './purchases.queries.ts';
import { referenceOf, reverse, settle } from './settle.service.ts';

type Call = Context & { actor: Actor };

const subjectOf = (it: Purchase) => ({ type: 'purchase' as const, id: it.id, name: it.package });
const one = (call: Call, id: string) =>
  call.inTenant(async tx => found(await queries.findPurchase(tx, call.actor.reach, id)));

/** Asks the provider now. */
export async function checkPurchase(call: Call, id: string): Promise<Purchase> {
  const before = await one(call, id);
  const { app, tenant, actor } = call;
  await settle(app, { tenantId: tenant.id, purchaseId: id }).catch((error: unknown) => {
    if (!(error instanceof IntegrationError)) throw error;
  });
  const after = await one(call, id);
  const locationId = after.location.id;
  await call.inTenant(tx =>
    audit(tx, actor, {
      verb: 'look-up',
      subject: subjectOf(after),
      locationId,
      after: { state: [before.state, after.state] },
    }),
  );
  return after;
}

/**
 * Pays a purchase back. The request is stored first. If the answer is lost, the job asks the provider again, which pays
 * nothing twice.
 */
export async function refundPurchase(call: Call, id: string, { reason }: RefundForm): Promise<Purchase> {
  const { app, tenant, actor } = call;
  await call.inTenant(async tx => {
    const it = found(await queries.findPurchase(tx, actor.reach, id));
    const { state, amount: paid, returned } = found(await queries.lockPurchase(tx, id));
    if (state !== 'paid' && state !== 'refused') throw invalid({ reason: 'not_refundable' });
    const asked = { state: 'refunding', refund_reason: reason, refunded_by: actor.userId } as const;
    await queries.updatePurchase(tx, id, asked, { refunds: true });
    const { currency } = it;
    const amount = paid - returned;
    await audit(tx, actor, {
      verb: 'reverse',
      subject: subjectOf(it),
      locationId: it.location.id,
      after: { amount, currency, reason },
    });
  });
  const refused = await finishRefund(app, { tenantId: tenant.id, purchaseId: id });
  if (refused !== undefined) throw invalid({ reason: ['refund_refused', { words: refused }] });
  return one(call, id);
}

/**
 * Asks the provider for the refund of a purchase that waits for it. Returns why the provider refused; without an answer the
 * purchase goes on waiting.
 */
export async function finishRefund(
  app: App,
  { tenantId, purchaseId }: { tenantId: string; purchaseId: string },
): Promise<string | undefined> {
  const purchase = await app.db.withTenant(tenantId, tx => queries.readPurchase(tx, purchaseId));
  const reference = purchase && referenceOf(purchase);
  if (purchase?.state !== 'refunding' || !reference) return undefined;
  const source = await sourceOf(app, tenantId, purchase);
  let refused: string | undefined;
  let outcome: 'done' | 'waiting' = 'waiting';
  if (!source) refused = purchase.provider;
  else
    try {
      outcome = await source.refund({ ...purchase, reference });
    } catch (error) {
      if (!(error instanceof IntegrationError)) throw error;
      // Only a clear refusal ends the wait. Anything else may have reached the provider.
      if (error.code === 'refused') refused = error.message;
    }
  const commands = await app.db.withTenant(tenantId, async tx => {
    const now = await queries.lockPurchase(tx, purchaseId);
    if (now && outcome === 'done' && mayBeBack.has(now.state)) return reverse(tx, now, 'refunded');
    if (now?.state !== 'refunding') return 0;
    if (refused !== undefined)
      await queries.updatePurchase(tx, purchaseId, { state: now.paid_at ? 'paid' : 'refused' });
    if (!traitsOf(now.provider).reportsItself || refused !== undefined) await queries.scheduleCheck(tx, purchaseId);
    return 0;
  });
  if (commands) sendSoon(app);
  return refused;
}
