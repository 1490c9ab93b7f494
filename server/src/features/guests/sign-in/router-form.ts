import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import type { HandOverView } from '@portico/contract/guests.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { formTarget, returnAddress, routerPage } from '../arrival/addresses.ts';
import { type GuestAnswer, type Guests, onlinePath, type Standing } from '../arrival/check-arrival.ts';
import type { From } from '../client-info.ts';
import type { Door } from '../guest-context.ts';
import { common, type Frame, pageLink, portalView } from '../guest-views.ts';

/**
 * The ways of a Sophos firewall that no other router has. Its page signs guests in by script; a guest without script brings
 * the ticket to /login.xml by a form, whose answer is XML that says nothing to people: it goes to a hidden frame.
 */

const signInPath = '/login.xml';
const signOutPath = '/logout.xml';

/** Whether the guest came without script: its way back is the sign-in itself, and not the firewall's page. */
export const isPlain = ({ brand }: Door, login: URL): boolean => brand === 'sophos' && login.pathname === signInPath;

/**
 * A guest whom the firewall's page has sent without script: nothing could be written into the link, so the way back is read
 * from the page it came from, or else from what is known of the device.
 */
export async function arriveWithoutScript(
  guests: Guests,
  nas: string,
  arrival: GuestArrival,
  { referrer }: From,
): Promise<GuestArrival> {
  if (arrival.step !== 'plain' || arrival.login) return arrival;
  const door = await guests.findDoor(nas, { mac: '', ip: '' });
  if (door?.brand !== 'sophos') return arrival;
  const own = routerPage(door.brand, door.hotspot_address);
  const from = returnAddress(referrer, door.hotspot_address) ?? (own && new URL(own));
  if (!from) return arrival;
  const orig = from.searchParams.get('url') ?? '';
  return { ...arrival, step: '', login: from.origin + signInPath, orig: arrival.orig || orig.slice(0, 4000) };
}

/** The page from which the guest takes its ticket to the firewall. `tried`: it went on without having been there. */
export function takeTicket(
  guests: Guests,
  frame: Frame,
  at: Standing,
  { ticket, tried }: { ticket: string; tried: boolean },
): GuestAnswer {
  const link = `${onlinePath(guests.app, at.state)}&new=1`;
  return atFirewall(guests, frame, at, {
    way: 'in',
    languageLink: `${link}&lang={lang}`,
    action: at.login.href,
    fields: { mode: '191', username: ticket, password: ticket },
    next: `${link}&n=1&lang=${frame.language}`,
    tried,
  });
}

/** How the session ends there: by a form as well, or by the firewall's own page, whose script does it. */
export function leaveFirewall(
  guests: Guests,
  frame: Frame,
  at: Pick<Standing, 'login' | 'state'> & { door: Door },
  userName: string,
): GuestAnswer {
  if (!isPlain(at.door, at.login)) {
    const own = new URL(at.login);
    own.searchParams.set('logout', userName);
    return { redirect: own.href };
  }
  const { so: _, ...arrival } = at.state;
  return atFirewall(guests, frame, at, {
    way: 'out',
    languageLink: null,
    action: new URL(signOutPath, at.login).href,
    fields: { mode: '193', username: userName },
    next: pageLink(`/w/${arrival.nas}`, arrival, `step=form&lang=${frame.language}`),
    tried: false,
  });
}

function atFirewall(
  { app }: Guests,
  frame: Frame,
  { door, login }: Pick<Standing, 'login'> & { door: Door },
  it: Pick<HandOverView, 'way' | 'languageLink' | 'action' | 'fields' | 'next' | 'tried'>,
): GuestAnswer {
  const view: HandOverView = {
    page: 'hand-over',
    ...common(frame),
    portal: door.portal && portalView(door.portal),
    locationName: door.location_name,
    ...it,
    fields: { ...it.fields, a: String(Date.now()), producttype: '0' },
    // No page with TLS may frame one without.
    framed: login.protocol === 'https:' || captiveOrigin(app.settings, door.tenant_slug).startsWith('http:'),
  };
  return { view, status: 200, formTarget: formTarget(login) };
}
