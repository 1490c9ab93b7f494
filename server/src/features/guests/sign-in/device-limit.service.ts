import { setTimeout as sleep } from 'node:timers/promises';
import type { GuestMakeRoom } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { FullView } from '@portico/contract/guests.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { endOwnSession, listOwnSessions } from '#features/sessions/public.ts';
import { isId } from '#lib/ids.ts';
import { formTargets } from '../arrival/addresses.ts';
import { checkArrival } from '../arrival/check-arrival.ts';
import type { ClientInfo } from '../client-info.ts';
import { type GuestAnswer, statusOf } from '../guest-answer.ts';
import type { GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { packState, type StateOf, unpackState } from '../guest-state.ts';
import { common, type Frame, pageLink, placeView, problemView } from '../guest-views.ts';
import { keptPageOf } from '../kept-page.ts';
import { admitGuest, type VerifiedGuest } from './admit.service.ts';
import { findRefusal } from './refusals.queries.ts';
import { signInPage } from './sign-in-page.ts';

/** A verified guest with too many devices online may end the session of one of them. */

/** A MAC that its owner can recognise, without its middle. */
export const shownMac = (mac: string): string => mac.replace(/^(..:..):..:..:..:(..)$/, '$1:••:••:••:$2');

/** The choice of sessions; undefined without any, for example if the router has not reported a sign-in yet. */
export async function chooseSessionToEnd(
  { app }: GuestServices,
  frame: Frame,
  { context, login, visit }: GuestRequest,
  guest: VerifiedGuest,
  problem: GuestProblem = 'over_limit',
): Promise<GuestAnswer | undefined> {
  const open = await app.db.withTenant(context.tenantId, tx => listOwnSessions(tx, guest.visitorId));
  const others = open.filter(it => it.mac !== visit.mac);
  if (!others.length) return undefined;
  const { visitorId: visitor, slug: method, email, phone, agreed, allowed } = guest;
  const facts = { visitor, method, email: email ?? '', phone: phone ?? '', agreed: agreed ?? '', allowed };
  const state = packState(app.secrets, { step: 'full', visit, ...facts });
  const view: FullView = {
    page: 'full',
    ...common(frame),
    languageLink: `${devicesPath(visit.nas)}?lang={lang}`,
    ...placeView(context),
    action: `/w/${visit.nas}/make-room`,
    state,
    devices: others.map(it => ({ id: it.id, mac: shownMac(it.mac), startedAt: it.started_at })),
    timeZone: others[0]!.time_zone,
    problem: problem === 'over_limit' ? null : problem,
    problemValues: {},
    back: pageLink(`/w/${visit.nas}`, visit, `lang=${frame.language}`),
  };
  const address = { path: `${devicesPath(visit.nas)}?`, kept: { mac: visit.mac, full: { state, problem } } };
  return { view, status: statusOf(problem), formTarget: formTargets(login, context.portal), address };
}

const devicesPath = (nas: string): string => `/w/${nas}/devices`;

/** The same page once more. The sign-in page takes its place if no other session is open any more. */
export async function choiceAgain(
  services: GuestServices,
  frame: Frame,
  nas: string,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { full } = keptPageOf(services.app, nas, client) ?? {};
  const state = full && unpackState(services.app.secrets, 'full', full.state);
  if (!state || state.visit.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const request = await checkArrival(services, frame, state.visit);
  if ('refused' in request) return request.refused;
  const choice = await chooseSessionToEnd(services, frame, request, guestOf(state), full.problem);
  return choice ?? { redirect: pageLink(`/w/${nas}`, state.visit, `step=form&lang=${frame.language}`) };
}

const guestOf = ({ visitor, method, email, phone, agreed, allowed }: StateOf<'full'>): VerifiedGuest => ({
  visitorId: visitor,
  slug: method as ProviderSlug,
  email: email || null,
  phone: phone || null,
  agreed,
  allowed,
});

const maxTries = 12;
const retryMs = 250;

/** The router reports the end of a session shortly after it confirms the disconnect, so the limit is checked repeatedly. */
async function refusalAfterEnd(
  { app }: GuestServices,
  { context, visit }: GuestRequest,
  visitorId: string,
): Promise<GuestProblem | null> {
  const guest = { visitorId, deviceId: context.device_id, mac: visit.mac, ip: visit.ip, strict: true };
  for (let tries = 1; ; tries += 1) {
    const problem = await app.db.withTenant(context.tenantId, tx => findRefusal(tx, guest));
    if (problem !== 'over_limit' || tries === maxTries) return problem;
    await sleep(retryMs);
  }
}

/** Ends the session that the guest chose, and admits the guest. */
export async function makeRoom(
  services: GuestServices,
  frame: Frame,
  nas: string,
  form: GuestMakeRoom,
  client: ClientInfo,
): Promise<GuestAnswer> {
  const { app } = services;
  const state = unpackState(app.secrets, 'full', form.state);
  if (!state || state.visit.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const { visit, visitor: visitorId } = state;
  const request = await checkArrival(services, frame, visit);
  if ('refused' in request) return request.refused;
  const { context } = request;
  const guest = guestOf(state);
  const sessionId = isId(form.session) ? form.session : undefined;
  const ended =
    sessionId !== undefined && (await endOwnSession(app, { tenantId: context.tenantId, visitorId, sessionId }));
  const problem = ended ? await refusalAfterEnd(services, request, visitorId) : 'over_limit';
  if (!problem) return admitGuest(services, frame, request, guest, client);
  const again =
    problem === 'over_limit'
      ? await chooseSessionToEnd(services, frame, request, guest, ended ? 'device_stays' : problem)
      : undefined;
  return again ?? signInPage(services, frame, request, { problem }, { status: statusOf(problem) });
}
