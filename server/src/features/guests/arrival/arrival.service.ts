import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import { readmitBuyer } from '../buy/pay.service.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, withCookies } from '../guest-answer.ts';
import type { GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import type { Visit } from '../guest-state.ts';
import { type Frame, problemView } from '../guest-views.ts';
import { keptPageOf, macOfCodePage } from '../kept-page.ts';
import { isOnline } from '../online/is-online.ts';
import { onlinePath } from '../online/online-link.ts';
import { retryLink } from '../sign-in/connect.service.ts';
import { passThrough } from '../sign-in/hand-over.service.ts';
import { hasOwnPage, ownPageAgain, pageAgain, signInPage, typedIn } from '../sign-in/sign-in-page.ts';
import { refusalOfLatestTicket, refusalOnTheWay } from '../sign-in/ticket-refusal.service.ts';
import { beforeSignIn } from '../surveys/portal-rules.service.ts';
import { plainHttpPage } from './addresses.ts';
import { identifyDevice, isPseudoMac } from './anonymous-device.ts';
import { checkArrival } from './check-arrival.ts';
import { noteArrival } from './note-arrival.ts';
import { visitOf } from './read-arrival.ts';
import { readmitReturning } from './returning.service.ts';
import { problemOfRouter } from './router-problem.ts';

/** Answers a guest whom a router has sent. */
export async function arrive(
  services: GuestServices,
  frame: Frame,
  nas: string,
  arrival: GuestArrival,
  client: ClientInfo,
): Promise<GuestAnswer> {
  // The gateway says that the session runs. The page itself looks whose it is.
  if (arrival.step === 'signed_in' || arrival.step === 'online')
    return { redirect: onlinePath(nas, { isNew: arrival.step === 'signed_in' }) };
  // The phone's own link, which may open in a window without the cookie. A guest there can still sign in as another visitor.
  if (arrival.step === 'visit' && (await isOnline(services, nas, client))) return { redirect: onlinePath(nas) };
  const visit = visitOf(nas, arrival);
  if (arrival.step === 'router' && !arrival.mac) {
    const context = await services.findContext(nas, visit);
    const redirect = context?.driver.signInPage(context);
    if (redirect) return { redirect };
  }
  const fatal = arrival.error && !arrival.mac ? await routerError(services, frame, visit, arrival.error) : undefined;
  if (fatal) return fatal;
  const begun = keptPageOf(services.app, nas, client, visit.mac)?.portal;
  const first = await checkArrival(services, frame, begun ? { ...visit, portal: begun } : visit);
  if ('refused' in first) return first.refused;
  const ofCodePage = arrival.step === 'form' && !arrival.error ? macOfCodePage(services.app, nas, client) : undefined;
  const { request: identified, cookies } = await identifyDevice(services.app, first, client, ofCodePage);
  const { mac } = identified.visit;
  // The first check did not know the device, so it could not tell whether the device is blocked.
  const request =
    mac === visit.mac || isPseudoMac(mac) ? identified : await checkArrival(services, frame, identified.visit);
  if ('refused' in request) return withCookies(request.refused, ...cookies);
  await noteArrival(services.app, request, arrival.v);
  return withCookies(await handleArrival(services, frame, request, arrival, client), ...cookies);
}

/** A fatal error of a router that tells its guests' devices otherwise; undefined for other routers. */
async function routerError(
  { findContext }: GuestServices,
  frame: Frame,
  visit: Visit,
  error: string,
): Promise<GuestAnswer | undefined> {
  const context = await findContext(visit.nas, visit);
  if (!context?.driver.tellsMac) return undefined;
  const problem = problemOfRouter(context.driver, error) ?? 'refused';
  const retry = context.driver.signInPage(context) ?? plainHttpPage;
  return { view: problemView(frame, { problem, context, retry }), status: 200 };
}

async function handleArrival(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { error, step, problem: last, method }: GuestArrival,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { context } = request;
  const problem = problemOfRouter(context.driver, error);
  // After a refusal the guest stays here: sending it to the router again would loop.
  if (context.bypassed && !problem) return passThrough(services, frame, request);
  if (problem)
    return (
      (await refusalOfLatestTicket(services, frame, request, client)) ??
      signInPage(services, frame, request, { problem })
    );
  const refusal = step === '' ? await refusalOnTheWay(services, frame, request, client) : undefined;
  if (refusal) return refusal;
  const kept = keptPageOf(services.app, request.visit.nas, client, request.visit.mac);
  if (hasOwnPage(step)) return ownPageAgain(services, frame, request, { kept, problem: step });
  const retry = await retryLink(services, frame, request, client);
  // A returning guest who was refused can still sign in as another visitor.
  if (step === 'form') return pageAgain(services, frame, request, { kept, problem: last, method, retry });
  return (
    (await readmitBuyer(services, frame, request, client)) ??
    (await beforeSignIn(services, frame, request)) ??
    (await readmitReturning(services, frame, request, client)) ??
    signInPage(services, frame, request, typedIn(kept), { retry })
  );
}
