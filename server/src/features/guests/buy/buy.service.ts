import { email as emailShape } from '@portico/contract/fields.ts';
import type { GuestBuyForm } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { taxIn } from '@portico/contract/tax.ts';
import { voucherAlphabet, voucherLength } from '@portico/contract/voucher-code.ts';
import type { Tx } from '#db/tenant.ts';
import {
  holdAccount,
  IntegrationError,
  type PaymentSource,
  paymentAccount,
  roomBills,
  traitsOf,
} from '#features/integrations/public.ts';
import {
  claimCheckout,
  findCharging,
  giveWindow,
  insertPurchase,
  lockPurchase,
  readPurchase,
  returnPath,
  type StoredPurchase,
  takeWindowBack,
  updatePurchase,
  windowsToday,
} from '#features/packages/public.ts';
import { countOne, createLimit, ofNetwork } from '#features/throttle/public.ts';
import { findBuyer, hasMinutes, insertBuyer, mayConnect, reopenBuyer } from '#features/visitors/public.ts';
import { AppError } from '#http/app-error.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, withCookies } from '../guest-answer.ts';
import type { GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, inLanguage, pageLink, problemView, productLanguage } from '../guest-views.ts';
import { keptPageOf } from '../kept-page.ts';
import { admitGuest } from '../sign-in/admit.service.ts';
import { agreementVersion } from '../sign-in/consents.queries.ts';
import { phoneOf } from '../sign-in/methods/phone.ts';
import { lockGuest } from '../sign-in/methods/sms-codes.queries.ts';
import { boughtCookie, purchaseOf } from './bought-cookie.ts';
import { findSessionAt, receiptHash } from './buy.queries.ts';
import { confirmPage, offersAt, type Typed } from './offers.service.ts';
import { namedGuest, signedInGuest } from './room-guest.ts';

/** Free minutes for the payment: the bank of a card may be anywhere on the internet. */
const windowSeconds = 600;
const windowsPerDay = 3;

// Each purchase makes a checkout at the provider.
const perDevice = createLimit('purchases of a device', 10, 60);
const perNetwork = createLimit('purchases of a network', 300, 60);

interface Refusal {
  readonly problem: GuestProblem;
}

/** The guest's input, as the next page shows it again. */
export const purchaseForm = ({ email, phone, agree, pay, room_number: room, last_name: surname }: GuestBuyForm) => ({
  email,
  phone,
  agree,
  pay,
  room,
  surname,
});

