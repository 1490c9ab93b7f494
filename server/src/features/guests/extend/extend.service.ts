import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { OnlineView } from '@portico/contract/guests.ts';
import { sendSoon } from '#features/sessions/public.ts';
import { canAddVoucher } from '#features/visitors/public.ts';
import { addVoucher, redeemVoucher } from '#features/vouchers/public.ts';
import { AppError } from '#http/app-error.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, statusOf, withCookies } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { type Frame, offeredMethods, pageLink, problemView } from '../guest-views.ts';
import { findOnline, type OnlineRow } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';
import { type OpenVisit, sessionOf, visitOfBrowser } from '../online/visit-cookie.ts';
import { waitUntil } from '../online/wait.ts';
import { agreementVersion, hasAgreed } from '../sign-in/consents.queries.ts';
import { findRefusal } from '../sign-in/refusals.queries.ts';
import { beginGuess, perDevice } from '../sign-in/sign-in-throttle.ts';
import { endsSoon } from './ends-soon.ts';
import { switchCookie, switchPath } from './switch-cookie.ts';

/** Guests who are online and enter the code of a voucher: it adds to theirs, or they go on with it. */

/** The result of the last code, in the address of the status page. */
const problems: ReadonlyMap<string, GuestProblem> = new Map([
  ['missing', 'missing'],
  ['unknown', 'wrong_voucher'],
  ['over', 'voucher_over'],
  ['other', 'voucher_other'],
  ['limit', 'over_limit'],
  ['wait', 'too_many'],
]);

const takesVouchers = ({ app }: GuestServices, { portal }: GuestContext): boolean =>
  portal !== null && offeredMethods(portal, app.settings).some(it => it.slug === 'voucher');

/** Whether a guest with this session can extend it on the portal. */
export async function canGoOn(services: GuestServices, context: GuestContext, session: OnlineRow): Promise<boolean> {
  if (session.seconds_left === null && session.bytes_left === null) return false;
  if (context.sells) return true;
  const { visitor_id: visitor } = session;
  if (!visitor || !takesVouchers(services, context)) return false;
  return endsSoon(session) || addsVoucher(services, context, visitor);
}

const addsVoucher = ({ app }: GuestServices, { tenantId, location_id: locationId }: GuestContext, visitor: string) =>
  app.db.readTenant(tenantId, tx => canAddVoucher(tx, visitor, locationId));

/** The part of the status page that takes a code; null for guests without a voucher whose access goes on for long. */
export async function extendPart(
  services: GuestServices,
  context: GuestContext,
  { visit, visitor }: OpenVisit,
  session: OnlineRow,
  { code, seconds }: { readonly code: string; readonly seconds: number },
): Promise<OnlineView['extend']> {
  if (!visitor || !takesVouchers(services, context)) return null;
  const adds = await addsVoucher(services, context, visitor);
  if (!adds && !endsSoon(session)) return null;
  return {
    action: `/w/${visit.nas}/extend`,
    adds,
    added: code === 'added',
    problem: (code !== 'wait' || seconds ? problems.get(code) : undefined) ?? null,
    problemValues: seconds ? { seconds } : {},
  };
}

/** Adds the voucher with this code to the guest of this browser, whose session goes on, or has the guest go on with it. */
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
    if (!(await app.db.withTenant(tenantId, tx => canAddVoucher(tx, visitor, locationId)))) {
      if (!endsSoon(session)) return page('');
      // The guest of the voucher would be let in without a consent. The sign-in page asks for it, and takes the code.
      const version = context.portal && agreementVersion(context.portal);
      if (version && !(await app.db.withTenant(tenantId, tx => hasAgreed(tx, visitor, version))))
        return { redirect: pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`) };
      const other = await otherVisitor(services, context, open, { visitor, typed });
      if (other === 'unknown') await guess.failed();
      if (typeof other === 'string') return page(other);
      await guess.succeeded(perDevice);
      return withCookies(
        { redirect: `${switchPath(nas)}?lang=${frame.language}` },
        switchCookie(app, visit, { ...other, agreed: version }),
      );
    }
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
    return page(waitUntil(Number(error.values['seconds'] ?? 60)));
  } finally {
    await guess?.end();
  }
}

/** Undoes what a transaction did, and says why. */
class NotNow extends Error {
  readonly why: 'over' | 'limit';
  constructor(why: 'over' | 'limit') {
    super(why);
    this.why = why;
  }
}

/** The visitor of the voucher with this code, or why the guest cannot go on with it. A refused code is not spent. */
async function otherVisitor(
  { app }: GuestServices,
  { tenantId, device_id: deviceId, location_id: locationId }: GuestContext,
  { visit }: OpenVisit,
  { visitor, typed }: { readonly visitor: string; readonly typed: string },
): Promise<{ readonly visitor: string } | 'unknown' | 'over' | 'limit'> {
  try {
    return await app.db.withTenant(tenantId, async tx => {
      const redeemed = await redeemVoucher(tx, app.secrets, { typed, locationId, deviceId });
      if (typeof redeemed === 'string') return redeemed;
      const { visitorId } = redeemed;
      if (visitorId === visitor) throw new NotNow('over');
      const { mac, ip } = visit;
      const refusal = await findRefusal(tx, { visitorId, deviceId, mac, ip });
      if (refusal) throw new NotNow(refusal === 'over_limit' ? 'limit' : 'over');
      return { visitor: visitorId };
    });
  } catch (error) {
    if (error instanceof NotNow) return error.why;
    throw error;
  }
}
