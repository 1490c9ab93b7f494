import { markArrival, markUnsigned } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';

const noted = createCache<string, true>({ maxEntries: 20_000, ttlMs: 60_000 });

/** Records that a device sent a guest, and the version of its sign-in page; at most once a minute per device. */
export async function noteArrival(app: App, { context }: GuestRequest, version: string): Promise<void> {
  const key = `${context.device_id} ${version}`;
  if (noted.get(key)) return;
  noted.set(key, true);
  await app.db.withTenant(context.tenantId, tx => markArrival(tx, context.device_id, version));
}

/** Records that a guest arrived with a signature that does not fit the device's secret; at most once a minute per device. */
export async function noteUnsigned(app: App, { tenantId, device_id: id }: GuestContext): Promise<void> {
  const key = `${id} unsigned`;
  if (noted.get(key)) return;
  noted.set(key, true);
  await app.db.withTenant(tenantId, tx => markUnsigned(tx, id));
}
