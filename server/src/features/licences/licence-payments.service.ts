import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from '@portico/contract/errors.ts';
import {
  type LicencePayment,
  type LicenceTerms,
  type LicenceTermsChange,
  licenceTermsForm,
} from '@portico/contract/licence-payments.ts';
import { taxIn } from '@portico/contract/tax.ts';
import { audit } from '#features/audit/public.ts';
import {
  holdAccount,
  IntegrationError,
  licenceAccount,
  licenceSourceOf,
  mayBeBack,
} from '#features/integrations/public.ts';
import { findLocation, lockLocation } from '#features/locations/public.ts';
import { servesPanel } from '#features/tenants/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { completeForm } from '#http/complete-form.ts';
import { checkExpected, expectedEnd } from '#http/expected-end.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { licenceReturnPath } from './licence-hook.captive.ts';
import * as queries from './licence-payments.queries.ts';
import { referenceOf, reverseLicence, settleLicence } from './licence-settle.service.ts';
import { getCustomer } from './licences.queries.ts';

type Call = Context & { actor: Actor };

/** How long a request waits for the page that another one makes, and how often it looks. */
const [pageMs, lookMs] = [5000, 200];

/** The name of the item, on the page of the provider and on its receipt. */
const titles: Readonly<Record<Language, (years: number) => string>> = {
  en: years => `licence, ${years} ${years === 1 ? 'year' : 'years'}`,
  tr: years => `${years} yıllık lisans`,
};

/** The price for a location; null where it sends a request. Customers of a reseller pay the reseller, who sets the price. */
export async function getOffer(
  { app, tenant, actor, inTenant }: Call,
  locationId: string,
): Promise<LicenceTerms | null> {
  const terms = await inTenant(async tx => {
    found(await findLocation(tx, actor, locationId));
    return (await getCustomer(tx, locationId)).reseller_id ? undefined : queries.findTerms(tx);
  });
  if (!terms?.is_active) return null;
  return (await licenceAccount(app, tenant.id)) ? terms : null;
}

export async function setTerms(call: Call, change: LicenceTermsChange): Promise<LicenceTerms> {
  const { app, tenant, actor, language, inTenant } = call;
  const account = change.is_active === false ? undefined : await licenceAccount(app, tenant.id);
  return inTenant(async tx => {
    await queries.lockTerms(tx);
    const before = await queries.findTerms(tx);
    const terms = completeForm(licenceTermsForm, { ...before, ...change }, language);
    if (terms.is_active && !account) throw invalid({ is_active: 'no_payment_account' });
    await queries.saveTerms(tx, terms);
    await audit(tx, actor, {
      verb: 'update',
      subject: { type: 'licence-terms', name: '' },
      before: before ?? {},
      after: terms,
    });
    return terms;
  });
}

/** Makes the checkout. The amount is ours; the form only says how many years. */
export async function payLicence(
  call: Call,
  it: { locationId: string; year: number; expected: string | null | undefined },
): Promise<{ id: string; url: string }> {
  const { app, tenant, actor, inTenant } = call;
  const { locationId, year } = it;
  const [terms, account] = await Promise.all([getOffer(call, locationId), licenceAccount(app, tenant.id)]);
  if (!terms || !account) throw invalid({ year: 'not_sold_online' });
  const id = newId();
  const amount = terms.price * year;
  const host = call.request.hostname.toLowerCase();
  const { location, begun, buyer } = await inTenant(async tx => {
    await lockLocation(tx, locationId);
    const location = found(await findLocation(tx, actor, locationId));
    checkExpected(expectedEnd(it.expected, location.license_end_at));
    const wanted = { locationId, userId: actor.userId, years: year, amount, currency: terms.currency };
    const begun = await queries.findBegun(tx, { ...wanted, integrationId: account.integrationId });
    const buyer = await queries.getBuyer(tx, actor.userId);
    if (begun) return { location, begun, buyer };
    if (!(await holdAccount(tx, account.integrationId))) throw invalid({ year: 'not_sold_online' });
    await queries.insertPayment(tx, {
      id,
      locationId,
      integrationId: account.integrationId,
      userId: actor.userId,
      provider: account.provider,
      years: year,
      unitPrice: terms.price,
      amount,
      tax: taxIn(amount, terms.tax_rate),
      taxRate: terms.tax_rate,
      currency: terms.currency,
      email: buyer.email,
      language: call.language,
      locationName: location.name,
      host: (await servesPanel(tx, app.settings, host)) ? host : '',
    });
    await audit(tx, actor, {
      verb: 'create',
      subject: { type: 'licence-payment', id, name: location.name },
      locationId,
      after: { years: year, amount, currency: terms.currency, provider: account.provider },
    });
    return { location, begun, buyer };
  });
  if (begun) return { id: begun.id, url: begun.url ?? (await awaitPage(call, begun.id)) };
  try {
    const made = await account.create({
      id,
      amount,
      currency: terms.currency,
      title: `${location.name} · ${titles[call.language](year)}`,
      email: buyer.email,
      language: call.language,
      place: location.address || location.name,
      returnUrl: captiveOrigin(app.settings, tenant.slug) + licenceReturnPath(app, tenant.id, id),
      address: actor.ip ?? '',
      hotelGuest: null,
    });
    const { reference, url } = made;
    await inTenant(tx => queries.updatePayment(tx, id, url ? { reference, url } : { reference }));
    if (url) return { id, url };
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    await inTenant(tx => queries.endUnmade(tx, id));
  }
  throw invalid({ year: 'payment_unavailable' });
}

