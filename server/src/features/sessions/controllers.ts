import { openController } from '#features/devices/public.ts';
import type { App } from '#lib/app.ts';
import { asRouterError, type RouterLink } from '#routers/router-control.ts';
import { accountOf, listFollowed } from './controllers.queries.ts';
import { applyAccounting } from './sign-in.queries.ts';

/**
 * Asks controllers about the sessions that nobody reports: their use, and whether they still run. A session whose controller
 * does not answer stays open until its end. Idempotent.
 */
export async function followControllers(app: App): Promise<void> {
  const devices = await app.db.withSystem(listFollowed);
  for (const { tenant_id: tenantId, device_id: deviceId } of devices) {
    let link: RouterLink | undefined;
    try {
      link = await openController(app, { tenantId, deviceId });
      const guests = await link?.admitted?.();
      if (!guests) continue;
      await app.db.withSystem(async tx => {
        const rows = await accountOf(tx, { tenantId, deviceId }, guests);
        if (rows.length) await applyAccounting(tx, rows);
      });
    } catch (error) {
      app.log.info({ device: deviceId, words: asRouterError(error).message }, 'a controller did not tell its guests');
    } finally {
      link?.close();
    }
  }
}
