import { quarantineDays } from '@portico/contract/log-sources.ts';
import { tellWebhooks } from '#db/webhook-event.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import { deleteOld, listQuarantinedDevices } from './log-sources.queries.ts';

/** Notifies users who can trust an address. Once a week per device, because any host can send such lines every day. */
export async function notifyQuarantined(app: App): Promise<void> {
  await eachApart(app, await app.db.withSystem(listQuarantinedDevices), async it => {
    const { device_id, device, location_id, address, lines } = it;
    const once = `log_lines_quarantined:${device_id}:${it.week}`;
    await app.db.withTenant(it.tenant_id, async tx => {
      await tellWebhooks(tx, location_id, 'log_source.quarantined', { device_id, name: device, address, lines }, once);
      await notify(tx, {
        kind: 'log_lines_quarantined',
        to: { location: location_id, deviceId: device_id },
        data: { device, lines, address },
        locationId: location_id,
        deviceId: device_id,
        once,
      });
    });
  });
}

export const logSourceJobs = [
  { name: 'notify about quarantined log lines', everyMs: 300_000, run: notifyQuarantined },
  {
    name: 'delete old log sources',
    everyMs: 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(tx => deleteOld(tx, { quarantineDays, retentionDays: app.settings.LOG_RETENTION_DAYS }));
    },
  },
];
