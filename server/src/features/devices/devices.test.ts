import { permissions } from '@portico/contract/permissions.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let other: string;
let brands: Record<string, string>;
beforeAll(async () => {
  api = await startApi({ CAPTIVE_URL: 'http://{tenant}.guest.example.com', PUBLIC_URL: 'https://panel.example.com' });
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  other = await api.location(admin, 'Kafe');
  const list = (await api.get('panel/device/brands', { token: admin })).body.data;
  brands = Object.fromEntries(list.map((brand: { slug: string; id: string }) => [brand.slug, brand.id]));
});

let macs = 0;
const freshMac = () => `02:00:00:00:00:${String(++macs + 10)}`;
const form = (more: object = {}) => ({
  brand_id: brands['mikrotik'],
  name: 'Lobi',
  mac_address: freshMac(),
  location_id: location,
  ...more,
});
const make = async (more: object = {}): Promise<Body> => {
  const answer = await api.post('panel/device', { token: admin, body: form(more) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const at = (id: string, rest = '') => `panel/device/${id}${rest}`;
const count = async () => (await api.inTenant(tx => tx.one<{ n: number }>(sql`select count(*) as n from devices`))).n;

describe('devices', () => {
  test('are created, read, listed, changed and deleted', async () => {
    const device = await make({ mac_address: 'a1-b2.c3d4 e5f6', secret: '' });
    expect(device).toMatchObject({
      name: 'Lobi',
      mac_address: 'A1:B2:C3:D4:E5:F6',
      serial_number: null,
      brand: { slug: 'mikrotik', guides: [{ slug: 'mikrotik' }] },
      location: { id: location, name: 'Otel' },
      status: 'offline',
      last_seen_at: null,
      is_trial: true,
      trial_day: 15,
      trial_remain: 15,
      license_remain: 0,
      hotspot_status: true,
      has_mikrolink_subscription: true,
      radius: { host: 'panel.example.com', auth_port: 1812, acct_port: 1813 },
      portal_url: `http://panel.guest.example.com/w/${device.nas_identifier}`,
      connection: null,
    });
    expect(device.nas_identifier).toMatch(/^[a-z0-9]{12}$/);
    expect(device.secret).toMatch(/^[a-z0-9]{32}$/);
    expect((await api.get(at(device.id), { token: admin })).body.data).toEqual(device);

    const changed = await api.put(at(device.id), { token: admin, body: { name: 'Havuz', logging_enabled: false } });
    expect(changed.body.data).toMatchObject({
      name: 'Havuz',
      logging_enabled: false,
      mac_address: device.mac_address,
      secret: device.secret,
    });

    const listed = (await api.get('panel/device?search=a1b2c3', { token: admin })).body;
    expect(listed).toMatchObject({ data: [{ id: device.id, name: 'Havuz' }], meta: { total: 1 } });
    expect(listed.data[0]).not.toHaveProperty('secret');
    expect((await api.delete(at(device.id), { token: admin })).status).toBe(204);
    expect((await api.get(at(device.id), { token: admin })).status).toBe(404);
  });

  test('of a brand with serial numbers accept a serial number and the secret of the wizard', async () => {
    const secret = 'S3cret-made-for-the-wizard_01';
    const device = await make({ brand_id: brands['watchguard'], mac_address: ' FBX-70ab12cd ', secret });
    expect(device).toMatchObject({
      mac_address: 'FBX-70ab12cd',
      serial_number: 'FBX-70ab12cd',
      secret,
      portal_url: 'http://panel.guest.example.com/wg',
    });
    const quoted = await api.post('panel/device', {
      token: admin,
      body: form({
        brand_id: brands['watchguard'],
        mac_address: 'FBX-2',
        secret: 'with "quotes" and $(dollars) in it',
      }),
    });
    expect(quoted.body.errors).toHaveProperty('secret');
  });

  test('of any brand accept a secret', async () => {
    const secret = 'Typed_by-hand-1234';
    expect((await make({ secret })).secret).toBe(secret);
    const before = await count();
    for (const wrong of ['short', 'with a space', 'x'.repeat(65)]) {
      const answer = await api.post('panel/device', { token: admin, body: form({ secret: wrong }), language: 'tr' });
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { secret: ['8 ile 64 arasında harf, rakam, tire veya alt çizgi kullanın.'] },
      ]);
    }
    expect(await count()).toBe(before);
  });

  test('take a changed secret in an update, and keep it otherwise', async () => {
    const device = await make();
    const change = (body: object) => api.put(at(device.id), { token: admin, body, language: 'tr' });
    for (const body of [{ name: 'Lobi' }, { secret: '' }, { secret: null }, { secret: device.secret }])
      expect((await change(body)).body.data.secret, JSON.stringify(body)).toBe(device.secret);
    for (const secret of ['short', 'ş'.repeat(10), 'x'.repeat(65)])
      expect((await change({ secret })).body.errors).toEqual({
        secret: ['8 ile 64 arasında harf, rakam, tire veya alt çizgi kullanın.'],
      });
    expect((await change({ secret: 'Typed_by-hand-5678' })).body.data.secret).toBe('Typed_by-hand-5678');
    const [entry] = (await api.get(`panel/audit?subject_id=${device.id}&verb=update`, { token: admin })).body.data;
    expect(Object.keys(entry.after)).toEqual(['secret']);
    expect(JSON.stringify(entry)).not.toContain('Typed_by-hand-5678');
  });

  test('do not change the default profile of a location if a later device has a profile', async () => {
    const place = await api.location(admin, 'Varsayılan');
    const first = await make({ location_id: place, user_profile: { name: 'Bir' } });
    const second = await make({ location_id: place, user_profile: { name: 'İki' } });
    expect([first, second].map(it => it['user_profile'].name)).toEqual(['Bir', 'Bir']);
    const profiles = (await api.get(`panel/location/user-profile?location_id=${place}`, { token: admin })).body.data;
    expect(profiles.map((it: Body) => [it['name'], it['is_default']])).toEqual([
      ['İki', false],
      ['Bir', true],
    ]);
  });

  test('create a session profile for the location during setup', async () => {
    const place = await api.location(admin, 'Yeni');
    const device = await make({
      location_id: place,
      user_profile: {
        name: 'Standart User Profile',
        shared_user: 3,
        max_upload: { is_active: true, option: 'mbps', value: 5 },
      },
    });
    expect(device.user_profile).toMatchObject({ name: 'Standart User Profile' });
    const profiles = (await api.get(`panel/location/user-profile?location_id=${place}`, { token: admin })).body.data;
    expect(profiles).toMatchObject([{ id: device.user_profile.id, is_default: true, shared_user: 3 }]);
  });

  test('are filtered by brand, status, location and page', async () => {
    const place = await api.location(admin, 'Süzgeç');
    const first = await make({ location_id: place });
    const second = await make({ location_id: place, brand_id: brands['sophos'] });
    await api.inTenant(tx =>
      tx.run(sql`update devices set last_seen_at = now() - interval '14 minutes' where id = ${first.id}`),
    );
    await api.inTenant(tx =>
      tx.run(sql`update devices set last_seen_at = now() - interval '16 minutes' where id = ${second.id}`),
    );
    const ids = async (query: string) =>
      (await api.get(`panel/device?location_id=${place}&${query}`, { token: admin })).body.data.map(
        (d: { id: string }) => d.id,
      );
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('status=online')).toEqual([first.id]);
    expect(await ids('status=offline')).toEqual([second.id]);
    expect(await ids('brand=sophos')).toEqual([second.id]);
    expect(await ids(`brand=${brands['mikrotik']}`)).toEqual([first.id]);
    const paged = (await api.get(`panel/device?location_id=${place}&size=1&page=2`, { token: admin })).body;
    expect(paged).toMatchObject({ data: [{ id: first.id }], meta: { per_page: 1, last_page: 2, total: 2 } });
    expect((await api.get('panel/device?size=1001', { token: admin })).body.errors).toHaveProperty('size');

    // Several locations, also outside the active team, and never more than the caller sees.
    const reseller = await api.user('reseller');
    const own = await api.location(reseller.token, 'Plaj');
    const third = await make({ location_id: own });
    const several = async (token: string, places: readonly string[]) =>
      (await api.get(`panel/device?locationIds=${places.join()}&sort=created`, { token })).body.data.map(
        (d: { id: string }) => d.id,
      );
    const asked = await api.user('tenant-admin');
    await api.inTenant(tx => tx.run(sql`update users set active_location_id = ${own} where id = ${asked.id}`));
    expect(await several(asked.token, [place, own])).toEqual([third.id, second.id, first.id]);
    expect(await several(reseller.token, [place, own])).toEqual([third.id]);
    expect(await several(reseller.token, [place])).toEqual([]);
    const member = await api.user('member', { location: place, deviceIds: [first.id] });
    expect(await several(member.token, [place, own])).toEqual([first.id]);
    const bad = await api.get('panel/device?locationIds=x', { token: admin });
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['locationIds']]);
  });

  test('list the models of their brand', async () => {
    const models = (await api.get(`panel/device/brands/${brands['mikrotik']}/models`, { token: admin })).body.data;
    expect(models.length).toBeGreaterThan(2);
    const ccr = models.map((it: Body) => it['name']).filter((name: string) => name.startsWith('CCR'));
    expect(ccr.indexOf('CCR1072'), 'by number').toBeGreaterThan(ccr.indexOf('CCR1009'));
    const fortigate = (await api.get(`panel/device/brands/${brands['fortigate']}/models`, { token: admin })).body.data;
    const names = fortigate.map((it: Body) => it['name']);
    expect(names.indexOf('FortiGate 60F')).toBeLessThan(names.indexOf('FortiGate 100F'));
    const device = await make({ model_id: models[0].id });
    expect(device.model).toEqual(models[0]);
    const wrong = await api.put(at(device.id), {
      token: admin,
      body: { brand_id: brands['sophos'], model_id: models[0].id },
    });
    expect(wrong.body.errors).toHaveProperty('model_id');
    expect(
      (await api.put(at(device.id), { token: admin, body: { brand_id: brands['sophos'] } })).body.data.model,
    ).toBeNull();
    expect((await api.get(`panel/device/brands/${location}/models`, { token: admin })).status).toBe(404);
  });

  test('never return the password of their connection', async () => {
    const connection = { host: '10.0.0.1', port: 8729, username: 'portico', password: 'gizli-parola' };
    const device = await make({ connection });
    const shown = { host: '10.0.0.1', port: 8729, username: 'portico', has_password: true, certificate: null };
    expect(device.connection).toEqual({ ...shown, protocol: 'api-ssl' });
    const changed = await api.put(at(device.id), {
      token: admin,
      body: { connection: { host: '10.0.0.1', port: 443, username: 'portico' } },
    });
    expect(changed.body.data.connection).toEqual({ ...shown, port: 443, protocol: 'rest' });
    expect(changed.text).not.toContain('gizli');
    // What is left out keeps its value, also by the id of another system.
    const part = await api.put(at(device.id), { token: admin, body: { connection: { port: 8728 } } });
    expect(part.body.data.connection).toEqual({ ...shown, port: 8728, protocol: 'api' });
    const other = await api.put(at(device.id), { token: admin, body: { connection: { host: '10.0.0.2' } } });
    expect(Object.keys(other.body.errors)).toEqual(['connection.password']);
    const unconnected = await make();
    const first = await api.put(at(unconnected.id), { token: admin, body: { connection: { port: 8729 } } });
    expect(Object.keys(first.body.errors)).toEqual(['connection.host', 'connection.username']);
    const stored = await api.inTenant(tx =>
      tx.one<{ row: string }>(sql`select d::text as row from devices d where id = ${device.id}`),
    );
    expect(stored.row).not.toContain('gizli');
    expect(stored.row).not.toContain(device.secret);
  });

  test.each([
    ['name', { name: ' ' }],
    ['mac_address', { mac_address: 'A1:B2:C3:D4:E5' }],
    ['mac_address', { mac_address: 'G1:B2:C3:D4:E5:F6' }],
    ['mac_address', { mac_address: undefined }],
    ['brand_id', { brand_id: '0b0a0000-0000-4000-8000-000000000009' }],
    ['brand_id', { brand_id: 'mikrotik' }],
    ['location_id', { location_id: '00000000-0000-4000-8000-000000000000' }],
    ['connection.port', { connection: { host: 'a', port: 70_000, username: 'x' } }],
    ['connection.host', { connection: { host: 'a b', port: 1, username: 'x' } }],
    ['user_profile.name', { user_profile: { name: '' } }],
    ['name', { name: 'a\u0000b' }],
  ])('are refused with bad %s', async (field, more) => {
    const before = await count();
    const answer = await api.post('panel/device', { token: admin, body: form(more) });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveProperty([field]);
    expect(await count()).toBe(before);
  });

  test('have unique MACs', async () => {
    const device = await make();
    const again = await api.post('panel/device', {
      token: admin,
      language: 'tr',
      body: form({ mac_address: device.mac_address }),
    });
    expect(again.status).toBe(422);
    expect(again.body.errors.mac_address).toEqual(['Bu değer zaten kullanılıyor.']);
    const second = await make();
    const taken = await api.put(at(second.id), { token: admin, body: { mac_address: device.mac_address } });
    expect(taken.body.errors).toHaveProperty('mac_address');
  });

  test('created twice at once exist once', async () => {
    const body = form();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post('panel/device', { token: admin, body })),
    );
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(1);
    expect(answers.every(answer => [201, 422].includes(answer.status))).toBe(true);
  });
});

