import { formatMac } from '@portico/contract/mac.ts';
import { notFound } from '#http/app-error.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { From } from '../client-info.ts';
import { findCaller, findOnline } from '../guest-context.queries.ts';
import { pageLink } from '../guest-views.ts';
import type { Guests } from './check-arrival.ts';
import { findRemembered } from './remembered.queries.ts';
import { tokenHashOf } from './remembered.service.ts';

/** What a phone is told of its standing (RFC 8908), whose address it got by DHCP option 114. */
interface CaptiveState {
  readonly captive: boolean;
  readonly 'user-portal-url': string;
  readonly 'venue-info-url': string;
  readonly 'seconds-remaining'?: number;
  readonly 'bytes-remaining'?: number;
  readonly 'can-extend-session'?: boolean;
}

const wholeMac = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/;

/**
 * A guest is known by the `mac` (and `ip`) that its router writes into the address; else by its browser's cookie; else by where
 * it calls from, when the portal stands in the same network. An unknown one gets no answer, and finds out by itself as phones do
 * without this: told that it has to sign in while it is online, it would hold its network for one that leads nowhere.
 */
export async function captiveApi(
  guests: Guests,
  nas: string,
  client: { mac: string; ip: string },
  from: From,
): Promise<CaptiveState> {
  const { db, settings } = guests.app;
  const named = formatMac(client.mac);
  const first = await guests.findDoor(nas, { mac: named, ip: client.ip });
  if (!first) throw notFound();
  const { tenantId, device_id, location_id: locationId } = first;
  const mac = wholeMac.test(named)
    ? named
    : await db.withTenant(tenantId, async tx => {
        const tokenHash = tokenHashOf(guests.app, locationId, from);
        const [known] = await findRemembered(tx, { locationId, tokenHash, mac: '' });
        if (known) return known.mac;
        const { inside, devices, mac: alone } = await findCaller(tx, device_id, from.address);
        if (devices > 1 || (!inside && !alone)) throw notFound();
        return alone ?? '';
      });
  const door = mac === named ? first : ((await guests.findDoor(nas, { mac, ip: client.ip })) ?? first);
  const session = mac ? await db.readTenant(tenantId, tx => findOnline(tx, device_id, mac)) : undefined;
  const origin = captiveOrigin(settings, door.tenant_slug);
  const router = door.hotspot_address?.replace(/\/\d+$/, '');
  const login = router ? `http://${router}/login` : '';
  const arrival = { mac, ip: client.ip, login, orig: '' };
  const page = `${origin}/w/${nas}`;
  const captive = door.refused !== null || (!session && !door.bypassed);
  const left = session?.seconds_left;
  return {
    captive,
    // Whom only its router knows is led through that: it stands in its network, as nobody else is told this address.
    'user-portal-url': !login ? page : mac ? pageLink(page, arrival, '').replace(/&$/, '') : `${page}?step=router`,
    'venue-info-url': page,
    ...(!captive && left != null && { 'seconds-remaining': Math.max(0, left) }),
    ...(!captive && session?.bytes_left != null && { 'bytes-remaining': session.bytes_left }),
    // Who is online has nothing to prolong here.
    ...(!captive && { 'can-extend-session': false }),
  };
}
