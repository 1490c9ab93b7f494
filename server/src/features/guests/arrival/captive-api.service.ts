import { formatMac } from '@portico/contract/mac.ts';
import { notFound } from '#http/app-error.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { ClientInfo } from '../client-info.ts';
import { canGoOn } from '../extend/extend.service.ts';
import type { GuestServices } from '../guest-services.ts';
import { pageLink } from '../guest-views.ts';
import { findOnline } from '../online/online.queries.ts';
import { onlinePath } from '../online/online-link.ts';
import { findClientByIp, knowsAddresses } from './captive-api.queries.ts';
import { wholeMac } from './check-arrival.ts';
import { findRemembered } from './remembered.queries.ts';
import { tokenHashOf } from './remembered.service.ts';

/** The answer of the Captive Portal API (RFC 8908), whose address phones get by DHCP option 114 (RFC 8910). */
interface CaptiveState {
  readonly captive: boolean;
  readonly 'user-portal-url': string;
  readonly 'venue-info-url': string;
  readonly 'seconds-remaining'?: number;
  readonly 'bytes-remaining'?: number;
  readonly 'can-extend-session'?: boolean;
}

/**
 * The guest is identified by its cookie, or by its address if the portal is in the same network. Everyone could put another
 * device's MAC into the query, so a MAC there tells nothing about that device: it only completes the link to the portal. An
 * unknown guest gets 404 and falls back to the phone's own probe. An answer "captive" to a guest who is online would tie the
 * phone to a network that seems to lead nowhere (decision 233).
 */
export async function captiveApi(
  services: GuestServices,
  nas: string,
  asked: { mac: string; ip: string },
  client: ClientInfo,
): Promise<CaptiveState> {
  const { db, settings } = services.app;
  const first = await services.findContext(nas, { mac: '', ip: '' });
  if (!first) throw notFound();
  const { tenantId, device_id, location_id: locationId } = first;
  const { mac, isNear } = await db.withTenant(tenantId, async tx => {
    const tokenHash = tokenHashOf(services.app, locationId, client);
    const [known] = await findRemembered(tx, { locationId, tokenHash, mac: '' });
    if (known) return { mac: known.mac, isNear: true };
    if (!knowsAddresses(first)) return { mac: '', isNear: false };
    const { inside, devices, mac: only } = await findClientByIp(tx, device_id, client.address);
    return { mac: devices === 1 ? (only ?? '') : '', isNear: devices === 1 || (inside && devices === 0) };
  });
  if (!isNear) throw notFound();
  const context = mac ? ((await services.findContext(nas, { mac, ip: asked.ip })) ?? first) : first;
  const session = mac
    ? await db.readTenant(tenantId, tx => findOnline(tx, device_id, { mac, owner: 'proven' }))
    : undefined;
  const origin = captiveOrigin(settings, context.tenant_slug);
  const login = context.driver.signInPage(context) ?? '';
  const named = formatMac(asked.mac);
  const page = `${origin}/w/${nas}`;
  const captive = context.refused !== null || (!session && !context.bypassed);
  const status = `${origin}${onlinePath(nas)}`;
  // A guest whom only the router can identify is sent through the router. The phone shows the link in a window of its own,
  // which may lack the cookie of the visit; so guests who are online get the status page only where the cookie is.
  // Without the router's address, a page without TLS leads through it, and nowhere for guests who are online.
  const portal = !login
    ? captive
      ? `${origin}/o/${nas}`
      : status
    : mac || wholeMac.test(named)
      ? pageLink(page, { mac: mac || named, ip: asked.ip, login, orig: '' }, captive ? '' : 'step=visit').replace(
          /&$/,
          '',
        )
      : `${page}?step=router`;
  return {
    captive,
    'user-portal-url': portal,
    // The portal's bare address knows no guest: it would tell one at the venue to join the network first.
    'venue-info-url': captive ? portal : status,
    ...(!captive && session?.seconds_left != null && { 'seconds-remaining': session.seconds_left }),
    ...(!captive && session?.bytes_left != null && { 'bytes-remaining': session.bytes_left }),
    ...(!captive && { 'can-extend-session': session ? await canGoOn(services, context, session) : false }),
  };
}
