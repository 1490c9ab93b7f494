import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { findTicket, findTicketOfBrowser, type TicketRow } from '../arrival/anonymous-device.queries.ts';
import { identifyDevice, pseudoMacOf } from '../arrival/anonymous-device.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, statusOf, withCookies } from '../guest-answer.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { unpackState } from '../guest-state.ts';
import type { Frame } from '../guest-views.ts';
import { onlinePath, onlineUrl } from '../online/online-link.ts';
import { type OpenVisit, outCookie, visitOfBrowser } from '../online/visit-cookie.ts';
import { browserMark } from '../same-browser.ts';
import { chooseSessionToEnd } from './device-limit.service.ts';
import { routerFormPage, usesForm } from './hand-over.service.ts';
import { refusalMessage } from './refusal-values.ts';
import { signInPage } from './sign-in-page.ts';
import { ticketHash } from './ticket-hash.ts';

/** The fate of tickets at routers that do not tell their guests why RADIUS refused them. */

/**
 * The page for a guest who has a ticket and is not online. It is the form to the router, the reason of a refusal, or the
 * sign-in page once the ticket has expired. Returns undefined while the guest has to wait.
 */
export async function pendingTicketPage(
  services: GuestServices,
  frame: Frame,
  context: GuestContext,
  open: OpenVisit & { readonly ticket: string },
  tries: number,
): Promise<GuestAnswer | undefined> {
  const { app } = services;
  const { visit, ticket, out } = open;
  const row = await app.db.withTenant(context.tenantId, tx =>
    findTicket(tx, context.device_id, { hash: ticketHash(ticket), pseudoMac: null }),
  );
  // A device that needs no sign-in has its MAC in place of a ticket.
  const byMac = !row && ticket === visit.mac && context.bypassed;
  if (!byMac && (!row || row.used)) return undefined;
  const request = await checkArrival(services, frame, visit);
  if ('refused' in request) return request.refused;
  if (row?.refused) return refusalPage(services, frame, request, row);
  if (row?.expired)
    return signInPage(services, frame, request, { problem: 'ticket_over' }, { status: statusOf('ticket_over') });
  if (!usesForm(request)) return undefined;
  // A guest who comes back from the router would else be sent there at once.
  const page = signInForm(services, frame, request, { ticket, tried: tries > 0 || (out?.shown ?? 0) > 0 });
  return out && !out.shown ? withCookies(page, outCookie(app, open, { ...out, shown: 1 })) : page;
}

/** The page with the form that brings a ticket to the router. `bring`: the ticket in the address, for a browser without cookies. */
function signInForm(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { ticket, tried, bring }: { readonly ticket: string; readonly tried: boolean; readonly bring?: string },
): GuestAnswer {
  const link = `${onlinePath(request.visit.nas, { isNew: true })}${bring ? `&to=${bring}` : ''}`;
  // With `n`, the page does not send the form again by itself.
  const url = `${onlineUrl(services.app, request)}&n=1`;
  return routerFormPage(services, frame, request, request.context.driver.form!.signIn(request.login, ticket, url), {
    way: 'in',
    languageLink: `${link}&lang={lang}`,
    next: `${link}&n=1&lang=${frame.language}`,
    tried,
  });
}

/**
 * The same for a browser without the cookie of the visit, whose ticket is in the address. Undefined once the ticket is used. The
 * address tells no more than the form, so a refusal is named without the guest's sessions. It may come from another guest, so
 * the sign-in page does not have its pseudo MAC.
 */
