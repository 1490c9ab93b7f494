import type { LicencePayment } from '@portico/contract/licence-payments.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { confirmCounted, licenceSourceOf, type Outcome, traitsOf } from '#features/integrations/public.ts';
import { addLicenceYears, takeLicenceYears } from '#features/locations/public.ts';
import type { App } from '#lib/app.ts';
import { createTurns } from '#lib/turns.ts';
import { panelLink } from '#mail/links.ts';
import { queueMail } from '#mail/outbox.ts';
import * as queries from './licence-payments.queries.ts';

/** The provider's id of the checkout, also if the process died before it was noted. */
export const referenceOf = (it: queries.StoredPayment): string | null =>
  it.reference ?? (traitsOf(it.provider).isRepeatable ? it.id : null);

/** A buyer who repeats the return must not use up the calls that the provider allows the tenant. */
const inTurn = createTurns();

/**
 * The one way in which a payment changes its state: ask the provider, then apply its answer under the lock of the payment. A
 * notification, the return of the buyer, an operator and the job all come here.
 */
export const settleLicence = (app: App, at: { tenantId: string; paymentId: string }): Promise<void> =>
  inTurn(at.paymentId, () => ask(app, at));

async function ask(app: App, { tenantId, paymentId }: { tenantId: string; paymentId: string }): Promise<void> {
  const before = await app.db.withTenant(tenantId, tx => queries.readPayment(tx, paymentId));
  const reference = before && referenceOf(before);
  if (!before) return;
  const account = await licenceSourceOf(app, tenantId, before.integration_id);
  if (!account || !reference)
    return app.db.withTenant(tenantId, async tx => void (await queries.stopChecks(tx, paymentId)));
  const outcome = await confirmCounted(account, { ...before, reference });
  await app.db.withTenant(tenantId, tx => apply(tx, app, { id: paymentId, reference }, outcome));
}

async function apply(tx: Tx, app: App, at: { id: string; reference: string }, outcome: Outcome): Promise<void> {
  const it = await queries.lockPayment(tx, at.id);
  if (!it || referenceOf(it) !== at.reference) return;
  if (it.state === 'open' || it.state === 'failed') {
    if (outcome.state === 'paid') {
      await takePayment(tx, app, it, outcome);
      // The money may be back before the payment is known: a refund at the provider while this server was away.
      const taken = await queries.lockPayment(tx, it.id);
      if (taken) await takeWhatWentBack(tx, taken, outcome);
    } else if (outcome.state === 'failed')
      await queries.updatePayment(tx, it.id, { state: 'failed', reported: outcome.answer?.slice(0, 64) ?? null });
  } else await takeWhatWentBack(tx, it, outcome);
  await queries.scheduleCheck(tx, it.id);
}

/** Whether the whole payment went back, or the bank took it. */
const isOver = ({ amount }: queries.StoredPayment, it: Outcome): boolean => it.disputed || it.refunded >= amount;

async function takeWhatWentBack(tx: Tx, payment: queries.StoredPayment, it: Outcome): Promise<void> {
  if (payment.state !== 'paid' && payment.state !== 'refunding') return;
  if (isOver(payment, it))
    await reverseLicence(tx, payment, it.refunded >= payment.amount ? 'refunded' : 'charged-back');
}

/** Why an answer does not fit the payment: the provider lies, or was asked for something else. */
function mismatchOf(payment: queries.StoredPayment, it: Outcome): LicencePayment['problem'] {
  if (it.id !== payment.id) return 'reference';
  if (it.currency !== payment.currency) return 'currency';
  return it.amount === payment.amount ? null : 'amount';
}

/** The licence is in force at once: its years begin at the later of now and its end. */
async function takePayment(tx: Tx, app: App, payment: queries.StoredPayment, it: Outcome): Promise<void> {
  const problem = mismatchOf(payment, it);
  if (problem) {
    const reported = problem === 'reference' ? it.id.slice(0, 64) : `${it.amount} ${it.currency}`.slice(0, 64);
    await queries.updatePayment(tx, payment.id, { state: 'refused', problem, reported, payment: it.payment });
    return;
  }
  // The money stays visible, and the tenant can pay it back.
  if (payment.location_id === null) {
    const gone = { state: 'refused', problem: 'location', reported: null, payment: it.payment } as const;
    await queries.updatePayment(tx, payment.id, gone);
    return;
  }
  const { before, after } = await addLicenceYears(tx, payment.location_id, payment.years);
  const paid = { state: 'paid', payment: it.payment, problem: null, reported: null, license_end_at: after } as const;
  await queries.updatePayment(tx, payment.id, paid, { paid_at: true });
  await trace(tx, payment, { before, after });
  if (!isOver(payment, it)) await sendReceipt(tx, app, payment, after);
}

const trace = (tx: Tx, it: queries.StoredPayment, ends: { before: string | null; after: string | null }) =>
  audit(
    tx,
    { email: it.email, ip: null },
    {
      verb: 'update',
      subject: { type: 'location', id: it.location_id ?? '', name: it.location_name },
      locationId: it.location_id,
      before: { license_end_at: ends.before },
      after: { license_end_at: ends.after },
    },
  );

/** The licence ends as many years earlier, at the earliest now. The caller holds the lock of the payment. */
export async function reverseLicence(
  tx: Tx,
  it: queries.StoredPayment,
  state: 'refunded' | 'charged-back',
): Promise<void> {
  await queries.updatePayment(tx, it.id, { state }, { refunded_at: true });
  // One that was refused gave no licence.
  if (it.paid_at && it.location_id) await trace(tx, it, await takeLicenceYears(tx, it.location_id, it.years));
}

/** The day on the clocks of the location, as `2028-11-26`. */
const dayAt = (time: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timeZone ?? 'UTC' }).format(new Date(time));

async function sendReceipt(tx: Tx, app: App, it: queries.StoredPayment, end: string): Promise<void> {
  const { language } = it;
  const money = (minor: number) =>
    new Intl.NumberFormat(language, { style: 'currency', currency: it.currency.toUpperCase() }).format(minor / 100);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const data = {
    location: it.location_name,
    years: it.years,
    amount: money(it.amount),
    tax: it.tax ? money(it.tax) : '',
    rate: percent.format(it.tax_rate / 10_000),
    until: dayAt(end, it.time_zone),
    order: it.id,
    link: panelLink(app.settings, it.slug, '/'),
  };
  await queueMail(tx, app, { to: it.email, language, template: 'licence_receipt', data });
}
