import { tellWebhooks } from '#db/webhook-event.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import * as queries from './certificates.queries.ts';

const warnDays = 30;

export const certificateJobs = [{ name: 'warn of ending certificates', everyMs: 3_600_000, run: notifyExpiring }];

/** Notifies users who can issue a new certificate, once per certificate. */
export async function notifyExpiring(app: App): Promise<void> {
  await eachApart(app, await app.db.withSystem(tx => queries.listExpiring(tx, warnDays)), it =>
    app.db.withTenant(it.tenant_id, async tx => {
      if (!(await queries.markExpiryNotified(tx, it.id))) return;
      const { id, device_id, name, days } = it;
      await tellWebhooks(tx, it.location_id, 'certificate.ending', { id, device_id, name, days });
      await notify(tx, {
        kind: 'certificate_ending',
        to: { location: it.location_id, deviceId: it.device_id },
        data: { device: it.device, certificate: it.name, days: it.days },
        locationId: it.location_id,
        deviceId: it.device_id,
      });
    }),
  );
}