export async function pendingFormPage(
  services: GuestServices,
  frame: Frame,
  nas: string,
  { bring, tries }: { readonly bring: string; readonly tries: number },
  client: ClientInfo,
): Promise<GuestAnswer | undefined> {
  const { app } = services;
  const state = unpackState(app.secrets, 'bring', bring);
  if (!state || state.visit.nas !== nas || state.browser !== browserMark(app, frame.client)) return undefined;
  const { visit, ticket } = state;
  const request = await checkArrival(services, frame, visit);
  if ('refused' in request) return request.refused;
  const { context } = request;
  if (!usesForm(request)) return undefined;
  const row = await app.db.withTenant(context.tenantId, tx =>
    findTicket(tx, context.device_id, { hash: ticketHash(ticket), pseudoMac: null }),
  );
  if (row ? row.used : !(ticket === visit.mac && context.bypassed)) return undefined;
  const problem = row?.refused ? problemOfRefusal(row.refused) : row?.expired ? 'ticket_over' : undefined;
  if (!problem) return signInForm(services, frame, request, { ticket, tried: tries > 0, bring });
  const { request: identified, cookies } = await identifyDevice(app, request, client);
  return withCookies(signInPage(services, frame, identified, { problem }, { status: statusOf(problem) }), ...cookies);
}

const problemOfRefusal = (refused: string | null): GuestProblem =>
  refused === 'wrong_credentials' ? 'ticket_over' : (refused as GuestProblem);

/**
 * The same for a browser that refuses cookies: it is told apart by the MAC of its guest device and its mark. Others can name
 * the MAC, so the page tells the reason only.
 */
async function refusalWithoutCookie(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
): Promise<GuestAnswer | undefined> {
  const { app } = services;
  const { context, visit } = request;
  if (frame.takesCookies || !context.driver.tellsMac || !usesForm(request)) return undefined;
  const of = { mac: visit.mac, browser: browserMark(app, frame.client) };
  const row = await app.db.withTenant(context.tenantId, tx => findTicketOfBrowser(tx, context.device_id, of));
  if (!row?.refused || row.used) return undefined;
  const problem = problemOfRefusal(row.refused);
  return signInPage(services, frame, request, { problem }, { status: statusOf(problem) });
}

/** Why RADIUS refused the latest ticket of this browser, where the router shows the same text for every refusal. */
export async function refusalOfLatestTicket(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  client: ClientInfo,
): Promise<GuestAnswer | undefined> {
  const { context, visit } = request;
  if (context.driver.tellsRefusal) return undefined;
  const pseudoMac = pseudoMacOf(services.app, request, client);
  const open = visitOfBrowser(services.app, visit.nas, client);
  const hash = open?.ticket && open.visit.mac === visit.mac ? ticketHash(open.ticket) : null;
  if (!pseudoMac && !hash) return refusalWithoutCookie(services, frame, request);
  const row = await services.app.db.withTenant(context.tenantId, tx =>
    findTicket(tx, context.device_id, { hash, pseudoMac }),
  );
  return row?.refused && !row.used ? refusalPage(services, frame, request, row) : undefined;
}

/** The same for a guest who is back from the router's form, where the router gives no reason at all. It is told once. */
export async function refusalOnTheWay(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  client: ClientInfo,
): Promise<GuestAnswer | undefined> {
  const { app } = services;
  const { context, visit } = request;
  const open = visitOfBrowser(app, visit.nas, client);
  if (!open) return refusalWithoutCookie(services, frame, request);
  if (!open.out || open.seen || open.visit.mac !== visit.mac || !usesForm(request)) return undefined;
  const hash = ticketHash(open.out.ticket);
  const row = await app.db.withTenant(context.tenantId, tx =>
    findTicket(tx, context.device_id, { hash, pseudoMac: null }),
  );
  if (!row?.refused || row.used) return undefined;
  return withCookies(await refusalPage(services, frame, request, row), outCookie(app, open));
}

async function refusalPage(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { visitor_id: visitorId, provider_slug, refused }: TicketRow,
): Promise<GuestAnswer> {
  const guest = { visitorId, slug: provider_slug as ProviderSlug, email: null, phone: null, agreed: null };
  const choice = refused === 'over_limit' ? await chooseSessionToEnd(services, frame, request, guest) : undefined;
  if (choice) return choice;
  const problem = problemOfRefusal(refused);
  const refusal = await refusalMessage(services.app, request.context, visitorId, problem);
  return signInPage(services, frame, request, { ...refusal, chosen: guest.slug }, { status: statusOf(problem) });
}
