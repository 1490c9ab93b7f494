import { setTimeout as sleep } from 'node:timers/promises';
import { endOwnSession } from '#features/sessions/public.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestServices } from '../guest-services.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { findOnline } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';
import { onlineView } from '../online/online-view.ts';
import { sessionOf, visitOfBrowser } from '../online/visit-cookie.ts';
import { admitGuest } from '../sign-in/admit.service.ts';
import { agreementVersion } from '../sign-in/consents.queries.ts';
import { findRefusal } from '../sign-in/refusals.queries.ts';
import { switchOf, switchPath } from './switch-cookie.ts';

/** The page loads itself again every few seconds, so this is about half a minute. */
const maxTries = 9;
/** Most routers report the end of a session at once. */
const looks = 8;
const lookMs = 250;

/** Ends the session of a guest who goes on with a voucher, and signs the guest in with it. */
export async function switchGuest(
  services: GuestServices,
  frame: Frame,
  nas: string,
  tries: number,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const to = switchOf(app, nas, client);
  const open = visitOfBrowser(app, nas, client);
  const status = { redirect: `${onlinePath(nas)}?lang=${frame.language}` };
  // Both cookies are of one sign-in, or the voucher is already the guest's.
  if (!to || !open || to.visit.mac !== open.visit.mac || open.visitor === to.visitor) return status;
  const request = await checkArrival(services, frame, open.visit);
  if ('refused' in request) return request.refused;
  const { context, visit } = request;
  const { tenantId, device_id: deviceId } = context;
  const { visitor: visitorId, agreed } = to;
  // The agreements were changed since the guest accepted them.
  if (agreementVersion(context.portal) !== agreed)
    return { redirect: pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`) };
  const at = { visitorId, deviceId, mac: visit.mac, ip: visit.ip };
  if (await app.db.withTenant(tenantId, tx => findRefusal(tx, at))) return status;
  const find = () => app.db.withTenant(tenantId, tx => findOnline(tx, deviceId, sessionOf(context, open)));
  let session = await find();
  if (session?.visitor_id === visitorId) return status;
  if (session?.visitor_id) {
    await endOwnSession(app, { tenantId, visitorId: session.visitor_id, sessionId: session.id });
    for (let look = 1; session && look <= looks; look += 1) {
      await sleep(lookMs);
      session = await find();
    }
  }
  if (!session)
    return admitGuest(
      services,
      frame,
      request,
      { visitorId, slug: 'voucher', email: null, phone: null, agreed },
      client,
    );
  const again = `${switchPath(nas)}?lang=${frame.language}`;
  const languageLink = `${switchPath(nas)}?lang={lang}&n=${tries}`;
  if (tries >= maxTries) {
    const problem = 'router_away';
    return { view: problemView(frame, { problem, context, retry: again, languageLink }), status: 503 };
  }
  const view = { ...onlineView(frame, context, open), languageLink, refresh: `${again}&n=${tries + 1}` };
  return { view, status: 200 };
}