/** Buys what the page showed: asks the provider for a checkout, and lets the guest out to pay. */
export async function buy(
  services: GuestServices,
  frame: Frame,
  nas: string,
  form: GuestBuyForm,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const state = unpackState(app.secrets, 'buy', form.state);
  if (!state || state.visit.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const request = await checkArrival(services, frame, state.visit);
  if ('refused' in request) return request.refused;
  const { context, visit } = request;
  const { tenantId, location_id: locationId } = context;
  const { offers, ways } = await offersAt(app, context);
  const chosen = offers.find(it => it.id === state.package);
  const isAsShown =
    chosen?.price === state.price && chosen.currency === state.currency && chosen.tax_rate === state.taxRate;
  if (!chosen || !isAsShown || state.days < chosen.min_days || state.days > chosen.max_days)
    return { view: problemView(frame, { problem: 'page_expired', context }), status: 400 };

  const version = agreementVersion(context.portal);
  const typed = {
    email: form.email,
    phone: form.phone,
    room: form.room_number,
    surname: form.last_name,
    byRoom: form.pay === 'room',
    agreed: form.agree === version,
  };
  const byRoom = form.pay === 'room' && ways.rooms.includes(chosen.currency);
  const signedIn = byRoom ? await signedInGuest(app, request, client) : undefined;
  // A guest who names another room pays there.
  const roomGuest = form.room_number || form.last_name ? undefined : signedIn;
  const again = (
    { problem, wrong, problemValues = {}, status = 422 }: Pick<Typed, 'wrong' | 'problemValues' | 'status'> & Refusal,
    { purchase, roomPurchase }: Pick<typeof state, 'purchase' | 'roomPurchase'> = state,
  ): GuestAnswer => {
    const { package: id, days } = state;
    const shown = { ...typed, problem, wrong, problemValues, status };
    const at = { days, purchase, roomPurchase, ways, roomGuest: signedIn, typed: shown };
    const refused = { package: id, days, purchase, roomPurchase, problem, values: problemValues, wrong, status };
    const kept = {
      ...keptPageOf(app, nas, client, visit.mac),
      mac: visit.mac,
      portal: visit.portal,
      purchase: { ...purchaseForm(form), refused },
    };
    const path = pageLink(`/w/${nas}/buy`, visit, `package=${id}&days=${days}&problem=${problem}`);
    return { ...confirmPage(services, frame, request, chosen, at), address: { path, kept } };
  };
  const refuse = (problem: GuestProblem, ...wrong: Typed['wrong']) => again({ problem, wrong });
  if (version && !typed.agreed) return refuse('agree_first');
  if (!form.email) return refuse('missing', 'email');
  const email = emailShape.safeParse(form.email);
  if (!email.success) return refuse('bad_email', 'email');
  const phone = form.phone ? phoneOf(form.phone, context.place) : null;
  if (phone === undefined) return refuse('bad_phone', 'phone');

  let source: PaymentSource | undefined;
  let hotelGuest: string | null = null;
  try {
    if (byRoom) {
      const guest = roomGuest ?? (await namedGuest(app, request, form, client));
      if ('problem' in guest) return refuse(guest.problem, ...guest.wrong);
      if (guest.currency !== chosen.currency) return refuse('room_refused');
      hotelGuest = guest.id;
      source = roomBills(app, { tenantId, locationId, integrationId: guest.integration_id });
    } else source = await paymentAccount(app, { tenantId, locationId });
    await countOne(app, [[perDevice, `${locationId} ${visit.mac}`], ...ofNetwork(perNetwork, client.address)]);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_many')) throw error;
    const { seconds = 60 } = error.values;
    return again({ problem: 'too_many', problemValues: { seconds }, wrong: [], status: 429 });
  }

  // The charge of an earlier purchase may still get onto the bill, so that a second one would be paid twice.
  const earlier = await purchaseOf(app, context, client);
  const isWaiting = earlier?.state === 'open' && traitsOf(earlier.provider).reportsItself;
  if (isWaiting && (byRoom || isFresh(earlier)))
    return { redirect: `/w/${visit.nas}/pay?check=1&lang=${frame.language}` };

  const { roomPurchase } = state as { roomPurchase?: string };
  const purchaseId = byRoom ? roomPurchase : state.purchase;
  // Pages from before an update have no id for it.
  if (!source || !purchaseId) return { view: problemView(frame, { problem: 'page_expired', context }), status: 400 };
  const { integrationId, provider } = source;
  const code = randomWord(voucherLength, voucherAlphabet);
  const amount = state.price * state.days;
  const { charging, isOver, isGone } = await app.db.withTenant(tenantId, async tx => {
    // The same without the cookie, which not every window of a phone keeps. This guest has named the room, or signed in.
    const at = { locationId, except: purchaseId };
    const found = hotelGuest === null ? undefined : await findCharging(tx, { hotelGuest, ...at });
    if (found) return { charging: found };
    if (!(await holdAccount(tx, integrationId))) return { isGone: true };
    await insertPurchase(tx, {
      id: purchaseId,
      location_id: locationId,
      device_id: context.device_id,
      package_id: chosen.id,
      profile_id: chosen.profile_id,
      integration_id: integrationId,
      provider,
      package: inLanguage(chosen.name, frame.language),
      days: state.days,
      unit_price: state.price,
      amount,
      tax: taxIn(amount, state.taxRate),
      tax_rate: state.taxRate,
      currency: state.currency,
      email: email.data,
      phone,
      language: productLanguage(frame, context),
      client_mac: visit.mac,
      agreed: version,
      code: app.secrets.encrypt(code),
      code_hash: receiptHash(app.secrets, code),
      charged_visitor_id: hotelGuest,
    });
    const now = await lockPurchase(tx, purchaseId);
    return { isOver: now?.state === 'failed' && now.reference === null };
  });
  const toPay = { redirect: `/w/${visit.nas}/pay?check=1&lang=${frame.language}` };
  if (charging) return withCookies(toPay, boughtCookie(app, visit, charging));
  if (isGone) return refuse(byRoom ? 'room_refused' : 'pay_failed');
  // It was given up before it reached the provider. The page gets new ids, so that the guest can try again.
  if (isOver) {
    const fresh = { purchase: newId(), roomPurchase: newId() };
    return again({ problem: byRoom ? 'room_refused' : 'pay_failed', wrong: [] }, fresh);
  }
  // Before the charge: once it is on the bill, the days are given at once.
  if (byRoom)
    await app.db.withTenant(tenantId, async tx => {
      const now = await lockPurchase(tx, purchaseId);
      if (now?.state === 'open') await continueEarlier(tx, now, earlier);
    });
  const purchase = await openCheckout(services, request, source, { purchaseId, hotelGuest }, client);
  if (!purchase) return refuse(byRoom ? 'room_refused' : 'pay_failed');
  const cookie = boughtCookie(app, visit, purchase.id);
  if (byRoom) return withCookies(toPay, cookie);
  const answer = await sendToPay(services, frame, request, { purchase, earlier }, client);
  return withCookies(answer, cookie);
}

/** How long a charge to a room is tried while the guest waits, and a little. */
const chargeMs = 15 * 60_000;
const isFresh = (it: StoredPurchase): boolean => Date.now() - Date.parse(it.created_at) < chargeMs;

/**
 * Gives the days of an open purchase to the visitor of an earlier one whose access is running. Returns whether there is such
 * a visitor. The caller holds the lock of the purchase.
 */
async function continueEarlier(tx: Tx, now: StoredPurchase, earlier: StoredPurchase | undefined): Promise<boolean> {
  const visitor = earlier?.visitor_id ?? now.visitor_id;
  const at = { locationId: now.location_id, profileId: now.profile_id };
  const known = visitor ? await findBuyer(tx, visitor, at) : undefined;
  if (!known || !(await mayConnect(tx, known.id, now.location_id))) return false;
  await updatePurchase(tx, now.id, { visitor_id: known.id });
  return true;
}

/** The purchase with its checkout; undefined if the provider made none. Of two requests at once, one asks the provider. */
async function openCheckout(
  { app }: GuestServices,
  { context }: GuestRequest,
  source: PaymentSource,
  { purchaseId, hotelGuest }: { purchaseId: string; hotelGuest: string | null },
  client: ClientInfo,
): Promise<StoredPurchase | undefined> {
  const { tenantId } = context;
  const read = () => app.db.withTenant(tenantId, tx => readPurchase(tx, purchaseId));
  const before = await read();
  // The id is signed, so it is of this tenant. A purchase of another location is a forgery by an operator at most.
  if (!before || before.location_id !== context.location_id) return undefined;
  if (before.reference) return before;
  const { isRepeatable } = traitsOf(source.provider);
  const isOurs = isRepeatable || (await app.db.withTenant(tenantId, tx => claimCheckout(tx, purchaseId)));
  if (isOurs) {
    try {
      const made = await source.create({
        id: before.id,
        amount: before.amount,
        currency: before.currency,
        title: `${before.location_name} · ${before.package}`.slice(0, 100),
        email: before.email ?? '',
        language: before.language,
        place: before.location_name,
        returnUrl: captiveOrigin(app.settings, context.tenant_slug) + returnPath(app, tenantId, before.id),
        address: client.address,
        hotelGuest,
      });
      const change = { reference: made.reference, ...(made.url !== null && { pay_url: made.url }) };
      await app.db.withTenant(tenantId, tx => updatePurchase(tx, purchaseId, change));
    } catch (error) {
      app.log.warn({ err: error, purchase: purchaseId }, 'the payment provider made no checkout');
      // Without a refusal it may have been made.
      return isRepeatable && !(error instanceof IntegrationError) ? before : undefined;
    }
    return read();
  }
  for (let looks = 0; looks < 40; looks += 1) {
    const now = await read();
    if (now?.reference) return now;
    await new Promise(resolve => setTimeout(resolve, 250));
  }
  return undefined;
}

/**
 * Sends the guest to the page that leads to the provider. A guest who is not online and has free minutes left today goes
 * through its router, with a ticket for them. The minutes of a guest who could not leave then are still running: they let it
 * out again and do not count twice.
 */
async function sendToPay(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { purchase, earlier }: { purchase: StoredPurchase; earlier: StoredPurchase | undefined },
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const { context, visit } = request;
  const { location_id: locationId, device_id: deviceId } = context;
  const pay: GuestAnswer = { redirect: `/w/${visit.nas}/pay?lang=${frame.language}` };
  const given = await app.db.withTenant(context.tenantId, async tx => {
    // Two purchases of a device at once must not both get the last free minutes of the day.
    await lockGuest(tx, `window ${locationId} ${visit.mac}`);
    // The same form may be sent twice at once.
    const now = await lockPurchase(tx, purchase.id);
    if (now?.state !== 'open') return null;
    const isRunning = await continueEarlier(tx, now, earlier);
    if (isRunning || (await findSessionAt(tx, deviceId, visit.mac))) return null;
    if (now.visitor_id && (await hasMinutes(tx, now.visitor_id))) return { visitorId: now.visitor_id, isNew: false };
    if ((await windowsToday(tx, { locationId, mac: visit.mac })) >= windowsPerDay) return null;
    const visitorId = now.visitor_id ?? newId();
    if (now.visitor_id) await reopenBuyer(tx, visitorId, windowSeconds);
    else {
      const { email, phone } = purchase;
      await insertBuyer(tx, visitorId, { locationId, deviceId, email: email ?? '', phone, seconds: windowSeconds });
    }
    await giveWindow(tx, purchase.id, visitorId);
    return { visitorId, isNew: true };
  });
  if (!given) return pay;
  const giveBack = async (tx: Tx) => void (await takeWindowBack(tx, purchase.id));
  const guest = {
    visitorId: given.visitorId,
    slug: 'email' as const,
    email: null,
    phone: null,
    agreed: purchase.agreed,
    ...(given.isNew && { use: () => Promise.resolve(giveBack) }),
  };
  return admitGuest(services, frame, request, guest, client);
}
