import { setTimeout as sleep } from 'node:timers/promises';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { OnlineView } from '@portico/contract/guests.ts';
import type { App } from '#lib/app.ts';
import { returnAddress } from '#routers/return-address.ts';
import { formTarget, formTargets, routerPath } from '../arrival/addresses.ts';
import { shownBlocks } from '../block-views.ts';
import { paymentWaiting } from '../buy/pay.service.ts';
import type { ClientInfo } from '../client-info.ts';
import { confirmPart } from '../confirm-email/confirm-email.service.ts';
import { endsSoon } from '../extend/ends-soon.ts';
import { extendPart } from '../extend/extend.service.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { type Frame, moreAccess, pageLink, problemView } from '../guest-views.ts';
import { findRefusals } from '../sign-in/refusals.queries.ts';
import { pendingFormPage, pendingTicketPage } from '../sign-in/ticket-refusal.service.ts';
import { chooseAd } from '../surveys/advertisements.ts';
import { afterSignIn } from '../surveys/portal-rules.service.ts';
import { surveyAddress, surveysToAnswer } from '../surveys/survey-blocks.service.ts';
import { canSignOut } from './log-out.service.ts';
import { nearGuestPage } from './near-guest.service.ts';
import { endedByStaff, findOnline, type OnlineRow } from './online.queries.ts';
import { onlinePath } from './online-link.ts';
import { onlineView, pausedPage, watchPath } from './online-view.ts';
import { openUnreportedSession } from './unreported.service.ts';
import { unpackGrant } from './unreported-grant.ts';
import { type OpenVisit, seenCookie, sessionOf, visitOfBrowser } from './visit-cookie.ts';

/** The router often reports a session a moment after it has sent the guest here. */
async function waitForSession(
  app: App,
  context: GuestContext,
  open: OpenVisit,
  maxLooks: number,
): ReturnType<typeof findOnline> {
  for (let looks = 1; ; looks += 1) {
    const guest = sessionOf(context, open);
    const session = await app.db.withTenant(context.tenantId, tx => findOnline(tx, context.device_id, guest));
    if (session || looks === maxLooks) return session;
    await sleep(200);
  }
}

// The page reloads every few seconds, so this is about half a minute.
const maxTries = 9;

interface OnlineRequest {
  /** The guest has just signed in. */
  readonly isNew: boolean;
  /** How often the page has waited for the router already. */
  readonly tries: number;
  /** The packed grant of a router that reports no sessions. */
  readonly grant: string;
  /** The packed ticket of a browser that may refuse cookies, see pendingFormPage. */
  readonly bring: string;
  /** The result of the guest's request for a mail, and the seconds to wait for the next one. */
  readonly mail: string;
  readonly seconds: number;
  /** The result of the code of a voucher. */
  readonly code: string;
  /** The page was told that the session of its guest has ended. */
  readonly over: boolean;
  /** The page has loaded itself again. */
  readonly again: boolean;
}

