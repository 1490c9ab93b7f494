import pLimit from 'p-limit';
import { openController } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import { asRouterError, type RouterLink } from '#routers/router-control.ts';
import { accountOf, type FollowedDevice, listFollowed } from './controllers.queries.ts';
import { applyAccounting } from './sign-in.queries.ts';

/** So many controllers are asked at once: one that does not answer must not keep the others waiting. */
const atOnce = 20;

/**
 * Asks controllers about the sessions that no router reports: their use, and whether they still run. A session whose controller
 * does not answer stays open until its end. Idempotent.
 */
export async function followControllers(app: App): Promise<void> {
  const devices = await app.db.withSystem(listFollowed);
  await pLimit(atOnce).map(devices, device => follow(app, device));
}

async function follow(app: App, { tenant_id: tenantId, device_id: deviceId }: FollowedDevice): Promise<void> {
  let link: RouterLink | undefined;
  try {
    link = await openController(app, { tenantId, deviceId });
    if (!link) return;
    // A controller that tells nothing of its guests is here because it fails: does it still?
    if (!link.admitted) return void (await link.identify());
    const admissions = await link.admitted();
    await app.db.withSystem(async tx => {
      const rows = await accountOf(tx, { tenantId, deviceId }, admissions);
      if (rows.length) await applyAccounting(tx, rows);
    });
  } catch (error) {
    app.log.info({ device: deviceId, words: asRouterError(error).message }, 'a controller did not tell its guests');
  } finally {
    link?.close();
  }
}
