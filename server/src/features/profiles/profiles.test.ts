import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let other: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  other = await api.location(admin, 'Kafe');
});

const base = 'panel/location/user-profile';
const make = async (more: object = {}): Promise<Body> => {
  const answer = await api.post(base, { token: admin, body: { name: 'Misafir', location_id: location, ...more } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const defaultProfile = async (id = location) =>
  (await api.get(`panel/location/${id}`, { token: admin })).body.data.default_profile_id;

describe('session profiles', () => {
  test('are created with defaults, read, updated and deleted', async () => {
    const profile = await make();
    expect(profile).toMatchObject({
      name: 'Misafir',
      location_id: location,
      shared_user: 1,
      session_duration: { is_active: false, option: 'day', value: 1 },
      max_upload: { is_active: false, option: 'mbps', value: 1 },
      paid_sale: { is_active: false, option: 'eur', value: 1 },
      is_default: false,
      visitors: 0,
      networks: 0,
      portals: 0,
    });
    const changed = await api.put(`${base}/${profile.id}`, {
      token: admin,
      body: {
        name: 'VIP',
        shared_user: 3,
        max_download: { is_active: true, option: 'gbps', value: 2 },
        paid_sale: { is_active: true, option: { label: '₺', value: 'try' }, value: 50 },
      },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      name: 'VIP',
      shared_user: 3,
      max_download: { is_active: true, option: 'gbps', value: 2 },
      paid_sale: { is_active: true, option: 'try', value: 50 },
    });
    const renamed = await api.put(`${base}/${profile.id}`, { token: admin, body: { name: 'VIP 2' } });
    expect(renamed.body.data, 'fields that were not sent stay').toMatchObject({
      name: 'VIP 2',
      shared_user: 3,
      max_download: { is_active: true, option: 'gbps', value: 2 },
      paid_sale: { is_active: true, option: 'try', value: 50 },
    });
    const listed = (await api.get(`${base}?per_page=999&location_id=${location}&search=vip`, { token: admin })).body;
    expect(listed).toMatchObject({ data: [{ id: profile.id }], meta: { total: 1, per_page: 999 } });
    expect((await api.delete(`${base}/${profile.id}`, { token: admin })).status).toBe(204);
    expect((await api.delete(`${base}/${profile.id}`, { token: admin })).status).toBe(404);
  });

  test('refuse a limit that is a list or a text', async () => {
    for (const wrong of [[], ['day'], 'day'])
      for (const field of ['session_duration', 'max_upload', 'paid_sale', 'daily_quota']) {
        const body = { name: 'Misafir', location_id: location, [field]: wrong };
        const answer = await api.post(base, { token: admin, body, language: 'tr' });
        expect([answer.status, answer.body.errors], `${field} ${wrong}`).toEqual([
          422,
          { [field]: ['Bu değer geçerli değil.'] },
        ]);
      }
  });

  test('refuse a unit that is neither a text nor an option with a value', async () => {
    for (const option of [[], [null], {}, { label: '₺' }, { value: 'parsec' }, 7])
      for (const field of ['session_duration', 'max_upload', 'paid_sale', 'daily_quota']) {
        const body = { name: 'Misafir', location_id: location, [field]: { is_active: true, option, value: 1 } };
        const answer = await api.post(base, { token: admin, body });
        const seen = [answer.status, Object.keys(answer.body.errors ?? {})];
        expect(seen, `${field} ${JSON.stringify(option)}`).toEqual([422, [`${field}.option`]]);
      }
  });

  test('keep what an update does not send', async () => {
    const limits = {
      shared_user: 4,
      daily_duration: { is_active: true, option: 'hour', value: 3 },
      total_quota: { is_active: true, option: 'mb', value: 1500 },
      reduced_speed: { is_active: true, option: 'kbps', value: 512 },
      paid_days_from: 'purchase',
    };
    const profile = await make(limits);
    const changed = await api.put(`${base}/${profile.id}`, { token: admin, body: { name: 'Sade' } });
    expect(changed.body.data).toMatchObject({ ...limits, name: 'Sade' });
    const cleared = await api.put(`${base}/${profile.id}`, { token: admin, body: { daily_duration: null } });
    expect(cleared.body.data).toMatchObject({ ...limits, daily_duration: { is_active: false } });
  });

  test('have one default per location', async () => {
    const [first, second] = [await make({ is_default: true }), await make({ is_default: true })];
    expect(await defaultProfile()).toBe(second.id);
    const shown = (await api.get(`${base}?location_id=${location}`, { token: admin })).body.data;
    expect(shown.filter((p: Body) => p.is_default).map((p: Body) => p.id)).toEqual([second.id]);
    await api.put(`${base}/${first.id}`, { token: admin, body: { name: 'Bir' } });
    expect(await defaultProfile()).toBe(second.id);
    await api.put(`${base}/${second.id}`, { token: admin, body: { name: 'İki', is_default: false } });
    expect(await defaultProfile()).toBeNull();
  });

  test('in use are deleted only with a replacement of the same location', async () => {
    const [used, replacement, foreign] = [
      await make({ is_default: true }),
      await make(),
      await make({ location_id: other }),
    ];
    const body = {
      name: 'Ayşe',
      provider_type: 'username',
      username: 'ayse',
      password: 'parola1',
      profile_id: used.id,
      location_id: location,
    };
    const visitor = (await api.post('panel/client', { token: admin, body })).body.data;
    const brand = (await api.get('panel/device/brands', { token: admin })).body.data[0].id;
    const router = { brand_id: brand, name: 'Router', mac_address: '02:00:00:00:00:01', location_id: location };
    const device = (await api.post('panel/device', { token: admin, body: router })).body.data.id;
    const network = { name: 'Lobi', start_ip: '10.77.0.0', subnet: '24', profile_id: used.id };
    const lobby = await api.post(`panel/device/${device}/network`, { token: admin, body: network });
    expect(lobby.status, lobby.text).toBe(201);
    const vouchers = { name: 'Havuz', location_id: location, profile_id: used.id, count: 1, valid_until: '2099-01-01' };
    const batch = await api.post('panel/voucher-batch', { token: admin, body: vouchers });
    expect(batch.status, batch.text).toBe(201);
    const refused = await api.delete(`${base}/${used.id}`, { token: admin, language: 'tr' });
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.message).toContain('1 ziyaretçi, 1 ağ, 1 kupon grubu, lokasyonun varsayılan profili');
    for (const wrong of [foreign.id, used.id, location])
      expect(
        (await api.delete(`${base}/${used.id}?replacement_id=${wrong}`, { token: admin })).body.errors,
      ).toHaveProperty('replacement_id');
    expect((await api.delete(`${base}/${used.id}?replacement_id=${replacement.id}`, { token: admin })).status).toBe(
      204,
    );
    expect((await api.get(`panel/client/${visitor.id}`, { token: admin })).body.data.profile_id).toBe(replacement.id);
    const networks = (await api.get(`panel/device/${device}/network`, { token: admin })).body.data;
    expect(networks.map((it: Body) => it.profile_id)).toEqual([replacement.id]);
    expect(await defaultProfile()).toBe(replacement.id);
    const sold = await api.get(`panel/voucher-batch/${batch.body.data.id}`, { token: admin });
    expect(sold.body.data.profile_id).toBe(replacement.id);
  });

  test('used by a portal are replaced in its published version and in its draft', async () => {
    const [used, replacement] = [await make(), await make()];
    const as = { token: admin };
    const made = await api.post('panel/portal', { ...as, body: { name: 'Lobi', location_id: location } });
    const portal = `panel/portal/${made.body.data.id}`;
    const give = (slug: string, order: number) => ({ slug, order, options: { profile_id: used.id } });
    const given = async (at: string, slug: string) =>
      (await api.get(at, as)).body.data.providers.find((it: Body) => it.slug === slug).options.profile_id;
    const shown = async () =>
      (await api.get(`${base}?location_id=${location}`, as)).body.data.find((it: Body) => it.id === used.id)?.portals;
    expect((await api.put(`${portal}/draft`, { ...as, body: { providers: [give('email', 1)] } })).status).toBe(200);
    expect(await shown()).toBe(1);
    expect((await api.delete(`${base}/${used.id}`, as)).status).toBe(409);
    expect((await api.delete(`${portal}/draft`, as)).status).toBe(204);
    expect(await shown()).toBe(0);
    expect((await api.put(portal, { ...as, body: { providers: [give('temp', 1)] } })).status).toBe(200);
    expect((await api.put(`${portal}/draft`, { ...as, body: { providers: [give('email', 1)] } })).status).toBe(200);
    const refused = await api.delete(`${base}/${used.id}`, { ...as, language: 'tr' });
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.message).toContain('1 portal');
    expect(await given(portal, 'temp')).toBe(used.id);
    expect((await api.delete(`${base}/${used.id}?replacement_id=${replacement.id}`, as)).status).toBe(204);
    expect(await given(portal, 'temp')).toBe(replacement.id);
    expect(await given(`${portal}/draft`, 'email')).toBe(replacement.id);
    expect((await api.post(`${portal}/publish`, as)).status).toBe(200);
    expect(await given(portal, 'email')).toBe(replacement.id);
  });

  test.each([
    ['name', { name: '' }],
    ['shared_user', { shared_user: 0 }],
    ['max_upload.value', { max_upload: { is_active: true, option: 'mbps', value: 101 } }],
    ['max_upload.value', { max_upload: { is_active: true, option: 'kbps', value: 0 } }],
    ['session_duration.value', { session_duration: { is_active: true, option: 'minute', value: 0 } }],
    ['session_duration.value', { session_duration: { is_active: true, option: 'minute', value: 7 } }],
    ['max_upload.value', { max_upload: { is_active: true, option: 'kbps', value: 200 } }],
    ['daily_quota.value', { daily_quota: { is_active: true, option: 'gb', value: 0 } }],
    ['paid_days_from', { paid_days_from: 'never' }],
    ['max_upload.option', { max_upload: { is_active: true, option: 'day', value: 1 } }],
    ['session_duration.value', { session_duration: { is_active: true, option: 'hour', value: 25 } }],
    ['paid_sale.value', { paid_sale: { is_active: true, option: 'try', value: -5 } }],
    ['paid_sale.option', { paid_sale: { is_active: true, option: 'btc', value: 1 } }],
    ['location_id', { location_id: '00000000-0000-4000-8000-000000000000' }],
  ])('with a bad %s get 422', async (field, more) => {
    const total = async () => (await api.get(base, { token: admin })).body.meta.total;
    const before = await total();
    const answer = await api.post(base, { token: admin, body: { name: 'Kötü', location_id: location, ...more } });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveProperty([field]);
    expect(await total()).toBe(before);
  });

  test('refuse other tenants, other locations and members without the permission', async () => {
    const profile = await make();
    const at = `${base}/${profile.id}`;
    const body = { name: 'Çalındı' };
    const neighbour = (await api.user('member', { location: other })).token;
    const viewer = (await api.user('member', { location, permissions: ['view-clients'] })).token;
    const foreign = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    expect((await api.put(at, { body })).status).toBe(401);
    expect((await api.put(at, { token: foreign, body })).status).toBe(401);
    expect((await api.put(at, { token: foreign, tenant: 'elsewhere', body })).status).toBe(404);
    expect((await api.put(at, { token: neighbour, body })).status).toBe(404);
    expect((await api.delete(at, { token: neighbour })).status).toBe(404);
    expect((await api.put(at, { token: viewer, body })).status).toBe(403);
    expect(
      (await api.post(base, { token: neighbour, body: { ...body, location_id: location } })).body.errors,
    ).toHaveProperty('location_id');
    expect((await api.get(`${base}?location_id=${location}`, { token: neighbour })).body.data).toEqual([]);
    expect((await api.get(base, { token: viewer })).body.data.length).toBeGreaterThan(0);
    const manager = (await api.user('member', { location, permissions: ['update-location'] })).token;
    expect((await api.get(base, { token: manager })).body.data.length).toBeGreaterThan(0);
    const printer = (await api.user('member', { location, permissions: ['store-vouchers'] })).token;
    expect((await api.get(base, { token: printer })).status).toBe(403);
    expect((await api.get(`${base}?search=${profile.name}`, { token: admin })).text).not.toContain('Çalındı');
  });
});
