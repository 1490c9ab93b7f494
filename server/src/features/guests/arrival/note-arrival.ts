import { markArrival } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import type { Standing } from './check-arrival.ts';

const everyMs = 60_000;
const most = 20_000;
const noted = new Map<string, number>();

/** A router's page has sent a guest: once a minute that is worth a note. */
export async function noteArrival(app: App, { door }: Pick<Standing, 'door'>, version: string): Promise<void> {
  const key = `${door.device_id} ${version}`;
  const now = Date.now();
  if (now - (noted.get(key) ?? 0) < everyMs) return;
  if (noted.size >= most) noted.clear();
  noted.set(key, now);
  await app.db.withTenant(door.tenantId, tx => markArrival(tx, door.device_id, version));
}
