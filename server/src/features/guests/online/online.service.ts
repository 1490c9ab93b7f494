import { setTimeout as sleep } from 'node:timers/promises';
import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import type { AgreementView, OnlineView } from '@portico/contract/guests.ts';
import type { App } from '#lib/app.ts';
import { goOnAddress, logOutAddress, returnAddress } from '../arrival/addresses.ts';
import { isStandIn, nameDevice } from '../arrival/anonymous-device.ts';
import {
  approach,
  type GuestAnswer,
  type Guests,
  hasOwnPage,
  type Standing,
  signInPage,
  stateOf,
} from '../arrival/check-arrival.ts';
import { noteArrival } from '../arrival/note-arrival.ts';
import { forgetDevice } from '../arrival/remembered.queries.ts';
import { cookieName } from '../arrival/remembered.service.ts';
import { letReturn } from '../arrival/returning.service.ts';
import { problemOfRouter } from '../arrival/router-problem.ts';
import type { From } from '../client-info.ts';
import { findOnline } from '../guest-context.queries.ts';
import type { Door } from '../guest-context.ts';
import { type GuestState, unpackState } from '../guest-state.ts';
import { type Frame, inLanguage, pageLink, portalView, problemView } from '../guest-views.ts';
import { dataLink } from '../own-data/own-data.service.ts';
import { noteFireboxGuest, passThrough } from '../sign-in/hand-over.service.ts';
import { leaveFirewall } from '../sign-in/router-form.ts';
import { onTheWay, whyRefused } from '../sign-in/ticket-refusal.service.ts';
import { chooseAd } from '../surveys/advertisements.ts';
import { afterSignIn, beforeSignIn } from '../surveys/portal-rules.service.ts';

/** A guest comes from its router. */
export async function arrive(
  guests: Guests,
  frame: Frame,
  nas: string,
  arrival: GuestArrival,
  from: From,
): Promise<GuestAnswer> {
  const state = stateOf(nas, arrival);
  const throughRouter =
    arrival.step === 'router' && !arrival.mac && (await guests.findDoor(nas, state))?.hotspot_address;
  if (throughRouter) return { redirect: `http://${throughRouter.replace(/\/\d+$/, '')}/login` };
  const first = await approach(guests, frame, state);
  if ('refused' in first) return first.refused;
  const { at: named, remembering } = await nameDevice(guests.app, first, from);
  const { mac } = named.state;
  // Whose device it is was not known before, so nobody has looked whether that is blocked.
  const at = mac === state.mac || isStandIn(mac) ? named : await approach(guests, frame, named.state);
  if ('refused' in at) return { remembering, ...at.refused };
  await noteArrival(guests.app, at, arrival.v);
  const answer = await meet(guests, frame, at, arrival, from);
  return { remembering, ...answer };
}

async function meet(
  guests: Guests,
  frame: Frame,
  at: Standing,
  arrival: GuestArrival,
  from: From,
): Promise<GuestAnswer> {
  const problem = problemOfRouter(arrival.error);
  // Had the router refused it a moment ago, sending it back again would never end.
  if (at.door.bypassed && !problem) return passThrough(guests, frame, at);
  if (problem) return (await whyRefused(guests, frame, at, from)) ?? signInPage(guests, frame, at, { problem });
  // What was told a moment ago, in another language.
  if (hasOwnPage(arrival.step)) return signInPage(guests, frame, at, { problem: arrival.step });
  // Who was remembered and may not go on can still come as somebody else.
  if (arrival.step === 'form') return signInPage(guests, frame, at, {});
  const elsewhere = (await beforeSignIn(guests, frame, at)) ?? (await letReturn(guests, frame, at, from));
  return elsewhere ?? signInPage(guests, frame, at, {});
}

/** The router's report of a session is often a moment behind the guest whom it has just sent here. */
async function findSoon(app: App, door: Door, state: GuestState): ReturnType<typeof findOnline> {
  for (let tries = 1; ; tries += 1) {
    const session = await app.db.withTenant(door.tenantId, tx =>
      findOnline(tx, door.device_id, state.mac, state.so?.['ticket']),
    );
    if (session || tries === 5) return session;
    await sleep(200);
  }
}

// The page asks again every few seconds: half a minute without a word is no delay any more.
const mostTries = 9;

