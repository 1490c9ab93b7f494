import { quarantineDays } from '@portico/contract/log-sources.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { deleteOld, listQuarantinedDevices } from './log-sources.queries.ts';

/** Notifies users who can trust an address. Once a week per device, because anybody can send such lines every day. */
export async function notifyQuarantined(app: App): Promise<void> {
  for (const it of await app.db.withSystem(listQuarantinedDevices))
    await app.db.withTenant(it.tenant_id, tx =>
      notify(tx, {
        kind: 'log_lines_quarantined',
        to: { location: it.location_id, permission: 'update-devices', deviceId: it.device_id },
        data: { device: it.device, lines: it.lines, address: it.address },
        locationId: it.location_id,
        deviceId: it.device_id,
        once: `log_lines_quarantined:${it.device_id}:${it.week}`,
      }),
    );
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
