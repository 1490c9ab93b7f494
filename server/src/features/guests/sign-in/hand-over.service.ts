import { markSeen } from '#features/devices/public.ts';
import { openUnreported } from '#features/sessions/public.ts';
import { decisionAddress, unpackRequest } from '#routers/watchguard/access-decision.ts';
import { wayBack } from '../arrival/addresses.ts';
import {
  type GuestAnswer,
  type Guests,
  onlineLink,
  onlinePath,
  type Standing,
  signInPage,
} from '../arrival/check-arrival.ts';
import { askAuthority, type Door } from '../guest-context.ts';
import type { GuestState } from '../guest-state.ts';
import { type Frame, problemView } from '../guest-views.ts';
import { isPlain } from './router-form.ts';

// A session that nobody reports must end some time, and the Firebox be told when.
const longestSeconds = 86_400;

/** The guest's way back to its router with a proof: a ticket, or the address of a device that needs none. */
export async function handOver(
  guests: Guests,
  frame: Frame,
  at: Standing,
  proof: { username: string; visitorId: string | null },
): Promise<GuestAnswer> {
  const { username, visitorId } = proof;
  const { door, login, state } = at;
  if (door.brand === 'sophos') {
    const known = { visitor: visitorId, ticket: username };
    if (!isPlain(door, login))
      return { redirect: wayBack(login, { username, password: username }, onlineLink(guests, at, known)) };
    // A page that came of a form could not be come back to.
    const so = { ...(visitorId && { visitor: visitorId }), ticket: username };
    return { redirect: `${onlinePath(guests.app, { ...state, so })}&new=1&lang=${frame.language}` };
  }
  if (door.brand !== 'watchguard')
    return {
      redirect: wayBack(login, { username, password: username }, onlineLink(guests, at, { visitor: visitorId })),
    };
  const secret = guests.app.secrets.read(door.secret!);
  // Nothing that is signed with another secret would be believed.
  if (secret === undefined) return { view: problemView(frame, { problem: 'unknown_device' }), status: 409 };
  const request = unpackRequest(login)!;
  // A Firebox does not ask us by RADIUS, so what would be answered to it is asked here.
  const decision = await askAuthority(guests.app, door, { username, mac: state.mac, ip: state.ip, same: true });
  if (decision.outcome !== 'accept')
    return signInPage(
      guests,
      frame,
      at,
      { problem: decision.reason === 'over_limit' ? 'over_limit' : 'ticket_over' },
      422,
    );
  const sessionTimeout = Math.max(60, Math.min(decision.session_timeout ?? longestSeconds, longestSeconds));
  const ends = Math.floor(Date.now() / 1000) + sessionTimeout;
  const redirect = onlineLink(guests, at, { visitor: visitorId, class: decision.class, ends: String(ends) });
  return {
    redirect: decisionAddress(request, {
      success: 1,
      sessionTimeout,
      idleTimeout: decision.idle_timeout,
      secret,
      redirect,
    }),
  };
}

/** A device that needs no sign-in is let in under its own address. */
export const passThrough = (guests: Guests, frame: Frame, at: Standing): Promise<GuestAnswer> =>
  handOver(guests, frame, at, { username: at.state.mac, visitorId: null });

/** A guest whom a Firebox has let in and sent here: it reports no session, so the one that was granted begins now. */
export async function noteFireboxGuest({ app }: Guests, door: Door, { mac, ip, so }: GuestState): Promise<void> {
  if (door.brand !== 'watchguard' || !so?.['class'] || Number(so['ends']) * 1000 < Date.now()) return;
  const { device_id: deviceId, tenantId } = door;
  await openUnreported(app, { tenantId, deviceId, mac, ip, class: so['class'], ends: Number(so['ends']) });
  await app.db.withTenant(tenantId, tx => markSeen(tx, deviceId, { at: new Date() }));
}
