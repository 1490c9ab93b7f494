import type { App } from '#lib/app.ts';
import { findClientByIp, knowsAddresses } from '../arrival/captive-api.queries.ts';
import { shownBlocks } from '../block-views.ts';
import type { ClientInfo } from '../client-info.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import type { GuestContext } from '../guest-context.ts';
import type { Frame } from '../guest-views.ts';
import { findOnline, type OnlineRow } from './online.queries.ts';
import { onlineView, pausedPage, watchPath } from './online-view.ts';

/** The session of the one device that is online under the caller's address. The Captive Portal API trusts it likewise. */
export async function sessionByAddress(
  app: App,
  context: GuestContext,
  client: ClientInfo,
): Promise<OnlineRow | undefined> {
  if (!knowsAddresses(context)) return undefined;
  const { tenantId, device_id: deviceId } = context;
  return app.db.readTenant(tenantId, async tx => {
    const { devices, mac } = await findClientByIp(tx, deviceId, client.address);
    return devices === 1 && mac ? findOnline(tx, deviceId, { mac, owner: 'proven' }) : undefined;
  });
}

/**
 * The status page of a guest whose browser has no cookie, as after a sign-in in the phone's own window. It has time and data
 * only: no name, no own data and no log-out. Undefined where a NAT hides the guest's address from us.
 */
export async function nearGuestPage(
  app: App,
  frame: Frame,
  nas: string,
  context: GuestContext,
  client: ClientInfo,
): Promise<GuestAnswer | undefined> {
  const session = await sessionByAddress(app, context, client);
  if (!session) return undefined;
  if (session.paused) return pausedPage(frame, nas, context);
  const { portal } = context;
  const visit = { nas, mac: '', ip: '', login: '', orig: '' };
  const view = {
    ...onlineView(frame, context, { visit }),
    online: true,
    watch: watchPath(nas, frame.language, session),
    startedAt: session.started_at,
    secondsUsed: session.seconds,
    secondsLeft: session.seconds_left,
    bytesUsed: session.bytes,
    bytesLeft: session.bytes_left,
    buy: null,
    blocks: portal ? shownBlocks(frame.language, { ...context, portal }, 'connected_blocks').blocks : [],
  };
  return { view, status: 200 };
}
