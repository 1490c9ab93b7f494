import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let place: string;
let ids: Record<'profile' | 'paid' | 'portal' | 'shared' | 'device' | 'other', string>;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  place = await api.location(admin, 'Kordon');
  const elsewhere = await api.location(admin, 'Alsancak');
  const make = async (path: string, body: object): Promise<string> =>
    (await api.post(path, { token: admin, body: { location_id: place, ...body } })).body.data.id;
  const brand_id = (await api.get('panel/device/brands', { token: admin })).body.data[0].id;
  const device = (n: number) =>
    make('panel/device', { brand_id, name: `Kapı ${n}`, mac_address: `A1:B2:C3:00:01:0${n}` });
  const sale = { is_active: true, option: 'try', value: 50 };
  ids = {
    profile: await make('panel/location/user-profile', { name: 'Misafir' }),
    paid: await make('panel/location/user-profile', { name: 'Premium', paid_sale: sale }),
    portal: await make('panel/portal', { name: 'Kordon' }),
    shared: await make('panel/portal', { name: 'Hepsi', location_id: null }),
    device: await device(1),
    other: await device(2),
  };
  await make('panel/location/user-profile', { name: 'Başka', location_id: elsewhere });
  await make('panel/portal', { name: 'Başka', location_id: elsewhere });
});

const choicesFor = async (permissions: readonly string[], deviceIds?: readonly string[]) => {
  const member = await api.user('member', { location: place, permissions, ...(deviceIds && { deviceIds }) });
  return { ...(await api.get(`panel/location/${place}/choices`, { token: member.token })), token: member.token };
};
const idsOf = (rows: { id: string }[]) => rows.map(it => it.id).sort();

describe('the choices of the forms of a location', () => {
  test.for([
    [['view-portals', 'update-portals'], ['portal'], []],
    [['view-devices', 'update-devices'], ['portal'], ['device', 'other']],
    [['store-vouchers'], [], []],
    [['view-integrations', 'update-integrations'], [], []],
    [['update-location'], ['portal'], ['device', 'other']],
  ] as const)('%j: session profiles, portals %j, devices %j', async ([permissions, portals, devices]) => {
    const { status, body } = await choicesFor(permissions);
    expect(status).toBe(200);
    expect(body.data.profiles).toEqual([
      { id: ids.paid, name: 'Premium', is_paid: true },
      { id: ids.profile, name: 'Misafir', is_paid: false },
    ]);
    expect(idsOf(body.data.portals)).toEqual(portals.map(key => ids[key]));
    expect(idsOf(body.data.devices)).toEqual(devices.map(key => ids[key]).sort());
  });

  test('are what the location accepts: an administrator may also choose portals of no location', async () => {
    const { body } = await api.get(`panel/location/${place}/choices`, { token: admin });
    expect(idsOf(body.data.portals)).toEqual([ids.portal, ids.shared].sort());
  });

  test('are hidden from members who only view, and from other locations', async () => {
    expect((await choicesFor(['view-devices', 'view-portals', 'view-clients'])).status).toBe(403);
    const neighbour = await api.user('member', { location: await api.location(admin, 'Bornova') });
    expect((await api.get(`panel/location/${place}/choices`, { token: neighbour.token })).status).toBe(404);
  });

  test('name only the devices that a limited member sees', async () => {
    const { body } = await choicesFor(['view-devices', 'update-devices'], [ids.device]);
    expect(idsOf(body.data.devices)).toEqual([ids.device]);
  });

  test('can be saved by a member who may not read session profiles', async () => {
    const { token } = await choicesFor(['view-devices', 'update-devices']);
    expect((await api.get('panel/location/user-profile', { token })).status).toBe(403);
    const network = { name: 'Misafir', start_ip: '10.5.50.0', subnet: '24', profile_id: ids.profile };
    const saved = await api.post(`panel/device/${ids.device}/network`, { token, body: network });
    expect(saved.body.data).toMatchObject({ profile: { id: ids.profile } });
  });
});
