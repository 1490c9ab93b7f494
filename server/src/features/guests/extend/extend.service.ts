import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { OnlineView } from '@portico/contract/guests.ts';
import { sendSoon } from '#features/sessions/public.ts';
import { canAddVoucher } from '#features/visitors/public.ts';
import { addVoucher } from '#features/vouchers/public.ts';
import { AppError } from '#http/app-error.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestContext, GuestServices } from '../guest-context.ts';
import { type Frame, offeredMethods, problemView } from '../guest-views.ts';
import { findOnline } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';
import { type OpenVisit, sessionOf, visitOfBrowser } from '../online/visit-cookie.ts';
import { beginGuess, perDevice } from '../sign-in/sign-in-throttle.ts';

/** Guests of a voucher who are online and add another one. */

/** What the status page's address says about the last code. */
const problems: ReadonlyMap<string, GuestProblem> = new Map([
  ['missing', 'missing'],
  ['unknown', 'wrong_voucher'],
  ['over', 'voucher_over'],
  ['other', 'voucher_other'],
  ['wait', 'too_many'],
]);

const takesVouchers = ({ app }: GuestServices, { portal }: GuestContext): boolean =>
  portal !== null && offeredMethods(portal, app.settings).some(it => it.slug === 'voucher');

/** The part of the status page that takes a code; null for guests without a voucher. */
export async function extendPart(
  services: GuestServices,
  context: GuestContext,
  { visit, visitor }: OpenVisit,
  { code, seconds }: { readonly code: string; readonly seconds: number },
): Promise<OnlineView['extend']> {
  if (!visitor || !takesVouchers(services, context)) return null;
  const { tenantId, location_id: locationId } = context;
  if (!(await services.app.db.readTenant(tenantId, tx => canAddVoucher(tx, visitor, locationId)))) return null;
  return {
    action: `/w/${visit.nas}/extend`,
    added: code === 'added',
    problem: problems.get(code) ?? null,
    problemValues: seconds ? { seconds } : {},
  };
}

/** Adds the voucher with this code to the guest of this browser, whose session goes on. */
export async function extend(
  services: GuestServices,
  frame: Frame,
  nas: string,
  typed: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const open = visitOfBrowser(app, nas, client);
  const context = open && (await services.findContext(nas, open.visit));
  if (!context) return { view: problemView(frame, { problem: 'visit_unknown' }), status: statusOf('visit_unknown') };
  const page = (code: string): GuestAnswer => ({
    redirect: `${onlinePath(nas)}?lang=${frame.language}${code && `&code=${code}`}`,
  });
  const { visit, visitor } = open;
  const { tenantId, device_id: deviceId, location_id: locationId } = context;
  const session = await app.db.withTenant(tenantId, tx => findOnline(tx, deviceId, sessionOf(context, open)));
  // Without a session the page leads to the sign-in, which takes the code.
  if (!visitor || session?.visitor_id !== visitor || !takesVouchers(services, context)) return page('');
  if (!typed) return page('missing');
  let guess: Awaited<ReturnType<typeof beginGuess>> | undefined;
  try {
    guess = await beginGuess(app, { context, visit }, { address: client.address, slug: 'voucher', target: null });
    const added = await app.db.withTenant(tenantId, tx =>
      addVoucher(tx, app.secrets, { typed, locationId, visitorId: visitor }),
    );
    if (added === 'unknown') await guess.failed();
    if (typeof added === 'string') return page(added);
    await guess.succeeded(perDevice);
    if (added.commands) sendSoon(app);
    return page('added');
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_many')) throw error;
    return page(`wait&s=${Number(error.values['seconds'] ?? 60)}`);
  } finally {
    await guess?.end();
  }
}
