import { setTimeout as sleep } from 'node:timers/promises';
import type { GuestMakeRoom } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { FullView } from '@portico/contract/guests.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { endOwnSession, listOwnSessions } from '#features/sessions/public.ts';
import { formTargets } from '../arrival/addresses.ts';
import { approach, type GuestAnswer, type Guests, type Standing, statusOf } from '../arrival/check-arrival.ts';
import type { From } from '../client-info.ts';
import { findUnwelcome } from '../guest-context.queries.ts';
import { packState, unpackState } from '../guest-state.ts';
import { common, type Frame, pageLink, portalView, problemView } from '../guest-views.ts';
import { letIn, type Proven } from './admit.service.ts';

/** A guest who is online on as many devices as it may be, and proved who it is, may end one of its own. */

/** Enough for its owner to tell it by, and no more. */
export const shownMac = (mac: string): string => mac.replace(/^(..:..):..:..:..:(..)$/, '$1:••:••:••:$2');

/** The choice; undefined where there is nothing to end, such as a sign-in that the router has not reported yet. */
export async function deviceFull(
  { app }: Guests,
  frame: Frame,
  at: Standing,
  guest: Proven,
  problem: GuestProblem = 'over_limit',
): Promise<GuestAnswer | undefined> {
  const { door, state } = at;
  const open = await app.db.withTenant(door.tenantId, tx => listOwnSessions(tx, guest.visitorId));
  const others = open.filter(it => it.mac !== state.mac);
  if (!others.length) return undefined;
  const { so: _, ...arrival } = state;
  const { visitorId: visitor, slug: method, email, phone, agreed } = guest;
  const so = { visitor, method, email: email ?? '', phone: phone ?? '', agreed: agreed ?? '' };
  const view: FullView = {
    page: 'full',
    ...common(frame),
    languageLink: null,
    portal: portalView(door.portal),
    locationName: door.location_name,
    action: `/w/${state.nas}/make-room`,
    state: packState(app.secrets, 'full', { ...arrival, so }),
    devices: others.map(it => ({ id: it.id, mac: shownMac(it.mac), startedAt: it.started_at })),
    timeZone: others[0]!.time_zone,
    problem: problem === 'over_limit' ? null : problem,
    problemValues: {},
    back: pageLink(`/w/${state.nas}`, arrival, `lang=${frame.language}`),
  };
  return { view, status: statusOf(problem), formTarget: formTargets(at.login, door.portal) };
}

/** The router's own report ends a session: its answer to the order comes a moment before. */
async function refusalSoon(
  { app }: Guests,
  { door, state }: Standing,
  visitorId: string,
): Promise<GuestProblem | null> {
  const it = { visitorId, deviceId: door.device_id, mac: state.mac, ip: state.ip, strict: true };
  for (let tries = 1; ; tries += 1) {
    const problem = await app.db.withTenant(door.tenantId, tx => findUnwelcome(tx, it));
    if (problem !== 'over_limit' || tries === 12) return problem;
    await sleep(250);
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ends the session that the guest chose, and lets it in. */
export async function makeRoom(
  guests: Guests,
  frame: Frame,
  nas: string,
  form: GuestMakeRoom,
  from: From,
): Promise<GuestAnswer> {
  const { app } = guests;
  const state = unpackState(app.secrets, 'full', form.state);
  if (!state?.so || state.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const { visitor: visitorId = '', method = '', email = '', phone = '', agreed = '' } = state.so;
  const { so: _, ...arrival } = state;
  const at = await approach(guests, frame, arrival);
  if ('refused' in at) return at.refused;
  const guest: Proven = { visitorId, slug: method as ProviderSlug, email: email || null, phone: phone || null, agreed };
  const chosen = uuid.test(form.session) ? form.session : undefined;
  const { tenantId } = at.door;
  const ended = chosen !== undefined && (await endOwnSession(app, { tenantId, visitorId, sessionId: chosen }));
  const problem = ended ? await refusalSoon(guests, at, visitorId) : 'over_limit';
  if (!problem) return letIn(guests, frame, at, guest, from);
  const again =
    problem === 'over_limit' && (await deviceFull(guests, frame, at, guest, ended ? 'device_stays' : problem));
  const retry = pageLink(`/w/${nas}`, arrival, `lang=${frame.language}`);
  return again || { view: problemView(frame, { problem, door: at.door, retry }), status: statusOf(problem) };
}
