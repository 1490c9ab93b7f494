import { markArrival } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import type { GuestRequest } from './check-arrival.ts';

const intervalMs = 60_000;
const maxEntries = 20_000;
const notedAt = new Map<string, number>();

/** Records that a device sent a guest, and the version of its sign-in page; at most once a minute per device. */
export async function noteArrival(app: App, { context }: GuestRequest, version: string): Promise<void> {
  const key = `${context.device_id} ${version}`;
  const now = Date.now();
  if (now - (notedAt.get(key) ?? 0) < intervalMs) return;
  if (notedAt.size >= maxEntries) notedAt.clear();
  notedAt.set(key, now);
  await app.db.withTenant(context.tenantId, tx => markArrival(tx, context.device_id, version));
}
