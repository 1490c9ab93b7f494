import { permissions } from '@portico/contract/permissions.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

type Person = { id: string; email: string; token: string };
let api: TestApi;
let admin: string;
let brand: string;
let location: string;
let manager: Person;
let devices: string[];
let macs = 0;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  brand = (await api.get('panel/device/brands', { token: admin })).body.data[0].id;
});
beforeEach(async () => {
  location = await make('Otel Mavi');
  manager = await api.user('member', { location });
  devices = [await device(location), await device(location)];
});

const make = (name: string, token = admin) => api.location(token, name);
async function device(at: string): Promise<string> {
  const mac_address = (++macs).toString(16).padStart(12, '0');
  const body = { brand_id: brand, mac_address, name: `Cihaz ${macs}`, location_id: at };
  return (await api.post('panel/device', { token: admin, body })).body.data.id;
}
const at = (user: string, place = location) => `panel/location/${place}/user/${user}`;
const change = (who: Person, by: Person | string, body: object) =>
  api.put(at(who.id), { token: typeof by === 'string' ? by : by.token, body });

describe('administrators of a location', () => {
  test('are listed with what they may do', async () => {
    const desk = await api.user('member', {
      location,
      permissions: ['view-clients', 'store-clients'],
      deviceIds: [devices[0]!],
    });
    const list = await api.get(`panel/location/${location}/user`, { token: manager.token });
    expect(list.status).toBe(200);
    expect(list.body.meta.total).toBe(2);
    expect(list.body.data.find((m: { id: string }) => m.id === desk.id)).toMatchObject({
      email: desk.email,
      full_name: expect.stringContaining('Test User'),
      token: null,
      deviceIds: [devices[0]],
      permissions: { clients: ['view', 'store'], devices: [], 'basic-stats': [] },
      roles: [],
      is_owner: false,
    });
    const found = await api.get(`panel/location/${location}/user?search=${desk.email}`, { token: manager.token });
    expect(found.body.meta.total).toBe(1);
    const auditor = await api.user('auditor');
    expect((await api.get(`panel/location/${location}/user`, { token: auditor.token })).status).toBe(200);
    expect((await api.get(`panel/location/${location}/user`, { token: desk.token })).status).toBe(403);
  });

  test('see no device once those they were limited to are deleted, whatever else is changed of them', async () => {
    const desk = await api.user('member', { location, deviceIds: [devices[0]!] });
    expect((await api.delete(`panel/device/${devices[0]}`, { token: admin })).status).toBe(204);
    const seen = async () => (await api.get('panel/device', { token: desk.token })).body.data.map((d: Body) => d.id);
    const as = (body: object) => change(desk, manager, { permissions: { devices: ['view'] }, ...body });
    for (const body of [{}, { deviceIds: [] }]) {
      expect((await as(body)).body.data.deviceIds).toEqual([]);
      expect(await seen()).toEqual([]);
    }
    expect((await as({ deviceIds: [devices[1]] })).body.data.deviceIds).toEqual([devices[1]]);
    expect((await as({ deviceIds: [] })).body.errors).toEqual({
      deviceIds: ['Choose at least one device, or leave this out for every device.'],
    });
    expect((await as({ deviceIds: null })).body.data.deviceIds).toBeNull();
    expect(await seen()).toEqual([devices[1]]);
  });

  test('invited for a device that is deleted meanwhile are limited to none', async () => {
    const body = { email: 'bekleyen@example.com', deviceIds: [devices[0]], permissions: { devices: ['view'] } };
    const asked = await api.post(`panel/location/${location}/user`, { token: manager.token, body });
    expect(asked.body.data.deviceIds).toEqual([devices[0]]);
    expect((await api.delete(`panel/device/${devices[0]}`, { token: admin })).status).toBe(204);
    const waiting = (await api.get(`panel/location/${location}/invites`, { token: manager.token })).body.data;
    expect(waiting.map((it: Body) => it.deviceIds)).toEqual([[]]);
  });

  test('are given other permissions, which are in force at once', async () => {
    const desk = await api.user('member', { location, permissions: ['view-clients'] });
    expect((await api.get('panel/device', { token: desk.token })).status).toBe(403);
    const changed = await change(desk, manager, {
      permissions: { devices: ['view'], clients: ['view'] },
      deviceIds: [devices[1]],
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      permissions: { devices: ['view'], clients: ['view'], portals: [] },
      deviceIds: [devices[1]],
    });
    const seen = (await api.get('panel/device', { token: desk.token })).body.data;
    expect(seen.map((d: { id: string }) => d.id)).toEqual([devices[1]]);
    const roles = (await api.get('panel/location/roles', { token: manager.token })).body.data;
    const technician = roles.find((r: { name: string }) => r.name === 'Technician');
    const byRole = await change(desk, manager, { roleIds: [technician.id] });
    expect(byRole.body.data).toMatchObject({ roles: [{ name: 'Technician' }], deviceIds: [devices[1]] });
    const misspelt = await change(desk, manager, { permissions: { device: ['view'] } });
    expect([misspelt.status, Object.keys(misspelt.body.errors)]).toEqual([422, ['permissions.device']]);
    expect(byRole.body.data.permissions).toEqual(technician.permissions);
    // Document 2 forces the basic statistics in a change. Who does not hold them cannot grant them.
    const bare = await change(desk, manager, { permissions: { devices: ['view'], clients: [], 'basic-stats': [] } });
    expect(bare.body.data.permissions).toMatchObject({ devices: ['view'], 'basic-stats': ['view'], clients: [] });
    expect((await api.get('panel/statistics/overview', { token: desk.token })).status).toBe(200);
    const lead = await api.user('member', {
      location,
      permissions: ['update-location', 'view-location', 'view-devices'],
    });
    const poor = await api.user('member', { location, permissions: [] });
    const given = await change(poor, lead, { permissions: ['view-devices'] });
    expect(given.body.data.permissions).toMatchObject({ devices: ['view'], 'basic-stats': [] });
    const me = await api.get('panel/user/me', { token: desk.token, language: 'tr' });
    expect(me.body.data).toMatchObject({ roles: [{ name: 'Teknisyen' }], deviceIds: [devices[1]] });
  });

  test('keep the scopes that a change does not send', async () => {
    const held = ['view-clients', 'view-portals', 'store-vouchers', 'view-identity', 'update-location'];
    const desk = await api.user('member', { location, permissions: held });
    const some = await change(desk, manager, { permissions: { clients: ['view', 'store'], portals: [] } });
    expect(some.body.data.permissions).toEqual({
      ...{ devices: [], portals: [], integrations: [], clients: ['view', 'store'], 'basic-stats': ['view'] },
      ...{ vouchers: ['store'], location: ['update'], identity: ['view'] },
    });
    const none = await change(desk, manager, { permissions: {} });
    expect(none.body.data.permissions).toEqual(some.body.data.permissions);
    // A client of the documents knows no scope of the location, and must be able to take it away.
    const documented = { devices: ['view'], portals: [], clients: ['view'], integrations: [], 'basic-stats': ['view'] };
    const narrowed = await change(desk, manager, { permissions: documented });
    expect(narrowed.body.data.permissions).toEqual({
      ...documented,
      ...{ vouchers: ['store'], location: [], identity: ['view'] },
    });
    const listed = await change(desk, manager, { permissions: ['view-devices'] });
    expect(listed.body.data.permissions).toMatchObject({ devices: ['view'], clients: [], vouchers: [], identity: [] });
  });

  test('also by the call that names only the user, in the active team', async () => {
    const desk = await api.user('member', { location, permissions: ['view-clients'] });
    const body = { id: desk.id, email: desk.email, deviceIds: [devices[0]], permissions: ['view-devices'] };
    const answer = await api.put(`panel/user/team/device/${desk.id}`, { token: manager.token, body });
    expect(answer.body.data).toMatchObject({ deviceIds: [devices[0]], permissions: { devices: ['view'] } });
    const other = await api.put(`panel/user/team/device/${desk.id}`, {
      token: manager.token,
      body: { ...body, email: 'other@example.com', permissions: [] },
    });
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['email']]);
    const listed = (await api.get(`panel/location/${location}/user?search=${desk.email}`, { token: admin })).body.data;
    expect(listed[0].permissions).toMatchObject({ devices: ['view'] });
    const stranger = await api.user('member', { location: await make('Başka') });
    expect((await api.put(`panel/user/team/device/${stranger.id}`, { token: manager.token, body })).status).toBe(404);
  });

  test('also by that call without an active team: in the only location, or in the one of the devices', async () => {
    const desk = await api.user('member', { location, permissions: ['view-clients'] });
    const put = (id: string, body: object, token = admin) => api.put(`panel/user/team/device/${id}`, { token, body });
    const alone = await put(desk.id, { permissions: ['view-devices'], deviceIds: [devices[0]] });
    expect(alone.body.data).toMatchObject({ deviceIds: [devices[0]], permissions: { devices: ['view'], clients: [] } });
    const second = await make('Şube');
    await api.post(`panel/location/${second}/user`, { token: admin, body: { email: desk.email } });
    const { id } = (await api.get('panel/user/invites', { token: desk.token })).body.data[0];
    await api.post(`panel/user/invite/accept/${id}`, { token: desk.token });
    expect((await put(desk.id, { permissions: ['view-portals'] })).body.errors).toEqual({
      location_id: ['Choose a location first.'],
    });
    const changed = await put(desk.id, { permissions: ['view-portals'], deviceIds: [devices[1]] });
    expect(changed.body.data).toMatchObject({ deviceIds: [devices[1]], permissions: { portals: ['view'] } });
    const reseller = await api.user('reseller');
    expect((await put(desk.id, { permissions: [] }, reseller.token)).status).toBe(404);
    expect((await put(reseller.id, { permissions: [] })).status).toBe(404);
  });

  test('are revoked, and see nothing of the location from then on', async () => {
    const second = await make('İkinci');
    const desk = await api.user('member', { location });
    await api.post(`panel/location/${second}/user`, { token: admin, body: { email: desk.email } });
    const { id } = (await api.get('panel/user/invites', { token: desk.token })).body.data[0];
    await api.post(`panel/user/invite/accept/${id}`, { token: desk.token });
    expect((await api.delete(at(desk.id), { token: manager.token })).status).toBe(204);
    expect((await api.delete(at(desk.id), { token: manager.token })).status).toBe(404);
    const me = (await api.get('panel/user/me', { token: desk.token })).body.data;
    expect(me).toMatchObject({ active_location: { id: second }, locations: [{ id: second }], total_devices: 0 });
    expect((await api.get(`panel/location/${location}`, { token: desk.token })).status).toBe(404);
    await api.delete(at(desk.id, second), { token: admin });
    const nowhere = (await api.get('panel/user/me', { token: desk.token })).body.data;
    expect(nowhere).toMatchObject({ active_location: null, permissions: [], locations: [] });
  });

  test('a manager grants only what they hold', async () => {
    const half = await api.user('member', {
      location,
      permissions: ['update-location', 'view-clients', 'view-devices'],
    });
    const desk = await api.user('member', { location, permissions: ['view-clients'] });
    const beyond = await change(desk, half, { permissions: ['delete-devices'] });
    expect(beyond.status).toBe(422);
    expect(beyond.body.errors).toHaveProperty('permissions');
    expect((await change(half, half, { permissions })).status).toBe(422);
    expect((await change(desk, half, { permissions: ['view-devices'] })).status).toBe(200);
    for (const answer of [
      await change(manager, half, { permissions: [] }),
      await api.delete(at(manager.id), { token: half.token }),
    ])
      expect(answer.body.code).toBe('outranked');
  });

  test('a manager limited to devices grants within them only', async () => {
    const limited = await api.user('member', { location, deviceIds: [devices[0]!] });
    const desk = await api.user('member', { location, permissions: ['view-devices'], deviceIds: [devices[0]!] });
    expect((await change(desk, limited, { deviceIds: [devices[1]] })).body.errors).toHaveProperty('deviceIds');
    expect((await change(desk, limited, { deviceIds: null })).body.data.deviceIds).toEqual([devices[0]]);
    expect((await change(desk, limited, { deviceIds: [] })).body.errors).toHaveProperty('deviceIds');
    const invited = await api.post(`panel/location/${location}/user`, {
      token: limited.token,
      body: { email: 'limited@example.com' },
    });
    expect(invited.body.data.deviceIds).toEqual([devices[0]]);
    expect((await change(manager, limited, { permissions: [] })).body.code).toBe('outranked');
  });

  test('devices of another location do not exist for them', async () => {
    const desk = await api.user('member', { location, permissions: ['view-devices'] });
    const foreign = await device(await make('Başka'));
    expect((await change(desk, manager, { deviceIds: [foreign] })).body.errors).toEqual({
      deviceIds: ['This does not exist.'],
    });
  });

  test('the last manager cannot be removed, neither by two at once nor by themselves', async () => {
    const email = 'owner@example.com';
    const body = {
      first_name: 'A',
      last_name: 'B',
      location_name: 'Tek',
      email,
      phone_number: '+905301112233',
      password: 'kahve-fincanı-7',
    };
    await api.post('user/register', { body });
    const owner = (await api.post('user/login', { body: { email, password: 'kahve-fincanı-7' } })).body.data;
    const place = owner.user.active_location.id;
    expect((await api.delete(at(owner.user.id, place), { token: owner.token })).body.code).toBe('last_manager');
    expect((await api.delete(at(owner.user.id, place), { token: admin })).body.code).toBe('last_manager');
    const less = await api.put(at(owner.user.id, place), {
      token: owner.token,
      body: { permissions: ['view-clients'] },
    });
    expect(less.body.code).toBe('last_manager');
    const second = await api.user('member', { location: place });
    expect((await api.delete(at(owner.user.id, place), { token: second.token })).body.code).toBe('outranked');
    const both = await Promise.all([
      api.delete(at(owner.user.id, place), { token: owner.token }),
      api.delete(at(second.id, place), { token: second.token }),
    ]);
    expect(both.map(it => it.status).sort()).toEqual([204, 409]);
  });

  test("administrators revoke the last manager of a location that is the tenant's own", async () => {
    const leaving = await api.user('tenant-admin');
    const place = await make('Devredilen', leaving.token);
    const manager = await api.user('member', { location: place });
    expect((await api.delete(`panel/tenant/users/${leaving.id}`, { token: admin })).status).toBe(204);
    const less = await api.put(at(manager.id, place), { token: admin, body: { permissions: ['view-clients'] } });
    expect(less.status, less.text).toBe(200);
    expect((await api.delete(at(manager.id, place), { token: admin })).status).toBe(204);
    expect((await api.get('panel/device', { token: manager.token })).status).toBe(403);
  });

  test('a reseller hands a location over and still manages it', async () => {
    const reseller = await api.user('reseller');
    const place = await make('Müşteri', reseller.token);
    const customer = await api.user('member', { location: await make('Eski') });
    await api.post(`panel/location/${place}/user`, { token: reseller.token, body: { email: customer.email } });
    const { id } = (await api.get('panel/user/invites', { token: customer.token })).body.data[0];
    await api.post(`panel/user/invite/accept/${id}`, { token: customer.token });
    expect((await api.get(`panel/location/${place}/user`, { token: reseller.token })).body.meta.total).toBe(1);
    expect((await api.delete(at(customer.id, place), { token: reseller.token })).status).toBe(204);
    expect((await api.get(`panel/location/${location}/user`, { token: reseller.token })).status).toBe(404);
  });

  test('are closed to strangers', async () => {
    const viewer = await api.user('member', { location, permissions: ['view-devices'] });
    const neighbour = await api.user('member', { location: await make('Komşu') });
    const foreign = await api.user('tenant-admin', { tenant: 'elsewhere' });
    for (const [token, tenant, status] of [
      [undefined, 'panel', 401],
      [viewer.token, 'panel', 403],
      [neighbour.token, 'panel', 404],
      [foreign.token, 'elsewhere', 404],
      [foreign.token, 'panel', 401],
    ] as const) {
      const options = { tenant, ...(token ? { token } : {}) };
      expect((await api.get(`panel/location/${location}/user`, options)).status).toBe(status);
      expect((await api.put(at(manager.id), { ...options, body: { permissions: [] } })).status).toBe(status);
      expect((await api.delete(at(manager.id), options)).status).toBe(status);
    }
    expect((await api.get('panel/user/me', { token: manager.token })).body.data.permissions).toHaveLength(
      permissions.length,
    );
    const bad = await change(manager, admin, { permissions: ['fly-devices'] });
    expect(bad.status).toBe(422);
  });

  test('changes and revocations are written down', async () => {
    const desk = await api.user('member', { location, permissions: ['view-clients'] });
    await change(desk, manager, { permissions: ['view-devices'] });
    await change(desk, manager, { permissions: ['view-devices'] });
    await api.delete(at(desk.id), { token: manager.token });
    const log = (await api.get('panel/audit?subject_type=member', { token: manager.token })).body.data;
    expect(log.map((it: { verb: string }) => it.verb)).toEqual(['revoke', 'grant']);
    expect(log[1]).toMatchObject({
      user: { email: manager.email },
      ip: '127.0.0.1',
      subject: { type: 'member', id: desk.id, name: desk.email },
      location: { id: location, name: 'Otel Mavi' },
      before: { permissions: ['view-clients'] },
      after: { permissions: ['view-devices', 'view-basic-stats'] },
    });
  });
});
