import type { ConnectView } from '@portico/contract/guests.ts';
import { findTicket } from '../arrival/anonymous-device.queries.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { packState, unpackState, type Visit, type WayOut } from '../guest-state.ts';
import { common, type Frame, pageLink, placeView } from '../guest-views.ts';
import { findOnline } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';
import { type OpenVisit, outCookie, sessionOf, visitOfBrowser } from '../online/visit-cookie.ts';
import { browserMark } from '../same-browser.ts';
import { ticketHash } from './ticket-hash.ts';

/**
 * The router's address replaces our page. Where nothing answers there, the browser shows a page of its own, and its Back
 * button leads here: the page says so, and tries again with the same ticket. Decision 201.
 */

/** How long the page tries; the ticket itself may end before. */
const outSeconds = 300;
const now = () => Math.floor(Date.now() / 1000);

export const wayOut = (ticket: string, to: string | undefined): WayOut => ({
  ...(to !== undefined && { to }),
  ticket,
  until: now() + outSeconds,
  shown: 0,
});

/** `turn`: the page leads on by itself once for each. */
const connectPath = (nas: string, turn: number, language: string): string =>
  `/w/${nas}/connect?n=${turn}&lang=${language}`;

/** The way of a guest without script. It has the router's address too, because the browser may refuse the cookie. */
export function plainPath({ app }: GuestServices, { language, client }: Frame, visit: Visit, to: string): string {
  const state = {
    step: 'lead' as const,
    visit: { ...visit, login: '', orig: '', portal: undefined },
    to,
    until: now() + outSeconds,
    browser: browserMark(app, client),
  };
  return `${connectPath(visit.nas, 1, language)}&to=${packState(app.secrets, state)}`;
}

/** The router's address for a browser that has no cookie with it. */
function wayWithoutCookie(
  { app }: GuestServices,
  { client }: Frame,
  nas: string,
  open: OpenVisit | undefined,
  lead: string,
) {
  if (open?.out || open?.seen) return undefined;
  const state = unpackState(app.secrets, 'lead', lead);
  const isOwn = state?.visit.nas === nas && state.browser === browserMark(app, client);
  return isOwn && now() < state.until ? state.to : undefined;
}

type LedOut = OpenVisit & { readonly out: WayOut & { readonly to: string } };
const isLedOut = (open: OpenVisit | undefined): open is LedOut => open?.out?.to !== undefined && !open.seen;

/** `in`: the router has let the guest in; `over`: it never will with this ticket. */
async function fateOf({ app }: GuestServices, context: GuestContext, open: LedOut): Promise<'waits' | 'in' | 'over'> {
  const { out } = open;
  return app.db.withTenant(context.tenantId, async tx => {
    if (!context.driver.speaksRadius) {
      const session = await findOnline(tx, context.device_id, sessionOf(context, open));
      return session ? 'in' : now() < out.until ? 'waits' : 'over';
    }
    const row = await findTicket(tx, context.device_id, { hash: ticketHash(out.ticket), pseudoMac: null });
    if (row?.used) return 'in';
    return row && !row.expired && row.refused === null && now() < out.until ? 'waits' : 'over';
  });
}

function connectPage(frame: Frame, context: GuestContext, { visit, out }: LedOut, isFirst: boolean): ConnectView {
  const { nas } = visit;
  return {
    page: 'connect',
    ...common(frame),
    ...placeView(context),
    languageLink: `/w/${nas}/connect?n=${out.shown}&lang={lang}`,
    href: out.to,
    tried: !isFirst,
    retry: connectPath(nas, out.shown + 1, frame.language),
    form: `/w/${nas}/connect?form=1&lang=${frame.language}`,
  };
}

/** Where a guest wants to go: to the router for this turn, or back to the form. `lead`: see plainPath. */
export interface ConnectQuery {
  readonly turn: number;
  readonly toForm: boolean;
  readonly lead: string;
}

/** The page that leads to the router. */
export async function connect(
  services: GuestServices,
  frame: Frame,
  nas: string,
  { turn, toForm: givesUp, lead }: ConnectQuery,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const open = visitOfBrowser(app, nas, client);
  const toOnline = { redirect: `${onlinePath(nas, { isNew: true })}&lang=${frame.language}` };
  if (!open || !isLedOut(open)) {
    const to = wayWithoutCookie(services, frame, nas, open, lead);
    return to === undefined ? toOnline : { redirect: to };
  }
  const toForm = (more = '') => pageLink(`/w/${nas}`, open.visit, `step=form${more}&lang=${frame.language}`);
  if (givesUp) return { redirect: toForm(), cookies: [outCookie(app, open)] };
  const context = await services.findContext(nas, open.visit);
  const fate = context && (await fateOf(services, context, open));
  if (!context || fate === 'in') return toOnline;
  if (fate === 'over') return { redirect: toForm('&problem=ticket_over'), cookies: [outCookie(app, open)] };
  if (turn <= open.out.shown) return { view: connectPage(frame, context, open, false), status: 200 };
  const next = { ...open, out: { ...open.out, shown: open.out.shown + 1 } };
  return {
    view: connectPage(frame, context, next, true),
    status: 200,
    cookies: [outCookie(app, open, next.out)],
  };
}

/**
 * The link to try again for a guest who is back on the sign-in page; undefined for one whom the router has answered. Such a guest
 * may also have joined the network again, so the form stays.
 */
export async function retryLink(
  services: GuestServices,
  { language }: Frame,
  { context, visit }: { readonly context: GuestContext; readonly visit: Visit },
  client: ClientInfo,
): Promise<string | undefined> {
  const open = visitOfBrowser(services.app, visit.nas, client);
  // With another address the guest has come through the router again.
  if (!isLedOut(open) || open.visit.mac !== visit.mac || open.visit.login !== visit.login) return undefined;
  if ((await fateOf(services, context, open)) !== 'waits') return undefined;
  return connectPath(visit.nas, open.out.shown + 1, language);
}
