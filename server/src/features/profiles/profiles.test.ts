import type { Permission } from '@portico/contract/permissions.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, type Caller, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: Caller;
let location: string;
let other: string;
beforeAll(async () => {
  api = await startApi();
  const { token } = await api.user('tenant-admin');
  admin = api.as(token);
  location = await api.location(token, 'Otel');
  other = await api.location(token, 'Kafe');
});

const base = 'panel/location/user-profile';
const make = async (more: object = {}): Promise<Body> => {
  const answer = await admin.post(base, { name: 'Misafir', location_id: location, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const defaultProfile = async (id = location) => (await admin.get(`panel/location/${id}`)).body.data.default_profile_id;

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
    const changed = await admin.put(`${base}/${profile.id}`, {
      name: 'VIP',
      shared_user: 3,
      max_download: { is_active: true, option: 'gbps', value: 2 },
      paid_sale: { is_active: true, option: { label: '₺', value: 'try' }, value: 50 },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      name: 'VIP',
      shared_user: 3,
      max_download: { is_active: true, option: 'gbps', value: 2 },
      paid_sale: { is_active: true, option: 'try', value: 50 },
    });
    const renamed = await admin.put(`${base}/${profile.id}`, { name: 'VIP 2' });
    expect(renamed.body.data, 'fields that were not sent stay').toMatchObject({
      name: 'VIP 2',
      shared_user: 3,
      max_download: { is_active: true, option: 'gbps', value: 2 },
      paid_sale: { is_active: true, option: 'try', value: 50 },
    });
    const listed = (await admin.get(`${base}?per_page=999&location_id=${location}&search=vip`)).body;
    expect(listed).toMatchObject({ data: [{ id: profile.id }], meta: { total: 1, per_page: 999 } });
    expect((await admin.delete(`${base}/${profile.id}`)).status).toBe(204);
    expect((await admin.delete(`${base}/${profile.id}`)).status).toBe(404);
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
    const changed = await admin.put(`${base}/${profile.id}`, { name: 'Sade' });
    expect(changed.body.data).toMatchObject({ ...limits, name: 'Sade' });
    const cleared = await admin.put(`${base}/${profile.id}`, { daily_duration: null });
    expect(cleared.body.data).toMatchObject({ ...limits, daily_duration: { is_active: false } });
    const part = await admin.put(`${base}/${profile.id}`, { total_quota: { value: 2500 }, reduced_speed: {} });
    const { reduced_speed } = limits;
    const total_quota = { is_active: true, option: 'mb', value: 2500 };
    expect(part.body.data).toMatchObject({ reduced_speed, total_quota });
    const wrong = await admin.put(`${base}/${profile.id}`, { name: 'X', reduced_speed: { option: 'mbps' } });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['reduced_speed.value']]);
    const off = await admin.put(`${base}/${profile.id}`, { reduced_speed: { is_active: false } });
    expect(off.body.data).toMatchObject({ name: 'Sade', reduced_speed: { ...reduced_speed, is_active: false } });
  });

  test('have one default per location', async () => {
    const [first, second] = [await make({ is_default: true }), await make({ is_default: true })];
    expect(await defaultProfile()).toBe(second.id);
    const shown = (await admin.get(`${base}?location_id=${location}`)).body.data;
    expect(shown.filter((p: Body) => p.is_default).map((p: Body) => p.id)).toEqual([second.id]);
    await admin.put(`${base}/${first.id}`, { name: 'Bir' });
    expect(await defaultProfile()).toBe(second.id);
    await admin.put(`${base}/${second.id}`, { name: 'İki', is_default: false });
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
    const visitor = (await admin.post('panel/client', body)).body.data;
    const brand = (await admin.get('panel/device/brands')).body.data[0].id;
    const router = { brand_id: brand, name: 'Router', mac_address: '02:00:00:00:00:01', location_id: location };
    const device = (await admin.post('panel/device', router)).body.data.id;
    const network = { name: 'Lobi', start_ip: '10.77.0.0', subnet: '24', profile_id: used.id };
    const lobby = await admin.post(`panel/device/${device}/network`, network);
    expect(lobby.status, lobby.text).toBe(201);
    const vouchers = { name: 'Havuz', location_id: location, profile_id: used.id, count: 1, valid_until: '2099-01-01' };
    const batch = await admin.post('panel/voucher-batch', vouchers);
    expect(batch.status, batch.text).toBe(201);
    const refused = await admin.delete(`${base}/${used.id}`, { language: 'tr' });
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.message).toContain('1 ziyaretçi, 1 ağ, 1 kupon grubu, lokasyonun varsayılan profili');
    for (const wrong of [foreign.id, used.id, location])
      expect((await admin.delete(`${base}/${used.id}?replacement_id=${wrong}`)).body.errors).toHaveProperty(
        'replacement_id',
      );
    expect((await admin.delete(`${base}/${used.id}?replacement_id=${replacement.id}`)).status).toBe(204);
    expect((await admin.get(`panel/client/${visitor.id}`)).body.data.profile_id).toBe(replacement.id);
    const networks = (await admin.get(`panel/device/${device}/network`)).body.data;
    expect(networks.map((it: Body) => it.profile_id)).toEqual([replacement.id]);
    expect(await defaultProfile()).toBe(replacement.id);
    const sold = await admin.get(`panel/voucher-batch/${batch.body.data.id}`);
    expect(sold.body.data.profile_id).toBe(replacement.id);
  });

  test('used by a portal are replaced in its published version and in its draft', async () => {
    const [used, replacement] = [await make(), await make()];
    const made = await admin.post('panel/portal', { name: 'Lobi', location_id: location });
    const portal = `panel/portal/${made.body.data.id}`;
    const give = (slug: string, order: number) => ({ slug, order, options: { profile_id: used.id } });
    const given = async (at: string, slug: string) =>
      (await admin.get(at)).body.data.providers.find((it: Body) => it.slug === slug).options.profile_id;
    const shown = async () =>
      (await admin.get(`${base}?location_id=${location}`)).body.data.find((it: Body) => it.id === used.id)?.portals;
    expect((await admin.put(`${portal}/draft`, { providers: [give('email', 1)] })).status).toBe(200);
    expect(await shown()).toBe(1);
    expect((await admin.delete(`${base}/${used.id}`)).status).toBe(409);
    expect((await admin.delete(`${portal}/draft`)).status).toBe(204);
    expect(await shown()).toBe(0);
    expect((await admin.put(portal, { providers: [give('temp', 1)] })).status).toBe(200);
    expect((await admin.put(`${portal}/draft`, { providers: [give('email', 1)] })).status).toBe(200);
    const refused = await admin.delete(`${base}/${used.id}`, { language: 'tr' });
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.message).toContain('1 portal');
    expect(await given(portal, 'temp')).toBe(used.id);
    expect((await admin.delete(`${base}/${used.id}?replacement_id=${replacement.id}`)).status).toBe(204);
    expect(await given(portal, 'temp')).toBe(replacement.id);
    expect(await given(`${portal}/draft`, 'email')).toBe(replacement.id);
    expect((await admin.post(`${portal}/publish`)).status).toBe(200);
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
    const total = async () => (await admin.get(base)).body.meta.total;
    const before = await total();
    const answer = await admin.post(base, { name: 'Kötü', location_id: location, ...more });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveProperty([field]);
    expect(await total()).toBe(before);
  });

  test('name the limits that a speed in kbps can have', async () => {
    const max_upload = { is_active: true, option: 'kbps', value: 0 };
    const answer = await admin.post(base, { name: 'Yavaş', location_id: location, max_upload });
    expect(answer.body.errors).toEqual({ 'max_upload.value': ['Must be between 128 and 1024.'] });
  });

  test('are read with some permissions, and made in locations of the caller', async () => {
    await make();
    const member = async (at: string, permission?: Permission) =>
      api.as((await api.user('member', { location: at, ...(permission && { permissions: [permission] }) })).token);
    const neighbour = await member(other);
    const refused = await neighbour.post(base, { name: 'Çalındı', location_id: location });
    expect(refused.body.errors).toHaveProperty('location_id');
    expect((await neighbour.get(`${base}?location_id=${location}`)).body.data).toEqual([]);
    for (const permission of ['view-clients', 'update-location'] as const)
      expect((await (await member(location, permission)).get(base)).body.data.length, permission).toBeGreaterThan(0);
    expect((await (await member(location, 'store-vouchers')).get(base)).status).toBe(403);
    expect((await admin.get(`${base}?search=${encodeURIComponent('Çalındı')}`)).body.data).toEqual([]);
  });
});
