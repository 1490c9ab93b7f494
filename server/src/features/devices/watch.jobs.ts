import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import * as queries from './watch.queries.ts';

const everySeconds = 15;

export const watchJobs = [{ name: 'watch devices', everyMs: everySeconds * 1000, run: patiently() }];

/**
 * After a time in which nobody listened (a start, a database that was away), silence says something about us and not about the
 * routers; and so it does after the clock was put on or back. How long that is, another clock tells.
 */
const graceMs = 240_000;
function patiently(): (app: App) => Promise<void> {
  let last = 0;
  let from = 0;
  return app => {
    const now = Date.now();
    if (Math.abs(now - last) > 60_000) from = performance.now() + graceMs;
    last = now;
    return watchDevices(app, performance.now() >= from);
  };
}

/** Finds out which devices went away and came back, and tells those who look after them; not of every short absence. */
export async function watchDevices(app: App, judging = true): Promise<void> {
  const { gone, back } = await app.db.withSystem(async tx => {
    await queries.expectNews(tx);
    if (judging) await queries.findGone(tx);
    await queries.findBack(tx);
    await queries.tellSeen(tx, everySeconds + 5);
    return { gone: await queries.listGone(tx), back: await queries.listBack(tx) };
  });
  for (const it of gone) await tell(app, it, true);
  for (const it of back) await tell(app, it, false);
}

const tell = (app: App, it: queries.Told, offline: boolean): Promise<void> =>
  app.db.withTenant(it.tenant_id, async tx => {
    if (!(await queries.markTold(tx, it.id, offline))) return;
    if (offline) await queries.emitOffline(tx, it);
    await notify(tx, {
      kind: offline ? 'device_offline' : 'device_online',
      to: { location: it.location_id, permission: 'view-devices', deviceId: it.id },
      data: { device: it.name, location: it.location },
      locationId: it.location_id,
      deviceId: it.id,
    });
  });