/** The page of a guest who is online, or about to be. */
export async function online(
  guests: Guests,
  frame: Frame,
  nas: string,
  { packed, isNew, tries }: { packed: string; isNew: boolean; tries: number },
): Promise<GuestAnswer> {
  const { app } = guests;
  const state = unpackState(app.secrets, 'online', packed);
  if (!state || state.nas !== nas) return { view: problemView(frame, { problem: 'page_expired' }), status: 400 };
  const door = await guests.findDoor(nas, state);
  if (!door) return { view: problemView(frame, { problem: 'unknown_device' }), status: 404 };
  if (isNew) await noteFireboxGuest(guests, door, state);
  const session = await findSoon(app, door, state);
  const kept = session ? undefined : await onTheWay(guests, frame, door, state, tries);
  if (kept) return kept;
  const login = returnAddress(state.login, door.hotspot_address);
  const follow = session && isNew ? await afterSignIn(guests, frame, { door, state }, session) : undefined;
  if (follow) return follow;
  const link = `/w/${nas}/online?s=${encodeURIComponent(packed)}`;
  if (!session && tries >= mostTries) {
    const retry = `${link}&new=1&lang=${frame.language}`;
    return {
      view: problemView(frame, { problem: 'router_away', door, retry, languageLink: `${link}&lang={lang}` }),
      status: 503,
    };
  }
  const showing = session && door.portal ? chooseAd({ ...door, portal: door.portal }, 'online') : undefined;
  const view: OnlineView = {
    page: 'online',
    ad: showing?.ad ?? null,
    language: frame.language,
    nonce: frame.nonce,
    script: frame.script,
    languageLink: `${link}&lang={lang}`,
    portal: door.portal && portalView(door.portal),
    locationName: door.location_name,
    online: session !== undefined,
    startedAt: session?.started_at ?? null,
    secondsUsed: session?.seconds ?? 0,
    secondsLeft: session?.seconds_left == null ? null : Math.max(0, session.seconds_left),
    bytesUsed: session?.bytes ?? 0,
    bytesLeft: session?.bytes_left ?? null,
    goOn: goOnAddress(state.orig),
    logOut:
      login && (door.brand === 'sophos' || logOutAddress(login))
        ? `/w/${nas}/log-out?s=${encodeURIComponent(packed)}`
        : null,
    ownData: dataLink(app, state),
    // What follows a sign-in waits until there is one.
    refresh: session ? link : `${link}${isNew ? '&new=1' : ''}&n=${tries + 1}`,
  };
  return { view, status: 200, ...(showing && { showing }) };
}

/** An agreement of the portal that a guest stands before, in its language or else in the first it is written in. */
export async function agreement(
  guests: Guests,
  frame: Frame,
  nas: string,
  kind: 'kvkk' | 'general',
  arrival: GuestArrival,
): Promise<GuestAnswer> {
  const state = stateOf(nas, arrival);
  const door = await guests.findDoor(nas, state);
  const texts = door?.portal?.agreements[kind] ?? {};
  const html = inLanguage(texts, frame.language);
  if (!door?.portal || !html) return { view: problemView(frame, { problem: 'not_found', door }), status: 404 };
  const view: AgreementView = {
    page: 'agreement',
    language: frame.language,
    nonce: frame.nonce,
    script: frame.script,
    languageLink: pageLink(`/w/${nas}/agreement/${kind}`, state),
    portal: portalView(door.portal),
    locationName: door.location_name,
    kind,
    html,
    back: pageLink(`/w/${nas}`, state, `lang=${frame.language}`),
  };
  return { view, status: 200 };
}

/** Ends the session at the router, and forgets the guest: whoever logs out wants to be asked the next time. */
export async function logOut(guests: Guests, frame: Frame, nas: string, packed: string): Promise<GuestAnswer> {
  const { app } = guests;
  const state = unpackState(app.secrets, 'online', packed);
  const door = state?.nas === nas ? await guests.findDoor(nas, state) : undefined;
  const login = door && returnAddress(state!.login, door.hotspot_address);
  const redirect = login && logOutAddress(login);
  if (!state || !login || (!redirect && door.brand !== 'sophos'))
    return { view: problemView(frame, { problem: 'page_expired', door }), status: 400 };
  const locationId = door.location_id;
  const session = await app.db.withTenant(door.tenantId, async tx => {
    await forgetDevice(tx, { locationId, mac: state.mac });
    return findOnline(tx, door.device_id, state.mac, state.so?.['ticket']);
  });
  const answer = redirect
    ? { redirect }
    : leaveFirewall(guests, frame, { door, login, state }, session?.user_name ?? '');
  return { ...answer, remembering: { name: cookieName(app, locationId), value: '', seconds: 0 } };
}
