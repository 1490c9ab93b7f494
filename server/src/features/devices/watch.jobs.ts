import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import * as queries from './watch.queries.ts';

const everySeconds = 15;

export const watchJobs = [{ name: 'watch devices', everyMs: everySeconds * 1000, run: withGracePeriod() }];

/**
 * After a pause of the listener (a start, a database outage) or a clock change, missing packets mean nothing. The pause is
 * measured with a monotonic clock.
 */
const graceMs = 240_000;
function withGracePeriod(): (app: App) => Promise<void> {
  let last = 0;
  let from = 0;
  return app => {
    const now = Date.now();
    if (Math.abs(now - last) > 60_000) from = performance.now() + graceMs;
    last = now;
    return watchDevices(app, performance.now() >= from);
  };
}

/**
 * Finds devices that went offline or came online, and notifies the responsible users. Short absences are not notified.
 */
export async function watchDevices(app: App, mayReportOffline = true): Promise<void> {
  const { offline, online } = await app.db.withSystem(async tx => {
    await queries.setExpectations(tx);
    if (mayReportOffline) await queries.findOffline(tx);
    await queries.findOnline(tx);
    await queries.announceSeen(tx, everySeconds + 5);
    return { offline: await queries.listOffline(tx), online: await queries.listOnline(tx) };
  });
  const changed = [...offline.map(it => ({ it, isOffline: true })), ...online.map(it => ({ it, isOffline: false }))];
  await eachApart(app, changed, ({ it, isOffline }) => notifyAbout(app, it, isOffline));
}

const notifyAbout = (app: App, it: queries.WatchedDevice, offline: boolean): Promise<void> =>
  app.db.withTenant(it.tenant_id, async tx => {
    if (!(await queries.markNotified(tx, it.id, offline))) return;
    await queries.emitEvent(tx, it, offline ? 'device.offline' : 'device.online');
    await notify(tx, {
      kind: offline ? 'device_offline' : 'device_online',
      to: { location: it.location_id, deviceId: it.id },
      data: { device: it.name, location: it.location },
      locationId: it.location_id,
      deviceId: it.id,
    });
  });
