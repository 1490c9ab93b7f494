import type { Tx } from '#db/tenant.ts';
import { tellWebhooks } from '#db/webhook-event.ts';
import { audit } from '#features/audit/public.ts';
import { notify } from '#features/notifications/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import { isLocal } from '#routers/return-address.ts';
import { findDevice } from './devices.queries.ts';
import { acceptHost, countRefusedHost, findNames } from './login-hosts.queries.ts';

const noted = createCache<string, true>({ maxEntries: 20_000, ttlMs: 60_000 });

/**
 * Records at most once a minute that guests of a device came with a host which it has not used. Tells its operators once a
 * day: the host may be another hotspot of the device, or a stranger's.
 */
export async function noteRefusedHost(
  app: App,
  device: { readonly tenantId: string; readonly id: string },
  host: string,
): Promise<void> {
  const key = `${device.id} ${host}`;
  if (noted.get(key)) return;
  noted.set(key, true);
  await app.db.withTenant(device.tenantId, async tx => {
    await countRefusedHost(tx, device.id, host);
    const { name, location_id: locationId } = await findNames(tx, device.id);
    const once = `login_host_refused:${device.id}:${new Date().toISOString().slice(0, 10)}`;
    await tellWebhooks(tx, locationId, 'device.host_refused', { id: device.id, name, host }, once);
    await notify(tx, {
      kind: 'login_host_refused',
      to: { location: locationId, deviceId: device.id },
      data: { device: name, host },
      locationId,
      deviceId: device.id,
      once,
    });
  });
}

/** Guests of the device may be sent to this host from now on. */
export async function acceptLoginHost(tx: Tx, actor: Actor, id: string, host: string): Promise<void> {
  const device = found(await findDevice(tx, actor.reach, id));
  if (!isLocal(host.replace(/^\[|\]$/g, ''))) throw invalid({ host: 'login_host' });
  if (!(await acceptHost(tx, id, host))) throw invalid({ host: 'too_many_hosts' });
  await audit(tx, actor, {
    verb: 'update',
    subject: { type: 'device', id, name: device.name },
    locationId: device.location_id,
    deviceId: id,
    after: { login_host: host },
  });
}
