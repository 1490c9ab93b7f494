import { setTimeout as sleep } from 'node:timers/promises';
import type { OnlineView } from '@portico/contract/guests.ts';
import type { App } from '#lib/app.ts';
import { returnAddress } from '#routers/return-address.ts';
import { goOnAddress } from '../arrival/addresses.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext, GuestServices } from '../guest-context.ts';
import { type OnlineFacts, unpackState, type Visit } from '../guest-state.ts';
import { common, type Frame, placeView, problemView } from '../guest-views.ts';
import { dataLink } from '../own-data/own-data.service.ts';
import { pendingTicketPage } from '../sign-in/ticket-refusal.service.ts';
import { chooseAd } from '../surveys/advertisements.ts';
import { afterSignIn } from '../surveys/portal-rules.service.ts';
import { canSignOut } from './log-out.service.ts';
import { findOnline } from './online.queries.ts';
import { openUnreportedSession } from './unreported.service.ts';

/** The router often reports a session a moment after it has sent the guest here. */
async function waitForSession(
  app: App,
  context: GuestContext,
  { mac }: Visit,
  { ticket }: OnlineFacts,
): ReturnType<typeof findOnline> {
  for (let tries = 1; ; tries += 1) {
    const session = await app.db.withTenant(context.tenantId, tx => findOnline(tx, context.device_id, mac, ticket));
    if (session || tries === 5) return session;
    await sleep(200);
  }
}

// The page reloads every few seconds, so this is about half a minute.
const maxTries = 9;

/** The page of a guest who is online, or about to be. */
export async function online(
  services: GuestServices,
  frame: Frame,
  nas: string,
  { packed, isNew, tries }: { packed: string; isNew: boolean; tries: number },
): Promise<GuestAnswer> {
  const { app } = services;
  const state = unpackState(app.secrets, 'online', packed);
  if (!state || state.visit.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const { visit, ticket, visitor } = state;
  const context = await services.findContext(nas, visit);
  if (!context) return { view: problemView(frame, { problem: 'unknown_device' }), status: 404 };
  if (isNew) await openUnreportedSession(app, context, visit, state);
  const session = await waitForSession(app, context, visit, state);
  const pending =
    !session && ticket
      ? await pendingTicketPage(services, frame, context, { visit, ticket, visitor, tries })
      : undefined;
  if (pending) return pending;
  const next = session && isNew ? await afterSignIn(services, frame, context, state, session) : undefined;
  if (next) return next;
  const link = `/w/${nas}/online?s=${encodeURIComponent(packed)}`;
  const languageLink = `${link}&lang={lang}`;
  if (!session && tries >= maxTries) {
    const retry = `${link}&new=1&lang=${frame.language}`;
    return { view: problemView(frame, { problem: 'router_away', context, retry, languageLink }), status: 503 };
  }
  const { portal } = context;
  const shownAd = session && portal ? chooseAd({ ...context, portal }, 'online') : undefined;
  const login = returnAddress(visit.login, context.hotspot_address);
  const view: OnlineView = {
    page: 'online',
    ad: shownAd?.ad ?? null,
    ...common(frame),
    languageLink,
    ...placeView(context),
    online: session !== undefined,
    startedAt: session?.started_at ?? null,
    secondsUsed: session?.seconds ?? 0,
    secondsLeft: session?.seconds_left == null ? null : Math.max(0, session.seconds_left),
    bytesUsed: session?.bytes ?? 0,
    bytesLeft: session?.bytes_left ?? null,
    goOn: goOnAddress(visit.orig),
    logOut: login && canSignOut(context, login) ? `/w/${nas}/log-out?s=${encodeURIComponent(packed)}` : null,
    ownData: visitor ? dataLink(app, visit, visitor) : null,
    // `new` stays until there is a session, because the rule after a sign-in waits for it.
    refresh: session ? link : `${link}${isNew ? '&new=1' : ''}&n=${tries + 1}`,
  };
  return { view, status: 200, ...(shownAd && { shownAd }) };
}