/** The page of a guest who is online, or about to be. */
export async function online(
  services: GuestServices,
  frame: Frame,
  nas: string,
  { isNew, tries, grant: packed, bring, over, again, ...mail }: OnlineRequest,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const grant = unpackGrant(app, nas, packed);
  const open = visitOfBrowser(app, nas, client);
  const context = await services.findContext(nas, open?.visit ?? grant ?? { mac: '', ip: '' });
  if (!context) return { view: problemView(frame, { problem: 'unknown_device' }), status: 404 };
  if (grant && isNew) await openUnreportedSession(app, context, grant);
  if (!open)
    return (
      (await pendingFormPage(services, frame, nas, { bring, tries }, client)) ??
      (await nearGuestPage(app, frame, nas, context, client)) ??
      unknownVisit(frame, nas, context, over)
    );
  const { visit, ticket } = open;
  const session = await waitForSession(app, context, open, isNew ? 5 : 1);
  if (session?.paused) return pausedPage(frame, nas, context);
  if (session) {
    const waiting = isNew ? await paymentWaiting(app, context, nas, client) : undefined;
    if (waiting) return { redirect: `${waiting}?lang=${frame.language}` };
    const next = isNew ? await afterSignIn(services, frame, context, open, session) : undefined;
    if (next) return next;
    const surveys = await surveysToAnswer(services, context, open, session);
    const page = statusPage(frame, nas, context, open, session, surveys, {
      confirm: await confirmPart(services, context, open, mail, client),
      extend: await extendPart(services, context, open, session, mail),
      again,
    });
    return open.seen ? page : { ...page, cookies: [seenCookie(app, open)] };
  }
  // Guests stay at the address with `new`, and load it again after the end.
  if (!isNew || open.seen) return visitOver(app, frame, context, open);
  const pending = ticket ? await pendingTicketPage(services, frame, context, { ...open, ticket }, tries) : undefined;
  if (pending) return pending;
  // `new` stays until there is a session, because the rule after a sign-in waits for it.
  const link = onlinePath(nas, { isNew: true });
  const languageLink = `${link}&n=${tries}&lang={lang}`;
  if (tries >= maxTries) {
    const retry = `${link}&lang=${frame.language}`;
    const form = pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`);
    return { view: problemView(frame, { problem: 'router_away', context, retry, form, languageLink }), status: 503 };
  }
  const view: OnlineView = {
    ...onlineView(frame, context, open),
    languageLink,
    refresh: `${link}&n=${tries + 1}&lang=${frame.language}`,
  };
  return { view, status: 200 };
}

function statusPage(
  frame: Frame,
  nas: string,
  context: GuestContext,
  open: OpenVisit,
  session: OnlineRow,
  surveys: ReadonlySet<string>,
  { again, ...parts }: Pick<OnlineView, 'confirm' | 'extend'> & Pick<OnlineRequest, 'again'>,
): GuestAnswer {
  const { portal } = context;
  const at = portal && { ...context, portal };
  const survey = (id: string) => (surveys.has(id) ? surveyAddress(nas, id, frame.language) : null);
  const content = at && shownBlocks(frame.language, at, 'connected_blocks', survey);
  const shownAd = content?.takesAd ? chooseAd(frame, at!, { page: 'online', mac: open.visit.mac }) : undefined;
  const login = returnAddress(open.visit.login, context);
  const canLogOut = login !== undefined && canSignOut(context, login);
  const waiting = onlineView(frame, context, open);
  const view: OnlineView = {
    ...waiting,
    ad: shownAd?.ad ?? null,
    blocks: content?.blocks ?? [],
    online: true,
    watch: watchPath(nas, frame.language, session),
    startedAt: session.started_at,
    secondsUsed: session.seconds,
    secondsLeft: session.seconds_left,
    bytesUsed: session.bytes,
    bytesLeft: session.bytes_left,
    logOut: canLogOut ? `/w/${nas}/log-out` : null,
    endsSoon: endsSoon(session) && (parts.extend !== null || waiting.buy !== null),
    ...parts,
  };
  return {
    view,
    status: 200,
    // The answers to the forms redirect to the router, and a rule of the portal may lead on from there.
    ...(canLogOut && { formTarget: formTarget(login) }),
    ...(login && portal && parts.extend?.adds === false && { formTarget: formTargets(login, portal) }),
    // The guest has seen it already.
    ...(shownAd && !again && { shownAd }),
  };
}

/** Reasons for which another sign-in with the same account would be refused. */
const lastingReasons = ['paused', 'expired', 'over_quota', 'over_time'] as const satisfies GuestProblem[];

/** The session has ended: the guest reads why the account is refused from now on, or can sign in again. */
async function visitOver(app: App, frame: Frame, context: GuestContext, open: OpenVisit): Promise<GuestAnswer> {
  const { visit, visitor: visitorId } = open;
  const { mac, ip } = visit;
  const guest = visitorId && { visitorId, deviceId: context.device_id, mac, ip };
  const { reason, byStaff } = await app.db.readTenant(context.tenantId, async tx => ({
    reason: guest ? (await findRefusals(tx, [guest]))[0] : undefined,
    byStaff: await endedByStaff(tx, context.device_id, sessionOf(context, open)),
  }));
  const lasting = context.refused ?? lastingReasons.find(it => it === reason);
  const problem = lasting ?? (byStaff ? 'visit_ended' : 'visit_over');
  const form = pageLink(`/w/${visit.nas}`, visit, `step=form&lang=${frame.language}`);
  const languageLink = `${onlinePath(visit.nas)}?lang={lang}`;
  const more = moreAccess(frame, context, visit, problem, app.settings);
  return { view: problemView(frame, { problem, context, form, more, languageLink }), status: 200 };
}

/** A browser without the cookie: it did not sign in, or it refuses cookies. */
function unknownVisit(frame: Frame, nas: string, context: GuestContext, over: boolean): GuestAnswer {
  const problem = over ? 'visit_over' : 'visit_unknown';
  const form = routerPath(nas);
  const languageLink = `${onlinePath(nas)}?${over ? 'over=1&' : ''}lang={lang}`;
  return { view: problemView(frame, { problem, context, form, languageLink }), status: statusOf(problem) };
}
