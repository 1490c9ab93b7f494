import { setTimeout as sleep } from 'node:timers/promises';
import { IntegrationError, traitsOf } from '#features/integrations/public.ts';
import { type StoredPurchase, settle } from '#features/packages/public.ts';
import { queueOwnEnd, sendSoon } from '#features/sessions/public.ts';
import { mayConnect } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import type { Frame } from '../guest-views.ts';
import { moreAccess, pageLink, problemView } from '../guest-views.ts';
import { onlinePath } from '../online/online-link.ts';
import { admitGuest } from '../sign-in/admit.service.ts';
import { findRefusals } from '../sign-in/refusals.queries.ts';
import { boughtBy, purchaseOf } from './bought-cookie.ts';
import { findSessionAt } from './buy.queries.ts';
import { buyLink, buyPage, orderOf } from './buy-views.ts';

/** Asks the provider; that it does not answer is the job's concern. */
export async function askProvider(app: App, at: { tenantId: string; purchaseId: string }): Promise<void> {
  try {
    await settle(app, at);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    app.log.warn({ err: error, purchase: at.purchaseId }, 'the payment provider was not asked');
  }
}

/** A hotel system mostly answers within a second or two, so the guest sees no page in between. */
const looks = 8;
const lookMs = 600;
/** After that the guest is told that it need not wait. */
const slowMs = 20_000;

const payPath = (nas: string) => `/w/${nas}/pay`;

/**
 * The page of a purchase: before the payment it leads to the provider, and after it to the internet. `asks`: the guest says
 * that it has paid, or comes back. `isDeclined`: the provider sent it back unpaid, and its page may be of no more use.
 */
export async function payPage(
  services: GuestServices,
  frame: Frame,
  nas: string,
  { asks, isDeclined }: { asks: boolean; isDeclined: boolean },
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const bought = boughtBy(app, client);
  const visit = bought && { ...bought.visit, nas };
  const context = await services.findContext(nas, visit ?? { mac: '', ip: '' });
  if (!context) return { view: problemView(frame, { problem: 'unknown_device' }), status: 404 };
  const languageLink = `${payPath(nas)}?lang={lang}`;
  let purchase = await purchaseOf(app, context, client);
  // Another browser than the one that bought: the receipt was mailed.
  if (!purchase || !visit)
    return buyPage(frame, context, { step: 'elsewhere', again: null }, { visit: null, languageLink });
  const { reportsItself, refusal } = traitsOf(purchase.provider);
  if (asks && (purchase.state === 'open' || purchase.state === 'failed')) {
    await askProvider(app, { tenantId: context.tenantId, purchaseId: purchase.id });
    purchase = (await purchaseOf(app, context, client)) ?? purchase;
    for (let look = 1; look < looks && reportsItself && purchase.state === 'open'; look += 1) {
      await sleep(lookMs);
      await askProvider(app, { tenantId: context.tenantId, purchaseId: purchase.id });
      purchase = (await purchaseOf(app, context, client)) ?? purchase;
    }
  }
  const refresh = `${payPath(nas)}?check=1&lang=${frame.language}`;
  if (purchase.state === 'open' && purchase.pay_url && !isDeclined) {
    const at = { step: 'pay' as const, href: purchase.pay_url, order: orderOf(purchase), asked: asks, refresh };
    return buyPage(frame, context, at, { visit, languageLink });
  }
  if (purchase.state === 'open' && reportsItself) {
    const isSlow = Date.now() - Date.parse(purchase.created_at) > slowMs;
    const at = { step: 'charging' as const, order: orderOf(purchase), refresh, isSlow };
    return buyPage(frame, context, at, { visit, languageLink });
  }
  const request = await checkArrival(services, frame, visit);
  if ('refused' in request) return request.refused;
  if (purchase.state === 'paid') {
    const answer = await connect(services, frame, request, purchase, client);
    if (answer) return answer;
    // What was bought is used up, or the operator has paused the guest.
    const { mac, ip } = request.visit;
    const { visitor_id: visitorId } = purchase;
    const guest = visitorId && { visitorId, deviceId: context.device_id, mac, ip };
    const [reason] = guest ? await app.db.readTenant(context.tenantId, tx => findRefusals(tx, [guest])) : [];
    const problem = reason === 'paused' ? reason : 'expired';
    const form = pageLink(`/w/${nas}`, request.visit, `step=form&lang=${frame.language}`);
    const more = moreAccess(frame, context, request.visit, problem, app.settings);
    return { view: problemView(frame, { problem, context, form, more, languageLink }), status: statusOf(problem) };
  }
  const again = context.sells ? buyLink(visit, frame.language) : null;
  return buyPage(frame, context, { step: 'failed', again }, { visit, languageLink, problem: refusal, status: 422 });
}

/** Connects a guest who has paid; undefined if its access has ended. */
export async function connect(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { visitor_id: visitorId, agreed }: StoredPurchase,
  client: ClientInfo,
): Promise<GuestAnswer | undefined> {
  const { app } = services;
  const { context, visit } = request;
  const found = await app.db.withTenant(context.tenantId, async tx => {
    if (!visitorId || !(await mayConnect(tx, visitorId, context.location_id))) return undefined;
    const session = await findSessionAt(tx, context.device_id, visit.mac);
    // Online as another visitor, for example with free access: that session ends first.
    if (session?.visitor_id && session.visitor_id !== visitorId) await queueOwnEnd(tx, session.visitor_id, session.id);
    return { session: session?.visitor_id ?? null };
  });
  if (!found || !visitorId) return undefined;
  // The rule after a sign-in has waited for the payment.
  if (found.session === visitorId)
    return { redirect: `${onlinePath(visit.nas, { isNew: true })}&lang=${frame.language}` };
  if (found.session) {
    sendSoon(app);
    const refresh = `${payPath(visit.nas)}?lang=${frame.language}`;
    return buyPage(frame, context, { step: 'switching', refresh }, { visit, languageLink: null });
  }
  const guest = { visitorId, slug: 'email' as const, email: null, phone: null, agreed };
  return admitGuest(services, frame, request, guest, client);
}

/** Admits a guest whose browser has paid for access that is running; undefined for any other. */
export async function readmitBuyer(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  client: ClientInfo,
): Promise<GuestAnswer | undefined> {
  const purchase = await purchaseOf(services.app, request.context, client);
  return purchase?.state === 'paid' ? connect(services, frame, request, purchase, client) : undefined;
}

/** Where a guest who has just come online goes on to pay; undefined without a payment that waits. */
export async function paymentWaiting(
  app: App,
  context: GuestContext,
  nas: string,
  client: ClientInfo,
): Promise<string | undefined> {
  const purchase = await purchaseOf(app, context, client);
  return purchase?.state === 'open' && purchase.pay_url ? payPath(nas) : undefined;
}
