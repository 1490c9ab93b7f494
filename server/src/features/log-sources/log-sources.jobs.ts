import { quarantineDays } from '@portico/contract/log-sources.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { forgetOld, listQuarantinedDevices } from './log-sources.queries.ts';

/** Notifies those who can trust an address, once a week per device: a stranger can send lines every day. */
export async function tellOfQuarantined(app: App): Promise<void> {
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
  { name: 'tell of quarantined log lines', everyMs: 300_000, run: tellOfQuarantined },
  {
    name: 'forget old log sources',
    everyMs: 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(tx => forgetOld(tx, { quarantineDays, retentionDays: app.settings.LOG_RETENTION_DAYS }));
    },
  },
];
