import { isMadeUpMac } from '@portico/contract/mac.ts';
import type { Provider } from '@portico/contract/portal-providers.ts';
import type { From } from '../client-info.ts';
import { findUnwelcome } from '../guest-context.queries.ts';
import { type Frame, offeredMethods } from '../guest-views.ts';
import { letIn } from '../sign-in/admit.service.ts';
import { agreementVersion, hasAgreed } from '../sign-in/consents.queries.ts';
import { deviceFull } from '../sign-in/device-limit.service.ts';
import { isStandIn } from './anonymous-device.ts';
import { type GuestAnswer, type Guests, type Standing, signInPage } from './check-arrival.ts';
import { findRemembered, type RememberedRow } from './remembered.queries.ts';
import { daySeconds, tokenHashOf } from './remembered.service.ts';

/** Guests who come again and go straight on, where the operator has it so. */

/**
 * Whether what is remembered is of this guest. A cookie is good on the device it was given to, or where both addresses are
 * made up, as a phone's changes now and then, or where its device was not known then. Without a cookie anyone could take another's address: it counts where the
 * operator has it so, and a made-up one for a day only.
 */
function isOf(row: RememberedRow, mac: string, { options }: Provider): boolean {
  if (options.remember === 'off' || row.age > options.remember_days * daySeconds) return false;
  if (row.by_cookie) return row.mac === mac || isStandIn(row.mac) || (isMadeUpMac(row.mac) && isMadeUpMac(mac));
  return options.remember === 'mac' && row.mac === mac && (!isMadeUpMac(mac) || row.age <= daySeconds);
}

/** Sends a guest who was here before back to its router with a ticket; undefined for one who has to sign in. */
export async function letReturn(
  guests: Guests,
  frame: Frame,
  at: Standing,
  from: From,
): Promise<GuestAnswer | undefined> {
  const { app } = guests;
  const { door, state } = at;
  const offered = offeredMethods(door.portal, app.settings).filter(it => it.options.remember !== 'off');
  if (!offered.length) return undefined;
  const known = await app.db.withTenant(door.tenantId, async tx => {
    const tokenHash = tokenHashOf(app, door.location_id, from);
    const rows = await findRemembered(tx, { locationId: door.location_id, tokenHash, mac: state.mac });
    const row = rows.find(it =>
      offered.some(provider => provider.slug === it.provider_slug && isOf(it, state.mac, provider)),
    );
    if (!row) return undefined;
    const visitorId = row.visitor_id;
    // What was agreed to has changed since: it is asked for again.
    const version = agreementVersion(door.portal);
    if (version && !(await hasAgreed(tx, visitorId, version))) return undefined;
    const guest = { visitorId, deviceId: door.device_id, mac: state.mac, ip: state.ip };
    const slug = row.provider_slug as Provider['slug'];
    return { slug, visitorId, byAddress: !row.by_cookie, problem: await findUnwelcome(tx, guest) };
  });
  if (!known) return undefined;
  const { slug, visitorId, byAddress, problem } = known;
  // Free access that is over may begin again: the guest presses the button.
  if (problem === 'expired' && (slug === 'temp' || slug === 'email')) return undefined;
  const guest = { slug, visitorId, email: null, phone: null, agreed: null, byAddress };
  if (!problem) return letIn(guests, frame, at, guest, from);
  // Whoever only names an address may not end that guest's sessions.
  const full = problem === 'over_limit' && !byAddress && (await deviceFull(guests, frame, at, guest));
  return full || signInPage(guests, frame, at, { problem, chosen: slug });
}
