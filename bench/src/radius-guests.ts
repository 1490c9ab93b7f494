import { randomBytes } from 'node:crypto';
import type { Product } from './product.ts';
import type { Guest } from './radius-packets.ts';

const routers = { name: 'RADIUS', mac: '02:AA', devices: 20, guestsPerDevice: 200, portals: false };

/** A call makes no more visitors. */
const maxAtOnce = 1000;

type Called = { data: { id: string; nas_identifier: string; secret: string } & Record<string, never> };

/** Routers and their guests, made through the API as an operator makes them: each at a location of its own. */
export async function makeGuests(
  product: Pick<Product, 'url' | 'signIn'>,
  tenant: string,
  { name, mac, devices, guestsPerDevice, portals }: typeof routers = routers,
): Promise<Guest[]> {
  const token = await product.signIn(tenant);
  const call = async (path: string, body?: unknown) => {
    const response = await fetch(`${product.url}/v1/panel/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'x-tenant': tenant, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<unknown>;
  };
  const { data: brands } = (await call('device/brands')) as { data: { id: string; slug: string }[] };
  const brand = brands.find(it => it.slug === 'mikrotik')!;
  const limit = { is_active: true, option: 'mbps', value: 8 };
  // A kept folder has the routers of earlier runs.
  const unused = randomBytes(2).toString('hex').toUpperCase().replace(/(..)/, '$1:');
  const guests: Guest[] = [];
  for (let d = 0; d < devices; d++) {
    const { data: location } = (await call('location', { name: `${name} ${d}` })) as Called;
    if (portals) await call('portal', { name: `${name} ${d}`, location_id: location.id });
    const { data: device } = (await call('device', {
      name: `Router ${d}`,
      location_id: location.id,
      brand_id: brand.id,
      mac_address: `${mac}:${unused}:00:${d.toString(16).padStart(2, '0')}`,
    })) as Called;
    const people: { username: string; password: string }[] = [];
    while (people.length < guestsPerDevice) {
      const made = (await call('client/bulk', {
        location_id: location.id,
        name: `Guest ${d}`,
        provider_type: 'username',
        total_user: Math.min(guestsPerDevice - people.length, maxAtOnce),
        username: people.length ? `g${d}x${people.length}y` : `g${d}x`,
        special_profile: true,
        shared_user: 3,
        session_duration: { is_active: true, option: 'hour', value: 4 },
        max_upload: limit,
        max_download: limit,
      })) as { data: { username: string; password: string }[] };
      people.push(...made.data);
    }
    for (const [i, { username, password }] of people.entries()) {
      const number = (d * guestsPerDevice + i).toString(16).padStart(6, '0').toUpperCase();
      guests.push({
        username,
        password,
        mac: `3E:22:FB:${number.replace(/(..)(?!$)/g, '$1:')}`,
        ip: `172.${16 + d}.${i >> 8}.${i & 255}`,
        nas: device.nas_identifier,
        secret: device.secret,
      });
    }
  }
  // Neighbours in the list belong to different routers, like packets that arrive at the same moment.
  return guests.map((_, n) => guests[(n % devices) * guestsPerDevice + Math.floor(n / devices)]!);
}
