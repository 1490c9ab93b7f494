import { email as emailShape } from '@portico/contract/fields.ts';
import type { FieldName } from '@portico/contract/guest-fields.ts';
import type { GuestArrival, GuestRestoreForm } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { readVoucherCode } from '@portico/contract/voucher-code.ts';
import { findByCode, findRunning, sendReceipt } from '#features/packages/public.ts';
import { createLimit, fits } from '#features/throttle/public.ts';
import { AppError } from '#http/app-error.ts';
import { formTargets } from '../arrival/addresses.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import { visitOf } from '../arrival/read-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, withCookies } from '../guest-answer.ts';
import type { GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { packState, unpackState } from '../guest-state.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { keptPageOf } from '../kept-page.ts';
import { phoneOf } from '../sign-in/methods/phone.ts';
import { isProblem } from '../sign-in/sign-in-page.ts';
import { beginGuess, perDevice } from '../sign-in/sign-in-throttle.ts';
import { boughtCookie } from './bought-cookie.ts';
import { receiptHash } from './buy.queries.ts';
import { buyPage } from './buy-views.ts';
import { connect } from './pay.service.ts';

/** "Restore my purchase": with the code of the receipt, or by having the receipt sent again. */

// Mailboxes may belong to others, and MACs can be made up.
const receiptsOfDevice = createLimit('receipts of a device', 5, 60);
const receiptsTo = createLimit('receipts to an address', 3, 60);

interface Shown {
  readonly sent?: boolean;
  readonly problem?: GuestProblem | null;
  readonly values?: Record<string, string | number>;
  readonly wrong?: readonly FieldName[];
  readonly typed?: string;
  readonly status?: number;
}

function page(
  { app }: GuestServices,
  frame: Frame,
  { context, login, visit }: GuestRequest,
  it: Shown = {},
): GuestAnswer {
  const { sent = false, wrong = [], typed = '', problem = null, values = {}, status = 200 } = it;
  const path = `/w/${visit.nas}/restore`;
  const at = {
    step: 'restore' as const,
    action: path,
    state: packState(app.secrets, { step: 'sign-in', visit }),
    ...{ sent, wrong, typed },
  };
  const last = sent ? 'sent=1&' : problem ? `problem=${problem}&` : '';
  const answer = buyPage(frame, context, at, {
    visit,
    languageLink: pageLink(path, visit, `${last}lang={lang}`),
    problem,
    problemValues: values,
    status,
    formTarget: formTargets(login, context.portal),
  });
  const kept = { mac: visit.mac, portal: visit.portal, restore: { sent, wrong, typed, problem, values, status } };
  return { ...answer, address: { path: pageLink(path, visit, last.slice(0, -1)), kept } };
}

/** The page, with what the last form led to. Its name is in the address too, for browsers without cookies. */
export async function showRestore(
  services: GuestServices,
  frame: Frame,
  nas: string,
  arrival: GuestArrival,
  { sent, client }: { readonly sent: boolean; readonly client: ClientInfo },
): Promise<GuestAnswer> {
  const request = await checkArrival(services, frame, visitOf(nas, arrival));
  if ('refused' in request) return request.refused;
  const named = arrival.problem;
  const kept = keptPageOf(services.app, nas, client, request.visit.mac)?.restore;
  if (kept && (named ? kept.problem === named : kept.sent && sent)) return page(services, frame, request, kept);
  const problem = isProblem(named) && named !== 'too_many' ? named : null;
  return page(services, frame, request, { sent, problem });
}

export async function restore(
  services: GuestServices,
  frame: Frame,
  nas: string,
  form: GuestRestoreForm,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const state = unpackState(app.secrets, 'sign-in', form.state);
  if (!state || state.visit.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const request = await checkArrival(services, frame, state.visit);
  if ('refused' in request) return request.refused;
  if (form.contact) return sendAgain(services, frame, request, form.contact);
  if (!form.voucher) return page(services, frame, request, { problem: 'missing', wrong: ['voucher'], status: 422 });
  return byCode(services, frame, request, form.voucher, client);
}

async function byCode(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  typed: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const { context, visit } = request;
  let guess: Awaited<ReturnType<typeof beginGuess>> | undefined;
  try {
    guess = await beginGuess(app, request, { address: client.address, slug: 'receipt', target: null });
    const code = readVoucherCode(typed);
    const hash = code && receiptHash(app.secrets, code);
    const purchase =
      hash && (await app.db.withTenant(context.tenantId, tx => findByCode(tx, context.location_id, hash)));
    if (!purchase) await guess.failed();
    const answer = purchase && purchase.state === 'paid' && (await connect(services, frame, request, purchase, client));
    if (!purchase || !answer)
      return page(services, frame, request, { problem: 'wrong_receipt', wrong: ['voucher'], status: 422 });
    await guess.succeeded(perDevice);
    return withCookies(answer, boughtCookie(app, visit, purchase.id));
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_many')) throw error;
    const { seconds = 60 } = error.values;
    return page(services, frame, request, { problem: 'too_many', values: { seconds }, status: 429 });
  } finally {
    await guess?.end();
  }
}

/** Sends the receipts of running access again. The answer does not tell whether there are any. */
async function sendAgain(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  typed: string,
): Promise<GuestAnswer> {
  const { app } = services;
  const { context, visit } = request;
  const { tenantId, location_id: locationId } = context;
  const isEmail = typed.includes('@');
  const email = isEmail ? emailShape.safeParse(typed) : undefined;
  if (email?.success === false)
    return page(services, frame, request, { problem: 'bad_email', wrong: ['email'], typed, status: 422 });
  const phone = isEmail ? null : phoneOf(typed, context.place);
  if (phone === undefined)
    return page(services, frame, request, { problem: 'bad_phone', wrong: ['email'], typed, status: 422 });
  const address = email?.data ?? null;
  await app.db.withTenant(tenantId, async tx => {
    const counted = [
      [receiptsOfDevice, `${locationId} ${visit.mac}`],
      [receiptsTo, `${locationId} ${address ?? phone}`],
    ] as const;
    if (!(await fits(tx, app, counted))) return;
    const found = await findRunning(tx, locationId, { email: address, phone });
    // Only to the address that was typed: the other one may be of another person by now.
    for (const it of found) await sendReceipt(tx, app, { ...it, email: address, phone });
  });
  return page(services, frame, request, { sent: true });
}
