import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let other: string;
let brand: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  other = await api.location(admin, 'Kafe');
  brand = (await api.get('panel/device/brands', { token: admin })).body.data[0].id;
});

let made = 0;
const make = async (): Promise<Body> => {
  const body = {
    brand_id: brand,
    name: 'Lobi',
    mac_address: `0200000000${String(++made + 10)}`,
    location_id: location,
  };
  const answer = await api.post('panel/device', { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const at = (id: string, rest = '') => `panel/device/${id}${rest}`;

test('empty fields of a form count as not set', async () => {
  const device = await make();
  const network = { name: 'Misafir', start_ip: '10.5.50.0', subnet: '24', portal_id: '', profile_id: '' };
  const made = await api.post(at(device.id, '/network'), { token: admin, body: network });
  expect([made.status, made.body.data.portal_id]).toEqual([201, null]);
  const rule = { mac: '020000000099', type: 'blocked', comment: null, networks: null };
  const added = await api.post(at(device.id, '/macs'), { token: admin, body: rule });
  expect([added.status, added.body.data.comment, added.body.data.networks]).toEqual([201, '', []]);
  const empty = { host: '', port: '', username: '', password: '' };
  const changes = { ...device, name: 'Ofis', model_id: '', hotspot_address: '', connection: empty };
  const put = await api.put(at(device.id), { token: admin, body: changes });
  expect([put.status, put.body.data?.name, put.body.data?.connection], put.text).toEqual([200, 'Ofis', null]);
});

test('the address of a hotspot is a host without a port', async () => {
  const device = await make();
  const put = (hotspot_address: string) =>
    api.put(at(device.id), { token: admin, body: { hotspot_address }, language: 'tr' });
  for (const wrong of ['10.5.50.1:80', 'hotspot.lan:8080', 'http://10.5.50.1/login']) {
    const answer = await put(wrong);
    expect([answer.status, answer.body.errors?.hotspot_address], wrong).toEqual([
      422,
      ['Bir alan adı veya IP adresi girin.'],
    ]);
  }
  for (const fine of ['10.5.50.1', 'hotspot.lan', 'fd00::1']) expect((await put(fine)).status, fine).toBe(200);
});

describe('networks', () => {
  test('are created, listed, changed and deleted', async () => {
    const device = await make();
    const profile = (
      await api.post('panel/location/user-profile', { token: admin, body: { name: 'Misafir', location_id: location } })
    ).body.data;
    const made = await api.post(at(device.id, '/network'), {
      token: admin,
      body: { name: 'Misafir', start_ip: '10.5.50.0', subnet: '255.255.255.0', profile_id: profile.id },
    });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      start_ip: '10.5.50.0',
      subnet: '24',
      profile: { name: 'Misafir' },
      portal: null,
    });
    const { id } = made.body.data;
    const changed = await api.put(at(device.id, `/network/${id}`), {
      token: admin,
      body: { name: 'Personel', subnet: '/25' },
    });
    expect(changed.body.data, 'fields that were not sent stay').toMatchObject({
      name: 'Personel',
      start_ip: '10.5.50.0',
      subnet: '25',
      profile: { name: 'Misafir' },
    });
    const cleared = await api.put(at(device.id, `/network/${id}`), { token: admin, body: { profile_id: null } });
    expect(cleared.body.data).toMatchObject({ name: 'Personel', subnet: '25', profile: null });
    expect((await api.get(at(device.id, '/network'), { token: admin })).body).toMatchObject({
      data: [{ id }],
      meta: { total: 1 },
    });
    expect((await api.delete(at(device.id, `/network/${id}`), { token: admin })).status).toBe(204);
    expect((await api.delete(at(device.id, `/network/${id}`), { token: admin })).status).toBe(404);
  });

  test('may be IPv6, with a prefix of IPv6', async () => {
    const device = await make();
    const add = (start_ip: string, subnet: string) =>
      api.post(at(device.id, '/network'), { token: admin, body: { name: `Ağ ${start_ip}`, start_ip, subnet } });
    const made = await add('2001:DB8:0:7::', '/64');
    expect([made.status, made.body.data?.start_ip, made.body.data?.subnet], made.text).toEqual([
      201,
      '2001:db8:0:7::',
      '64',
    ]);
    expect((await add('10.7.0.0', '24')).status, 'no overlap between families').toBe(201);
    expect((await add('2001:db8:0:7:1::', '80')).body.errors).toEqual({
      start_ip: ['This overlaps with the network Ağ 2001:DB8:0:7::.'],
    });
    for (const [start, subnet] of [
      ['10.8.0.0', '64'],
      ['2001:db8:1::', '255.255.255.0'],
      ['2001:db8:1::', '129'],
    ] as const)
      expect(Object.keys((await add(start, subnet)).body.errors), `${start} ${subnet}`).toEqual(['subnet']);
    expect(Object.keys((await add('2001:db8::zz', '64')).body.errors)).toEqual(['start_ip']);
    const { id } = made.body.data;
    const move = await api.put(at(device.id, `/network/${id}`), {
      token: admin,
      body: { start_ip: '10.9.0.0', subnet: '24' },
    });
    expect(move.body.errors).toEqual({ start_ip: ['A network stays IPv4 or IPv6. Add another network instead.'] });
    const rule = { mac: '020000000098', type: 'blocked', networks: [id] };
    const refused = await api.post(at(device.id, '/macs'), { token: admin, body: rule });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['networks']]);
  });

  test('do not overlap within a device, even if created at the same time', async () => {
    const device = await make();
    const body = { name: 'Bir', start_ip: '10.0.0.0', subnet: '16' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post(at(device.id, '/network'), { token: admin, body })),
    );
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 422, 422, 422]);
    const inside = await api.post(at(device.id, '/network'), {
      token: admin,
      body: { name: 'İki', start_ip: '10.0.7.0', subnet: '/24' },
    });
    expect(inside.body.errors.start_ip).toEqual(['This overlaps with the network Bir.']);
    const beside = await api.post(at(device.id, '/network'), {
      token: admin,
      body: { name: 'Üç', start_ip: '10.1.0.0', subnet: '24' },
    });
    expect(beside.status).toBe(201);
    const onto = await api.put(at(device.id, `/network/${beside.body.data.id}`), { token: admin, body });
    expect(onto.body.errors).toHaveProperty('start_ip');
  });

  test.each([
    ['name', { name: '' }],
    ['start_ip', { start_ip: '10.0.0.256' }],
    ['start_ip', { start_ip: '2001:db8::g' }],
    ['subnet', { subnet: '255.0.255.0' }],
    ['subnet', { subnet: 33 }],
    ['subnet', { subnet: 0 }],
    ['subnet', { subnet: '//24' }],
    ['profile_id', { profile_id: '00000000-0000-4000-8000-000000000000' }],
    ['portal_id', { portal_id: '00000000-0000-4000-8000-000000000000' }],
  ])('are refused with bad %s', async (field, more) => {
    const device = await make();
    const body = { name: 'Ağ', start_ip: '10.0.0.0', subnet: '24', ...more };
    const answer = await api.post(at(device.id, '/network'), { token: admin, body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveProperty([field]);
    expect((await api.get(at(device.id, '/network'), { token: admin })).body.meta.total).toBe(0);
  });

  test('do not accept a profile of another location', async () => {
    const device = await make();
    const profile = (
      await api.post('panel/location/user-profile', { token: admin, body: { name: 'Başka', location_id: other } })
    ).body.data;
    const body = { name: 'Ağ', start_ip: '10.0.0.0', subnet: '24', profile_id: profile.id };
    expect((await api.post(at(device.id, '/network'), { token: admin, body })).body.errors).toHaveProperty(
      'profile_id',
    );
  });
});

