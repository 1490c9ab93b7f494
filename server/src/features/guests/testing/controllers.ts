import { openOmadaController } from '@portico/simulator/controllers/omada.ts';
import { openUnifiController } from '@portico/simulator/controllers/unifi.ts';
import { sessionJobs } from '#features/sessions/public.ts';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { startVenue } from './venue.ts';

export const login = { username: 'portico', password: 'denetleyici 1' };
export const apiKey = 'key-1234567890';

/** A venue with UniFi by account, UniFi by API key and Omada, and the controllers that they connect to. */
export async function startControllers(settings: Readonly<Record<string, string>>) {
  const unifi = await openUnifiController({ ...login, apiKey });
  const omada = await openOmadaController({ name: login.username, password: login.password });
  afterFile(() => Promise.all([unifi.close(), omada.close()]));
  const venue = await startVenue({ ROUTERS_INSIDE: '1', ...settings });
  const brands: Body[] = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const devices: Record<string, Body> = {};
  const add = async (name: string, slug: string, mac: string, connection: object) => {
    const brand_id = brands.find(it => it['slug'] === slug)!['id'];
    const form = { name, brand_id, mac_address: mac, location_id: venue.location, connection };
    devices[name] = await venue.create('panel/device', form);
  };
  const at = { host: '127.0.0.1', port: unifi.port };
  await add('unifi', 'unifi', '94:2a:6f:d0:30:57', { ...at, ...login });
  await add('unifi by key', 'unifi', '94:2a:6f:d0:30:58', { ...at, username: 'api-key', password: apiKey });
  await add('omada', 'omada', '02:00:00:00:40:01', { host: '127.0.0.1', port: omada.port, ...login });
  return { venue, unifi, omada, devices };
}

/** Asks the controllers once, as the job does. */
export const follow = async ({ api }: Awaited<ReturnType<typeof startVenue>>): Promise<void> =>
  sessionJobs.find(it => it.name === 'follow controllers')!.run(api.app);