describe('licences and the hotspot', () => {
  const endTrial = (id: string, place: string) =>
    api.inTenant(async tx => {
      await tx.run(sql`update devices set trial_end_at = now() - interval '1 minute' where id = ${id}`);
      await tx.run(sql`update locations set trial_end_at = now() - interval '1 minute' where id = ${place}`);
    });

  test('a licence lasts for years and can be extended', async () => {
    const device = await make();
    const licensed = await api.post(at(device.id, '/license'), { token: admin, body: { year: 2 } });
    expect(licensed.status).toBe(200);
    expect(licensed.body.data).toMatchObject({ is_trial: false, trial_remain: 0, has_mikrolink_subscription: true });
    expect([730, 731]).toContain(licensed.body.data.license_remain);
    const more = (await api.post(at(device.id, '/license'), { token: admin, body: { year: '1' } })).body.data;
    expect([1095, 1096]).toContain(more.license_remain);
    expect((await api.post(at(device.id, '/license'), { token: admin, body: { year: 4 } })).body.errors).toHaveProperty(
      'year',
    );
    const query = `subject_type=device&subject_id=${device.id}&verb=update`;
    const history = (await api.get(`panel/audit?${query}`, { token: admin })).body.data;
    expect(history).toMatchObject([
      { after: { license_years: 1, license_end_at: more.license_end_at }, user: { id: expect.any(String) } },
      { after: { license_years: 2, license_end_at: licensed.body.data.license_end_at } },
    ]);
    const other = await make();
    expect((await api.get(`panel/audit?subject_id=${other.id}&verb=update`, { token: admin })).body.data).toEqual([]);
  });

  test('with an unreadable secret report it, and can be changed and deleted', async () => {
    const device = await make();
    for (const secret of ['', 'bm90IG9mIHRoaXMga2V5'])
      for (const call of [
        async () => api.get(at(device.id), { token: admin }),
        async () => api.put(at(device.id), { token: admin, body: { name: 'Lobi' } }),
      ]) {
        await api.inTenant(tx => tx.run(sql`update devices set secret = ${secret} where id = ${device.id}`));
        const answer = await call();
        expect([answer.status, answer.body.data.secret_unreadable, answer.body.data.secret]).toEqual([
          200,
          true,
          undefined,
        ]);
      }
    const listed = (await api.get('panel/device?per_page=1000', { token: admin })).body.data;
    expect(listed.find((it: { id: string }) => it.id === device.id).name).toBe('Lobi');
    expect((await api.delete(at(device.id), { token: admin })).status).toBe(204);
  });

  test('a second click of a reseller does not renew a licence', async () => {
    const reseller = (await api.user('reseller')).token;
    const device = await make({ location_id: await api.location(reseller, 'Bayi') });
    const both = await Promise.all(
      [1, 2, 3].map(year => api.post(at(device.id, '/license'), { token: reseller, body: { year } })),
    );
    expect(both.map(it => it.status).sort()).toEqual([200, 403, 403]);
  });

  test('a reseller licenses its own devices, while in trial', async () => {
    const reseller = (await api.user('reseller')).token;
    const place = await api.location(reseller, 'Bayi');
    const device = await make({ location_id: place });
    expect((await api.post(at(device.id, '/license'), { token: reseller, body: { year: 1 } })).status).toBe(200);
    for (const [language, words] of [
      ['en', 'A tenant administrator extends it.'],
      ['tr', 'Lisansı bayi yöneticisi uzatır.'],
    ] as const) {
      const again = await api.post(at(device.id, '/license'), { token: reseller, body: { year: 1 }, language });
      expect([again.status, again.body.code]).toEqual([403, 'device_renewal']);
      expect(again.body.message).toContain(words);
    }
    const stale = { year: 1, expected_end_at: null };
    const late = await api.post(at(device.id, '/license'), { token: reseller, body: stale });
    expect([late.status, late.body.code], 'a trial that was licensed meanwhile').toEqual([409, 'end_changed']);
    const foreign = await make();
    expect((await api.post(at(foreign.id, '/license'), { token: reseller, body: { year: 1 } })).status).toBe(404);
  });

  test('the hotspot is switched, unless service is stopped', async () => {
    const place = await api.location(admin, 'Biten');
    const device = await make({ location_id: place });
    await api.post(`panel/location/${place}/suspend`, { token: admin });
    const suspended = await api.patch(at(device.id, '/management/disableHotspot'), { token: admin });
    expect([suspended.status, suspended.body.code], 'the trial runs').toEqual([409, 'service_suspended']);
    await api.post(`panel/location/${place}/resume`, { token: admin });
    const off = await api.patch(at(device.id, '/management/disableHotspot'), { token: admin });
    expect(off.body.data.hotspot_status).toBe(false);
    expect(
      (await api.patch(at(device.id, '/management/enableHotspot'), { token: admin })).body.data.hotspot_status,
    ).toBe(true);
    await endTrial(device.id, place);
    expect((await api.get(at(device.id), { token: admin })).body.data).toMatchObject({
      trial_remain: 0,
      has_mikrolink_subscription: false,
    });
    const stopped = await api.patch(at(device.id, '/management/disableHotspot'), { token: admin });
    expect([stopped.status, stopped.body.code]).toEqual([409, 'no_subscription']);
    expect((await api.get(at(device.id), { token: admin })).body.data.hotspot_status).toBe(true);
  });
});

