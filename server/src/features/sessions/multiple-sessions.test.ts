import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { makeScene, type Scene } from './testing/scene.ts';

const api = await startApi();
const slug = 'venue';
let scene: Scene;
let admin: string;
beforeAll(async () => {
  scene = await makeScene(api.app, await api.tenantId(slug));
  admin = (await api.user('tenant-admin', { tenant: slug })).token;
});
const get = (at: string) => api.get(at, { token: admin, tenant: slug });

describe('a guest device that is blocked from the report of multiple sessions', () => {
  const report = async (mac: string) =>
    (await get(`panel/reports/multiple-sessions?client_mac=${mac}`)).body.data.map(
      (row: { device_id: string; total: number }) => [row.device_id, row.total],
    );
  const block = (device: { id: string }, mac: string, more: object = {}) =>
    api.post(`panel/device/${device.id}/macs`, {
      token: admin,
      tenant: slug,
      body: { mac, comment: 'çoklu oturum tespiti', type: 'blocked', ...more },
    });
  let sessions = 0;
  const online = (mac: string, device = scene.device, ago = 5) =>
    scene.send('start', { session: `m${++sessions}`, mac, device, ago });

  test('disappears from it, even if it moved within the location since the list was loaded', async () => {
    const mac = 'D0:00:00:00:00:01';
    const other = await scene.addDevice();
    await online(mac, scene.device, 60);
    await online(mac, scene.device, 50);
    const [[shown]] = await report(mac);
    expect(shown).toBe(scene.device.id);
    await online(mac, other);
    expect(await report(mac)).toEqual([[other.id, 3]]);
    const total = async () =>
      (await get(`panel/reports/multiple-sessions?per_page=1&client_mac=${mac}`)).body.meta.total;
    expect(await total()).toBe(1);
    expect((await block(scene.device, mac)).status).toBe(201);
    expect(await report(mac)).toEqual([]);
    expect(await total()).toBe(0);
    // A session that the rule did not stop appears again.
    await online(mac, other, 0);
    expect(await report(mac)).toEqual([[other.id, 4]]);
    expect((await block(other, mac)).status).toBe(201);
    expect(await report(mac)).toEqual([]);
  });

  test('has its figures marked if the gateway has not reported them', async () => {
    const mac = 'D0:00:00:00:00:06';
    await online(mac, scene.device, 60);
    await online(mac, scene.device, 50);
    const reported = async () =>
      (await get(`panel/reports/multiple-sessions?client_mac=${mac}`)).body.data[0].figures_reported;
    expect(await reported()).toBe(true);
    await api.app.db.withSystem(tx =>
      tx.run(sql`update online_sessions set acct_session_id = 'unreported-1-x' where client_mac = ${mac}::macaddr`),
    );
    expect(await reported()).toBe(false);
  });

  test('stays in the report of another location', async () => {
    const mac = 'D0:00:00:00:00:02';
    const there = await makeScene(api.app, scene.tenantId);
    for (const [device, ago] of [
      [scene.device, 40],
      [scene.device, 30],
      [there.device, 20],
      [there.device, 10],
    ] as const)
      await online(mac, device, ago);
    expect(await report(mac)).toHaveLength(2);
    await block(scene.device, mac);
    expect(await report(mac)).toEqual([[there.device.id, 2]]);
  });

  test('is disconnected where the rule applies, and where the network of its session is unknown', async () => {
    const mac = 'D0:00:00:00:00:07';
    const body = { name: 'Bahçe', start_ip: '10.78.0.0', subnet: '24' };
    const inside = (await api.post(`panel/device/${scene.device.id}/network`, { token: admin, tenant: slug, body }))
      .body.data.id;
    const outside = (
      await api.post(`panel/device/${scene.device.id}/network`, {
        token: admin,
        tenant: slug,
        body: { ...body, name: 'Teras', start_ip: '10.79.0.0' },
      })
    ).body.data.id;
    await online(mac);
    const disconnected = async (network: string | null, rule: string) => {
      await api.app.db.withSystem(async tx => {
        await tx.run(sql`delete from session_commands where tenant_id = ${scene.tenantId}`);
        await tx.run(sql`delete from mac_rules where mac = ${mac}::macaddr`);
        await tx.run(sql`update online_sessions set network_id = ${network} where client_mac = ${mac}::macaddr`);
      });
      expect((await block(scene.device, mac, { networks: [rule] })).status).toBe(201);
      return (await scene.inTenant(tx => tx.many(sql`select 1 from session_commands where reason = 'blocked'`))).length;
    };
    expect(await disconnected(inside, outside)).toBe(0);
    expect(await disconnected(inside, inside)).toBe(1);
    expect(await disconnected(null, outside)).toBe(1);
  });

  test('disappears if it was already blocked, for some networks or by the list of the location', async () => {
    const [twice, partly, listed] = ['D0:00:00:00:00:03', 'D0:00:00:00:00:04', 'D0:00:00:00:00:05'];
    for (const mac of [twice, partly, listed]) for (const ago of [20, 10]) await online(mac!, scene.device, ago);
    await block(scene.device, twice!);
    const again = await block(scene.device, twice!);
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['mac']]);
    const body = { name: 'Lobi', start_ip: '10.77.0.0', subnet: '24' };
    const network = (await api.post(`panel/device/${scene.device.id}/network`, { token: admin, tenant: slug, body }))
      .body.data.id;
    expect((await block(scene.device, partly!, { networks: [network] })).status).toBe(201);
    const settings = { mac_blacklist: [listed], mac_blacklist_enabled: true };
    await api.put(`panel/location/${scene.locationId}`, { token: admin, tenant: slug, body: settings });
    for (const mac of [twice, partly, listed]) expect(await report(mac!)).toEqual([]);
    await api.put(`panel/location/${scene.locationId}`, {
      token: admin,
      tenant: slug,
      body: { mac_blacklist_enabled: false },
    });
    expect(await report(listed!)).toEqual([[scene.device.id, 2]]);
  });
});
