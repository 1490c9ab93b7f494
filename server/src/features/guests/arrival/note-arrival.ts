import { markArrival } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import type { GuestRequest } from './check-arrival.ts';

const noted = createCache<string, true>({ maxEntries: 20_000, ttlMs: 60_000 });

/** Records that a device sent a guest, and the version of its sign-in page; at most once a minute per device. */
export async function noteArrival(app: App, { context }: GuestRequest, version: string): Promise<void> {
  const key = `${context.device_id} ${version}`;
  if (noted.get(key)) return;
  noted.set(key, true);
  await app.db.withTenant(context.tenantId, tx => markArrival(tx, context.device_id, version));
}