/** Waits for the page that another request is making. */
async function awaitPage({ inTenant }: Call, id: string): Promise<string> {
  for (let waited = 0; waited < pageMs; waited += lookMs) {
    await sleep(lookMs);
    const page = await inTenant(tx => queries.readPage(tx, id));
    if (page?.url) return page.url;
    if (page?.state !== 'open') throw invalid({ year: 'payment_unavailable' });
  }
  throw invalid({ year: 'payment_begun' });
}

const one = (call: Call, id: string) => call.inTenant(async tx => found(await queries.findPayment(tx, id)));

/** Asks the provider now. */
export async function checkPayment(call: Call, id: string): Promise<LicencePayment> {
  const before = await one(call, id);
  const at = { tenantId: call.tenant.id, paymentId: id };
  await finishRefund(call.app, at);
  await settleLicence(call.app, at).catch((error: unknown) => {
    if (!(error instanceof IntegrationError)) throw error;
  });
  const after = await one(call, id);
  await call.inTenant(tx =>
    audit(tx, call.actor, {
      verb: 'look-up',
      subject: { type: 'licence-payment', id, name: after.location.name },
      locationId: after.location.id,
      after: { state: [before.state, after.state] },
    }),
  );
  return after;
}

/** Pays a licence back. The request is stored first, so that a refund whose answer is lost is finished by the job. */
export async function refundPayment(call: Call, id: string, reason: string): Promise<LicencePayment> {
  const { app, tenant, actor } = call;
  await call.inTenant(async tx => {
    const it = found(await queries.findPayment(tx, id));
    const { state } = found(await queries.lockPayment(tx, id));
    if (state !== 'paid' && state !== 'refused') throw invalid({ reason: 'licence_not_refundable' });
    const asked = { state: 'refunding', refund_reason: reason, refunded_by: actor.userId } as const;
    await queries.updatePayment(tx, id, asked, { refunds: true });
    await audit(tx, actor, {
      verb: 'reverse',
      subject: { type: 'licence-payment', id, name: it.location.name },
      locationId: it.location.id,
      after: { amount: it.amount, currency: it.currency, reason },
    });
  });
  const refused = await finishRefund(app, { tenantId: tenant.id, paymentId: id });
  if (refused !== undefined) throw invalid({ reason: ['refund_refused', { words: refused }] });
  return one(call, id);
}

/** Asks for a refund that waits. Returns why the provider refused; without an answer the payment goes on waiting. */
export async function finishRefund(
  app: App,
  { tenantId, paymentId }: { tenantId: string; paymentId: string },
): Promise<string | undefined> {
  const payment = await app.db.withTenant(tenantId, tx => queries.readPayment(tx, paymentId));
  const reference = payment && referenceOf(payment);
  if (payment?.state !== 'refunding' || !reference) return undefined;
  const account = await licenceSourceOf(app, tenantId, payment.integration_id);
  let refused: string | undefined;
  let outcome: 'done' | 'waiting' = 'waiting';
  if (!account) refused = payment.provider;
  else
    try {
      outcome = await account.refund({ ...payment, reference });
    } catch (error) {
      if (!(error instanceof IntegrationError)) throw error;
      // Only a clear refusal ends the wait. Anything else may have reached the provider.
      if (error.code === 'refused') refused = error.message;
    }
  await app.db.withTenant(tenantId, async tx => {
    const now = await queries.lockPayment(tx, paymentId);
    if (now && outcome === 'done' && mayBeBack.has(now.state)) await reverseLicence(tx, now, 'refunded');
    else if (now?.state !== 'refunding') return;
    else if (refused !== undefined)
      await queries.updatePayment(tx, paymentId, { state: now.paid_at ? 'paid' : 'refused' });
    await queries.scheduleCheck(tx, paymentId);
  });
  return refused;
}
