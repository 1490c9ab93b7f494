import { beforeAll, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
});

const places = { location: 'panel/location', profile: 'panel/location/user-profile' };
const put = (kind: keyof typeof places, externalId: string, body: object, token = admin) =>
  api.put(`${places[kind]}/by-external-id/${encodeURIComponent(externalId)}`, { token, body });
const listed = async (kind: keyof typeof places, externalId: string): Promise<Body[]> =>
  (await api.get(`${places[kind]}?external_id=${encodeURIComponent(externalId)}`, { token: admin })).body.data;

test.for(['location', 'profile'] as const)('a %s is created once, then changed, and found', async kind => {
  const body = { name: 'İlk', ...(kind === 'profile' && { location_id: location, shared_user: 3 }) };
  const made = await put(kind, 'erp/7:a', body);
  expect([made.status, made.body.data?.external_id], made.text).toEqual([201, 'erp/7:a']);
  const again = await put(kind, 'erp/7:a', body);
  expect([again.status, again.body.data.id]).toEqual([200, made.body.data.id]);
  const changed = await put(kind, 'erp/7:a', { name: 'Son' });
  expect(changed.body.data).toMatchObject({ ...body, id: made.body.data.id, name: 'Son' });
  expect((await listed(kind, 'erp/7:a')).map(it => it.id)).toEqual([made.body.data.id]);
  expect(await listed(kind, 'erp/8')).toEqual([]);
});

test.for(['location', 'profile'] as const)('two calls at once make one %s', async kind => {
  const body = { name: 'Yarış', ...(kind === 'profile' && { location_id: location }) };
  const answers = await Promise.all(Array.from({ length: 4 }, () => put(kind, 'race', body)));
  expect(answers.map(it => it.status).sort()).toEqual([200, 200, 200, 201]);
  expect(new Set(answers.map(it => it.body.data.id)).size).toBe(1);
  expect(await listed(kind, 'race')).toHaveLength(1);
});

test('bad input names the field and creates nothing', async () => {
  const nameless = await put('profile', 'bad', { location_id: location });
  expect([nameless.status, nameless.body.errors]).toEqual([422, { name: [expect.any(String)] }]);
  expect((await put('location', 'bad', {})).body.errors).toHaveProperty('name');
  expect((await put('profile', 'bad', { name: 'x', location_id: location, shared_user: 0 })).status).toBe(422);
  expect((await put('location', 'a b', { name: 'x' })).status).toBe(404);
  expect(await listed('profile', 'bad')).toEqual([]);
  await put('profile', 'stays', { name: 'x', location_id: location });
  const other = await api.location(admin, 'Başka');
  expect((await put('profile', 'stays', { location_id: other })).body.errors).toHaveProperty('location_id');
});

test('another reseller, location or tenant, and a member without the permission, change nothing', async () => {
  await put('location', 'mine', { name: 'Benim' });
  await put('profile', 'mine', { name: 'Benim', location_id: location });
  const reseller = (await api.user('reseller')).token;
  expect((await put('location', 'mine', { name: 'Çalındı' }, reseller)).status).toBe(404);
  const other = await api.location(admin, 'Öteki');
  const stranger = (await api.user('member', { location: other })).token;
  expect((await put('profile', 'mine', { name: 'Çalındı' }, stranger)).status).toBe(404);
  expect((await put('location', 'mine', { name: 'Çalındı' }, stranger)).status).toBe(403);
  const reader = (await api.user('member', { location, permissions: ['read-profiles'] })).token;
  expect((await put('profile', 'mine', { name: 'Çalındı' }, reader)).status).toBe(403);
  expect((await listed('profile', 'mine'))[0]).toMatchObject({ name: 'Benim' });
  expect((await listed('location', 'mine'))[0]).toMatchObject({ name: 'Benim' });
  const elsewhere = (await api.user('tenant-admin', { tenant: 'panel-2' })).token;
  const theirs = await api.put('panel/location/by-external-id/mine', {
    token: elsewhere,
    tenant: 'panel-2',
    body: { name: 'Onların' },
  });
  expect(theirs.status, theirs.text).toBe(201);
});
