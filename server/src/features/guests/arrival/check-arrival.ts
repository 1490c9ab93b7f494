import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { noteRefusedHost } from '#features/devices/public.ts';
import { returnAddress, unusedHost } from '#routers/return-address.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import { type GuestRequest, secretReader } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import type { Visit } from '../guest-state.ts';
import { type Frame, offeredMethods, pageLink, problemView } from '../guest-views.ts';

export const wholeMac = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/;

/** Checks everything that can keep a guest from signing in at all. */
export async function checkArrival(
  services: GuestServices,
  frame: Frame,
  visit: Visit,
): Promise<GuestRequest | { refused: GuestAnswer }> {
  const languageLink = pageLink(`/w/${visit.nas}`, visit);
  const context = await services.findContext(visit.nas, visit);
  const refuse = (problem: GuestProblem, retry: string | null = null) => ({
    refused: {
      view: problemView(frame, { problem, context, retry, languageLink }),
      status: statusOf(problem),
      address: { path: pageLink(`/w/${visit.nas}`, visit, 'step=form') },
    },
  });
  if (!context) return refuse('unknown_device');
  const { driver, portal } = context;
  if ((driver.tellsMac && !wholeMac.test(visit.mac)) || !visit.login)
    return refuse('not_from_router', driver.signInPage(context));
  const login = returnAddress(visit.login, context);
  if (!login) {
    const host = unusedHost(visit.login, context);
    if (host) await noteRefusedHost(services.app, { tenantId: context.tenantId, id: context.device_id }, host);
    return refuse('bad_return');
  }
  const check = { device: context, login, mac: visit.mac, secret: secretReader(services.app, context) };
  if (driver.isGenuine && !driver.isGenuine(check)) return refuse('not_from_router');
  if (context.refused) return refuse(context.refused, pageLink(`/w/${visit.nas}`, visit, `lang=${frame.language}`));
  const { social, sells, restores } = context;
  if (!portal || !(offeredMethods(portal, services.app.settings).length || social.length || sells || restores))
    return refuse('no_portal');
  const begun = context.scheduled ? { ...visit, portal: portal.id } : visit;
  return { context: { ...context, portal }, login, visit: begun };
}
