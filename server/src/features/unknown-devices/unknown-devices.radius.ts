import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import type { RadiusHandlers } from '#radius/types.ts';
import { recordHeard } from './unknown-devices.queries.ts';

/** The handler of devices that are unknown. No screen is told: a stranger must not cause work in browsers. */
export const unknownDeviceHandlers = (app: Pick<App, 'db'>): Required<Pick<RadiusHandlers, 'unknownDevices'>> => ({
  unknownDevices: async heard => {
    const rows = heard.map(it => ({
      tenant_id: it.proxy?.tenantId ?? null,
      proxy_id: it.proxy?.id ?? null,
      source: it.sourceIp,
      network: callerNetwork(it.sourceIp),
      nas_identifier: it.nasIdentifier,
      packets: it.packets,
      first_at: it.firstAt,
      last_at: it.lastAt,
    }));
    await app.db.withSystem(tx => recordHeard(tx, rows));
  },
});
