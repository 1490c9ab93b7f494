import { returnAddress } from '#routers/return-address.ts';
import { forgetDevice } from '../arrival/remembered.queries.ts';
import { cookieName } from '../arrival/remembered.service.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext, GuestServices } from '../guest-context.ts';
import { unpackState } from '../guest-state.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { routerFormPage, usesForm } from '../sign-in/hand-over.service.ts';
import { findOnline } from './online.queries.ts';

/** Whether the browser can end the session at this router. */
export const canSignOut = (context: GuestContext, login: URL): boolean =>
  usesForm({ context, login }) || context.driver.signOutUrl(login, '') !== null;

/** Ends the session at the router, and forgets the guest, who has to sign in the next time. */
export async function logOut(services: GuestServices, frame: Frame, nas: string, packed: string): Promise<GuestAnswer> {
  const { app } = services;
  const state = unpackState(app.secrets, 'online', packed);
  const context = state?.visit.nas === nas ? await services.findContext(nas, state.visit) : undefined;
  const login = state && context && returnAddress(state.visit.login, context.hotspot_address);
  if (!login || !canSignOut(context, login))
    return { view: problemView(frame, { problem: 'page_expired', context }), status: 400 };
  const { visit, ticket } = state;
  const { driver, location_id: locationId } = context;
  const session = await app.db.withTenant(context.tenantId, async tx => {
    await forgetDevice(tx, { locationId, mac: visit.mac });
    return findOnline(tx, context.device_id, visit.mac, ticket);
  });
  const userName = session?.user_name ?? '';
  const answer: GuestAnswer = usesForm({ context, login })
    ? routerFormPage(services, frame, { context, login }, driver.form!.signOut(login, userName), {
        way: 'out',
        languageLink: null,
        next: pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`),
        tried: false,
      })
    : { redirect: driver.signOutUrl(login, userName)! };
  return { ...answer, cookie: { name: cookieName(app, locationId), value: '', seconds: 0 } };
}
