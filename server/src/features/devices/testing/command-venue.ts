import { openRouterOs, type RouterOs, type RouterOsOptions } from '@portico/simulator/router-os/router-os.ts';
import sql from 'sql-template-tag';
import { afterEach, expect } from 'vitest';
import { type Body, startApi } from '#test/harness.ts';
import { sendRouterCommands } from '../commands.jobs.ts';

export type Protocol = 'rest' | 'api' | 'api-ssl';
export const protocols: readonly Protocol[] = ['rest', 'api', 'api-ssl'];

/** The guest device of the commands. */
export const mac = 'A0:00:00:00:00:01';

/** The address and password of a router. */
export const connection = (router: RouterOs, protocol: Protocol, more: object = {}) => ({
  host: '127.0.0.1',
  port: router.ports[protocol],
  username: 'portico',
  password: 'yönlendirici',
  protocol,
  ...more,
});

export const at = (id: string, rest = '') => `panel/device/${id}${rest}`;

/** The MACs that a router bypasses or blocks. */
export const shown = (router: RouterOs) =>
  router.bindings().map(({ 'mac-address': mac, type, address, disabled }) => ({ mac, type, address, disabled }));

/** A location with simulated routers. */
export async function openCommandVenue() {
  const api = await startApi({ ROUTERS_INSIDE: '1', COA_TIMEOUT: '1' });
  const { token } = await api.user('tenant-admin');
  const location = await api.location(token, 'Otel');
  const list = (await api.get('panel/device/brands', { token })).body.data;
  const brands: Record<string, string> = Object.fromEntries(list.map((brand: Body) => [brand.slug, brand.id]));
  const open: RouterOs[] = [];
  afterEach(async () => {
    for (const router of open.splice(0)) await router.close();
  });

  let made = 0;
  const device = async (more: object = {}, brand = 'mikrotik'): Promise<string> => {
    made += 1;
    const mac_address = brand === 'watchguard' ? `SN${made}` : `02AB000000${String(made).padStart(2, '0')}`;
    const body = { brand_id: brands[brand], name: `Router ${made}`, mac_address, location_id: location, ...more };
    const answer = await api.post('panel/device', { token, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  };
  const commands = async (id: string): Promise<Body[]> => (await api.get(at(id, '/commands'), { token })).body.data;
  return {
    api,
    token,
    location,
    brands,
    device,
    commands,
    latest: async (id: string): Promise<Body> => (await commands(id))[0],
    start: async (options: RouterOsOptions = {}): Promise<RouterOs> => {
      const router = await openRouterOs({ password: 'yönlendirici', ...options });
      open.push(router);
      return router;
    },
    connected: (router: RouterOs, protocol: Protocol = 'rest', more: object = {}) =>
      device({ connection: connection(router, protocol, more) }),
    block: async (id: string, mac: string, type = 'blocked', networks?: string[]): Promise<string> => {
      const answer = await api.post(at(id, '/macs'), { token, body: { mac, type, networks } });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data.id;
    },
    send: () => sendRouterCommands(api.app),
    /** Makes commands that wait for their next attempt due now. */
    pass: (id: string) =>
      api.inTenant(tx =>
        tx.run(
          sql`update router_commands set next_at = now(), sent_at = sent_at - interval '2 minutes' where device_id = ${id}`,
        ),
      ),
  };
}
