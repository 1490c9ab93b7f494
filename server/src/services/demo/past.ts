import { recordPast } from '#features/sessions/public.ts';
import { addedBefore } from '#features/visitors/public.ts';
import type { App } from '#lib/app.ts';

const days = 14;
/** Four of five visitors come on a day, each once. */
const share = 0.8;
const hour = 3_600_000;
const day = 24 * hour;
/** Türkiye has had no clock changes since 2016. */
const offset = 3 * hour;
/** Hours of the day at which guests arrive, the busy ones more than once. */
const arrivals = [7, 8, 8, 9, 9, 10, 11, 12, 12, 13, 13, 14, 15, 16, 17, 18, 18, 19, 19, 20, 20, 21, 22, 23];

interface Device {
  readonly id: string;
  readonly visitors: readonly { readonly username: string }[];
}

/**
 * Creates two weeks of past sessions, through the SQL function that processes accounting. The visitors are then shown as
 * added before their first session.
 */
export async function makePast(app: App, tenantId: string, devices: readonly Device[]): Promise<void> {
  // A fixed seed gives every demo the same data.
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const now = Date.now();
  const today = Math.floor((now + offset) / day) * day - offset;
  const visits = devices.flatMap(device =>
    Array.from({ length: days * device.visitors.length }, (_, n) => n)
      .filter(() => random() < share)
      .map(n => {
        const guest = n % device.visitors.length;
        const arrival = arrivals[Math.floor(random() * arrivals.length)]! + random();
        const startedAt = today - Math.floor(n / device.visitors.length) * day + arrival * hour;
        const seconds = Math.round(300 + random() ** 2 * 9000);
        return {
          deviceId: device.id,
          username: device.visitors[guest]!.username,
          mac: `A4:83:E7:${[guest, n % 3, device.id.charCodeAt(9)]
            .map(x => (x % 256).toString(16).padStart(2, '0'))
            .join(':')
            .toUpperCase()}`,
          ip: `10.5.50.${10 + guest}`,
          sessionId: `past${n.toString(16)}`,
          startedAt: new Date(startedAt),
          seconds,
          upload: Math.round(seconds * 4000 * random()),
          download: Math.round(seconds * 60_000 * random()),
        };
      })
      .filter(({ startedAt, seconds }) => startedAt.getTime() + seconds * 1000 < now),
  );
  await recordPast(app, tenantId, visits);
  await app.db.withTenant(tenantId, tx => addedBefore(tx, new Date(today - days * day)));
}
