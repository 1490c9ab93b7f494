import { returnAddress } from '#routers/return-address.ts';
import { forgetDevice, forgetVisitorDevice } from '../arrival/remembered.queries.ts';
import { cookieName } from '../arrival/remembered.service.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, statusOf, withCookies } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { type Frame, pageLink, problemView } from '../guest-views.ts';
import { type KeptPage, keptPageOf } from '../kept-page.ts';
import { routerFormPage, usesForm } from '../sign-in/hand-over.service.ts';
import { findOnline } from './online.queries.ts';
import { noVisitCookie, sessionOf, visitOfBrowser } from './visit-cookie.ts';

/** Whether the browser can end the session at this router. */
export const canSignOut = (context: GuestContext, login: URL): boolean =>
  signsOutByForm({ context, login }) || context.driver.signOutUrl(login, '') !== null;

const signsOutByForm = (it: { readonly context: GuestContext; readonly login: URL }): boolean =>
  usesForm(it) && it.context.driver.form?.signOut !== undefined;

type LogOutForm = NonNullable<KeptPage['logOut']>;

function formPage(
  services: GuestServices,
  frame: Frame,
  at: { readonly context: GuestContext; readonly login: URL },
  { visit, form }: LogOutForm,
): GuestAnswer {
  const { nas, mac } = visit;
  const path = `/w/${nas}/log-out`;
  const page = routerFormPage(services, frame, at, form, {
    way: 'out',
    languageLink: `${path}?lang={lang}`,
    next: pageLink(`/w/${nas}`, visit, `step=form&lang=${frame.language}`),
    tried: false,
  });
  return { ...page, address: { path: `${path}?`, kept: { mac, logOut: { visit, form } } } };
}

/** The page with the form that ends the session at the router. */
export async function logOutAgain(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { logOut: kept } = keptPageOf(services.app, nas, client) ?? {};
  const context = kept && (await services.findContext(nas, kept.visit));
  const login = context && returnAddress(kept.visit.login, context);
  if (!login || !signsOutByForm({ context, login })) {
    const problem = 'visit_unknown';
    return { view: problemView(frame, { problem, context }), status: statusOf(problem) };
  }
  return formPage(services, frame, { context, login }, kept);
}

/** Ends the session at the router, and forgets the guest, who has to sign in the next time. */
export async function logOut(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const open = visitOfBrowser(app, nas, client);
  const context = open && (await services.findContext(nas, open.visit));
  const login = context && returnAddress(open.visit.login, context);
  if (!login || !canSignOut(context, login)) {
    const problem = 'visit_unknown';
    return { view: problemView(frame, { problem, context }), status: statusOf(problem) };
  }
  const { visit, visitor } = open;
  const { driver, location_id: locationId } = context;
  const session = await app.db.withTenant(context.tenantId, async tx => {
    const own = await findOnline(tx, context.device_id, sessionOf(context, open));
    if (own) await forgetDevice(tx, { locationId, mac: visit.mac });
    else if (visitor) await forgetVisitorDevice(tx, { visitorId: visitor, mac: visit.mac });
    return own;
  });
  const userName = session?.user_name ?? '';
  const answer: GuestAnswer = signsOutByForm({ context, login })
    ? formPage(services, frame, { context, login }, { visit, form: driver.form!.signOut!(login, userName) })
    : { redirect: driver.signOutUrl(login, userName)! };
  const forgotten = { name: cookieName(locationId), value: '', seconds: 0 };
  return withCookies<GuestAnswer>(answer, forgotten, noVisitCookie(nas));
}