describe('access', () => {
  test('another tenant, another location and anonymous users find nothing', async () => {
    const device = await make();
    const foreign = await api.user('tenant-admin', { tenant: 'elsewhere' });
    const neighbour = (await api.user('member', { location: other })).token;
    const calls = [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['GET', '/network'],
      ['GET', '/macs'],
      ['PATCH', '/management/disableHotspot'],
    ] as const;
    for (const [method, rest] of calls) {
      const body = method === 'PUT' ? { name: 'Çalındı' } : undefined;
      expect((await api.ask(method, at(device.id, rest), { body })).status).toBe(401);
      expect((await api.ask(method, at(device.id, rest), { token: foreign.token, body })).status).toBe(401);
      expect(
        (await api.ask(method, at(device.id, rest), { token: foreign.token, tenant: 'elsewhere', body })).status,
      ).toBe(404);
      expect((await api.ask(method, at(device.id, rest), { token: neighbour, body })).status).toBe(404);
    }
    expect((await api.get('panel/device', { token: neighbour })).body.data).toEqual([]);
    expect((await api.get(at(device.id), { token: admin })).body.data).toEqual(device);
  });

  test('members need the permission; members with view permission see no secret', async () => {
    const device = await make();
    const viewer = (await api.user('member', { location, permissions: ['view-devices'] })).token;
    const seen = await api.get(at(device.id), { token: viewer });
    expect(seen.status).toBe(200);
    expect(seen.body.data).not.toHaveProperty('secret');
    expect((await api.put(at(device.id), { token: viewer, body: { name: 'x' } })).status).toBe(403);
    expect((await api.delete(at(device.id), { token: viewer })).status).toBe(403);
    expect((await api.post('panel/device', { token: viewer, body: form() })).status).toBe(403);
    expect(
      (await api.post(at(device.id, '/macs'), { token: viewer, body: { mac: '020000000001', type: 'blocked' } }))
        .status,
    ).toBe(403);
    const auditor = (await api.user('auditor')).token;
    expect((await api.get(at(device.id), { token: auditor })).body.data).not.toHaveProperty('secret');
    expect((await api.put(at(device.id), { token: auditor, body: { name: 'x' } })).status).toBe(403);
  });

  test('a member limited to some devices sees these and those that they add', async () => {
    const [mine, hidden] = [await make(), await make()];
    const limited = (await api.user('member', { location, deviceIds: [mine.id] })).token;
    const ids = async () => (await api.get('panel/device', { token: limited })).body.data.map((d: Body) => d.id);
    expect(await ids()).toEqual([mine.id]);
    expect((await api.get('panel/user/me', { token: limited })).body.data.total_devices).toBe(1);
    for (const rest of ['', '/network', '/macs'])
      expect((await api.get(at(hidden.id, rest), { token: limited })).status).toBe(404);
    expect((await api.delete(at(hidden.id), { token: limited })).status).toBe(404);
    const added = await api.post('panel/device', { token: limited, body: form({ location_id: undefined }) });
    expect(added.status).toBe(201);
    expect(await ids()).toEqual([added.body.data.id, mine.id]);
    await api.delete(at(added.body.data.id), { token: admin });
    await api.delete(at(mine.id), { token: admin });
    expect(await ids()).toEqual([]);
  });

  test('only tenant administrators switch logging; creating a profile needs the permission', async () => {
    const device = await make();
    const member = (
      await api.user('member', { location, permissions: permissions.filter(key => key !== 'update-location') })
    ).token;
    expect(
      (await api.put(at(device.id), { token: member, body: { name: 'Ofis', logging_enabled: true } })).status,
    ).toBe(200);
    expect((await api.put(at(device.id), { token: member, body: { logging_enabled: false } })).status).toBe(403);
    expect(
      (await api.post('panel/device', { token: member, body: form({ user_profile: { name: 'Yeni' } }) })).status,
    ).toBe(403);
  });
});
