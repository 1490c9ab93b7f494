import type { HandOverView } from '@portico/contract/guests.ts';
import { openController } from '#features/devices/public.ts';
import { queueGrant } from '#features/gateways/public.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { Authorization, FormPost } from '#routers/driver.ts';
import { formTarget } from '../arrival/addresses.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import { type GuestContext, type GuestRequest, secretReader } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { type OnlineFacts, packState } from '../guest-state.ts';
import { common, type Frame, placeView, problemView } from '../guest-views.ts';
import { onlinePath, onlineUrl } from '../online/online-link.ts';
import { openUnreportedSession } from '../online/unreported.service.ts';
import { visitCookie } from '../online/visit-cookie.ts';
import { browserMark } from '../same-browser.ts';
import { plainPath, wayOut } from './connect.service.ts';
import type { ShownAgain } from './page-message.ts';
import { signInPage } from './sign-in-page.ts';

interface Proof {
  /** One-time, or the MAC of a device that needs no sign-in. */
  readonly ticket: string;
  readonly visitorId: string | null;
}

/** Whether the guest brings its ticket to the router by a form. */
export const usesForm = ({ context, login }: Pick<GuestRequest, 'login'> & { context: GuestContext }): boolean =>
  context.driver.form?.appliesTo(login) ?? false;

/** Sends the guest back to its router with a ticket. */
export async function handOver(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { ticket, visitorId }: Proof,
  shownAgain: ShownAgain = { message: {} },
): Promise<GuestAnswer> {
  const { app } = services;
  const { context, login, visit } = request;
  const { driver } = context;
  const byForm = usesForm(request);
  const facts: OnlineFacts = {
    ...(visitorId ? { visitor: visitorId } : { userName: ticket }),
    ...((byForm || !driver.tellsRefusal) && { ticket }),
  };
  const cookieOf = (to?: string) =>
    visitCookie(app, visit, { ...facts, ...(ticket !== visit.mac && { out: wayOut(ticket, to) }) });
  // The browser could not reload the answer to a POST, so the online page shows the form.
  if (byForm) {
    const page = `${onlinePath(visit.nas, { isNew: true })}&lang=${frame.language}`;
    const bring = () =>
      packState(app.secrets, {
        step: 'bring',
        visit: { ...visit, orig: '', portal: undefined },
        ticket,
        browser: browserMark(app, frame.client),
      });
    return { redirect: frame.takesCookies ? page : `${page}&to=${bring()}`, cookies: [cookieOf()] };
  }
  const result = await driver.handOver({
    device: context,
    login,
    mac: visit.mac,
    ticket,
    onlineUrl: grant => onlineUrl(app, request, grant),
    secret: secretReader(app, context),
    controller: () => openController(app, { tenantId: context.tenantId, deviceId: context.device_id }),
    authorize: () => authorize(services, request, ticket),
    queue: async grant => {
      const { tenantId, device_id: deviceId } = context;
      await queueGrant(app, { tenantId, deviceId, ip: visit.ip }, grant);
    },
  });
  if ('redirect' in result) {
    const { redirect, admitted } = result;
    if (admitted?.class) {
      const { nas, mac, ip } = visit;
      await openUnreportedSession(app, context, { nas, mac, ip, ...admitted, class: admitted.class });
    }
    if (redirect.startsWith(`${captiveOrigin(app.settings, context.tenant_slug)}/`))
      return { redirect, cookies: [visitCookie(app, visit, facts)] };
    const cookies = [cookieOf(redirect)];
    return frame.plain && ticket !== visit.mac
      ? { redirect: plainPath(services, frame, visit, redirect), cookies }
      : { redirect, cookies };
  }
  if ('misconfigured' in result) return { view: problemView(frame, { problem: 'unknown_device' }), status: 409 };
  const { message, code } = shownAgain;
  return signInPage(services, frame, request, { ...message, ...result }, { status: 422, code });
}

async function authorize(
  services: GuestServices,
  { context, visit: { mac, ip } }: GuestRequest,
  username: string,
): Promise<Authorization | { problem: 'over_limit' | 'ticket_over' }> {
  const decision = await services.authorize(context, { username, mac, ip, same: true });
  if (decision.outcome !== 'accept')
    return { problem: decision.reason === 'over_limit' ? 'over_limit' : 'ticket_over' };
  return {
    class: decision.class,
    sessionSeconds: decision.session_timeout,
    idleSeconds: decision.idle_timeout,
    uploadBps: decision.upload_bps,
    downloadBps: decision.download_bps,
    totalBytes: decision.total_bytes,
  };
}

/** Admits a device that needs no sign-in, with its MAC as the ticket. */
export const passThrough = (services: GuestServices, frame: Frame, request: GuestRequest): Promise<GuestAnswer> =>
  handOver(services, frame, request, { ticket: request.visit.mac, visitorId: null });

/** The page with the form that the browser posts to the router. */
export function routerFormPage(
  { app }: GuestServices,
  frame: Frame,
  { context, login }: Pick<GuestRequest, 'login'> & { context: GuestContext },
  form: FormPost,
  it: Pick<HandOverView, 'way' | 'languageLink' | 'next' | 'tried'>,
): GuestAnswer {
  const opensPage = context.driver.form?.opensPage ?? false;
  const view: HandOverView = {
    page: 'hand-over',
    ...common(frame),
    ...placeView(context),
    ...it,
    ...form,
    // A page with TLS cannot frame one without.
    framed:
      !opensPage &&
      (login.protocol === 'https:' || captiveOrigin(app.settings, context.tenant_slug).startsWith('http:')),
    opensPage,
  };
  // The gateway sends the guest on to a page of its own or to the site that the guest wanted, which browsers check too.
  return { view, status: 200, formTarget: opensPage ? 'http: https:' : formTarget(login) };
}