describe('MAC rules', () => {
  test('are created, found by any part of the MAC, and deleted', async () => {
    const device = await make();
    const made = await api.post(at(device.id, '/macs'), {
      token: admin,
      body: { mac: 'aa-bb-cc-00-11-22', type: 'blocked', comment: 'çoklu oturum tespiti' },
    });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      mac: 'AA:BB:CC:00:11:22',
      type: 'blocked',
      networks: [],
      comment: 'çoklu oturum tespiti',
    });
    await api.post(at(device.id, '/macs'), { token: admin, body: { mac: 'AABBCC334455', type: 'bypassed' } });
    const found = async (query: string) =>
      (await api.get(at(device.id, `/macs?${query}`), { token: admin })).body.data.map((m: Body) => m.mac);
    expect(await found('')).toHaveLength(2);
    expect(await found('type=blocked')).toEqual(['AA:BB:CC:00:11:22']);
    expect(await found('mac=C0:01')).toEqual(['AA:BB:CC:00:11:22']);
    expect(await found('mac=34')).toEqual(['AA:BB:CC:33:44:55']);
    const again = await api.post(at(device.id, '/macs'), {
      token: admin,
      body: { mac: 'AA:BB:CC:00:11:22', type: 'blocked' },
    });
    expect([again.status, again.body.errors]).toEqual([422, { mac: ['This MAC is already in the list.'] }]);
    expect((await api.delete(at(device.id, `/macs/${made.body.data.id}`), { token: admin })).status).toBe(204);
    expect((await api.delete(at(device.id, `/macs/${made.body.data.id}`), { token: admin })).status).toBe(404);
  });

  test('show the manufacturer of the MAC if it is known', async () => {
    const device = await make();
    const added = async (mac: string) =>
      (await api.post(at(device.id, '/macs'), { token: admin, body: { mac, type: 'blocked' } })).body.data.vendor;
    expect(await added('F0:18:98:11:22:33')).toBe('Apple, Inc.');
    expect(await added('F2:18:98:11:22:33'), 'locally administered').toBeNull();
    expect(await added('FC:FF:FF:FF:FF:FF'), 'not assigned').toBeNull();
    const rows: Body[] = (await api.get(at(device.id, '/macs'), { token: admin })).body.data;
    expect(rows.map(it => it['vendor'])).toEqual([null, null, 'Apple, Inc.']);
  });

  test('refer only to networks of their own device, and lose a deleted one', async () => {
    const device = await make();
    const network = async (id: string, ip: string) =>
      (await api.post(at(id, '/network'), { token: admin, body: { name: ip, start_ip: ip, subnet: 24 } })).body.data.id;
    const [a, b] = [await network(device.id, '10.0.1.0'), await network(device.id, '10.0.2.0')];
    const strange = await network((await make()).id, '10.0.1.0');
    const rule = (networks: string[], mac: string) =>
      api.post(at(device.id, '/macs'), { token: admin, body: { mac, type: 'blocked', networks } });
    expect((await rule([strange], '020000000001')).body.errors).toHaveProperty('networks');
    await rule([a], '020000000002');
    await rule([a, b], '020000000003');
    await api.delete(at(device.id, `/network/${a}`), { token: admin });
    expect((await api.get(at(device.id, '/macs'), { token: admin })).body.data).toMatchObject([
      { mac: '02:00:00:00:00:03', networks: [b] },
    ]);
  });

  test('warn when the other list of the device has the same MAC', async () => {
    const device = await make();
    const add = async (type: string, language: 'tr' | 'en' = 'en') =>
      (await api.post(at(device.id, '/macs'), { token: admin, body: { mac: '020000000008', type }, language })).body;
    expect((await add('bypassed')).warnings).toEqual([]);
    expect((await add('blocked')).warnings).toEqual(['This MAC is also allowed. The block wins.']);
    const { data } = (await api.get(at(device.id, '/macs?type=bypassed'), { token: admin })).body;
    await api.delete(at(device.id, `/macs/${data[0].id}`), { token: admin });
    expect((await add('bypassed', 'tr')).warnings).toEqual([
      'Bu MAC engellenenler arasında da var. Engel her zaman geçerli olur.',
    ]);
  });

  test('apply to all networks if none are sent; an empty list is refused', async () => {
    const device = await make();
    const add = (more: object) =>
      api.post(at(device.id, '/macs'), { token: admin, body: { mac: '020000000007', type: 'blocked', ...more } });
    await api.post(at(device.id, '/network'), {
      token: admin,
      body: { name: 'Misafir', start_ip: '10.0.1.0', subnet: 24 },
    });
    const empty = await add({ networks: [] });
    expect([empty.status, empty.body.errors]).toEqual([
      422,
      { networks: ['Choose at least one network, or leave this out for every network.'] },
    ]);
    expect((await api.get(at(device.id, '/macs'), { token: admin })).body.data).toEqual([]);
    expect((await add({})).body.data.networks).toEqual([]);
  });

  test('are refused if they are malformed', async () => {
    const device = await make();
    const errors = async (body: object) => (await api.post(at(device.id, '/macs'), { token: admin, body })).body.errors;
    expect(await errors({ mac: 'zz', type: 'blocked' })).toHaveProperty('mac');
    expect(await errors({ mac: '020000000001', type: 'other' })).toHaveProperty('type');
    expect(await errors({ mac: '020000000001', type: 'blocked', comment: 'x'.repeat(256) })).toHaveProperty('comment');
    expect((await api.get(at(device.id, '/macs'), { token: admin })).body.meta.total).toBe(0);
  });
});

test('a rule that is added while its network is deleted refers to no missing network', async () => {
  const device = await make();
  for (let i = 0; i < 12; i += 1) {
    const body = { name: 'Misafir', start_ip: `10.60.${i}.0`, subnet: '24' };
    const network = (await api.post(at(device.id, '/network'), { token: admin, body })).body.data.id;
    const rule = { mac: `02000000010${i.toString(16)}`, type: 'blocked', networks: [network] };
    const [added, gone] = await Promise.all([
      api.post(at(device.id, '/macs'), { token: admin, body: rule }),
      api.delete(at(device.id, `/network/${network}`), { token: admin }),
    ]);
    expect(gone.status).toBe(204);
    // Either the rule was added first and deleted with its network, or the network did not exist any more.
    expect([201, 422]).toContain(added.status);
  }
  expect((await api.get(at(device.id, '/macs'), { token: admin })).body.data).toEqual([]);
});
