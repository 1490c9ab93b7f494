import { startRadius } from '../services/radius.ts';
import { afterFile } from './after-file.ts';
import { type Body, startApi } from './harness.ts';
import { freePort } from './process.ts';

/** The visitor of the venue. */
export const ayse = { username: 'ayse', password: 'gizli 1' };

/** Starts the API, RADIUS over UDP and TLS, and a location with a visitor; all stop after the test file. */
export async function startRadiusVenue(more: Record<string, string> = {}, options: { seenEveryMs?: number } = {}) {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const [auth, acct, radsec] = ports.map(String) as [string, string, string];
  const api = await startApi({
    ...{ UDP_HOST: '127.0.0.1', RADIUS_AUTH_PORT: auth, RADIUS_ACCT_PORT: acct, RADSEC_PORT: radsec },
    ...more,
  });
  const { token } = await api.user('tenant-admin');
  const location_id = await api.location(token, 'Otel');
  await api.post('panel/client', { token, body: { location_id, name: 'A', provider_type: 'username', ...ayse } });
  const radius = await startRadius(api.app, options);
  afterFile(() => radius.stop());

  const brands: Body[] = (await api.get('panel/device/brands', { token })).body.data;
  let devices = 0;
  return {
    api,
    token,
    location_id,
    radius,
    /** Adds a device of the given brand. */
    addDevice: async (slug = 'mikrotik'): Promise<Body> => {
      devices += 1;
      const mac_address = slug === 'watchguard' ? `SN${devices}` : `02:00:00:00:01:${10 + devices}`;
      const brand_id = brands.find(brand => brand.slug === slug).id;
      const body = { location_id, brand_id, name: `Lobi ${devices}`, mac_address };
      return (await api.post('panel/device', { token, body })).body.data;
    },
  };
}
