import { recordPast } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';

const days = 14;
const hour = 3_600_000;

interface Device {
  readonly id: string;
  readonly visitors: readonly { readonly username: string }[];
}

/** Creates two weeks of past sessions, through the SQL function that processes accounting. */
export async function makePast(app: App, tenantId: string, devices: readonly Device[]): Promise<void> {
  // A fixed seed gives every demo the same data.
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const visits = devices.flatMap(device =>
    Array.from({ length: days * 6 }, (_, n) => {
      const guest = Math.floor(random() * device.visitors.length);
      const startedAt = Date.now() - (Math.floor(n / 6) + 1) * 24 * hour + random() * 12 * hour;
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
    }),
  );
  await recordPast(app, tenantId, visits);
}
