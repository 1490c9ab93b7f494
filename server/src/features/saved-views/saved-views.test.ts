import { viewLists } from '@portico/contract/view-kinds.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let manager: string;
let viewer: string;
let neighbour: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Görünüm Oteli');
  const other = await api.location(admin, 'Komşu Otel');
  manager = (await api.user('member', { location })).token;
  viewer = (await api.user('member', { location, permissions: ['view-clients'] })).token;
  neighbour = (await api.user('member', { location: other })).token;
});

const base = 'panel/saved-view';
const form = { list: 'visitors', name: 'Bugün', search: { status: 'valid', sort: 'until' }, hidden: ['profile'] };
const put = (token: string, more: object = {}) => api.put(base, { token, body: { ...form, ...more } });
const names = async (token: string, list = 'visitors'): Promise<string[]> =>
  (await api.get(`${base}?list=${list}`, { token })).body.data.map((it: { name: string }) => it.name);
const remove = (token: string, id: string) => api.delete(`${base}/${id}`, { token });

describe('saved views', () => {
  test('belong to one user and one list, and saving again replaces them', async () => {
    const made = await put(viewer);
    expect([made.status, made.body.data], made.text).toEqual([
      201,
      { id: expect.any(String), ...form, shared: 'own', may_change: true },
    ]);
    const again = await put(viewer, { search: { status: 'over' }, hidden: [] });
    expect([again.status, again.body.data.id]).toEqual([200, made.body.data.id]);
    expect(again.body.data).toMatchObject({ search: { status: 'over' }, hidden: [] });
    expect(await names(viewer)).toEqual(['Bugün']);
    expect(await names(viewer, 'online')).toEqual([]);
    expect(await names(manager)).toEqual([]);
    expect(await names(admin)).toEqual([]);
    const { id } = made.body.data;
    for (const token of [manager, neighbour, admin]) expect((await remove(token, id)).status).toBe(404);
    expect((await remove(viewer, id)).status).toBe(204);
    expect((await remove(viewer, id)).status).toBe(404);
    expect(await names(viewer)).toEqual([]);
  });

  test('can be of any list that has them', async () => {
    for (const list of viewLists) {
      const made = await put(viewer, { list, name: `Liste ${list}` });
      expect([made.status, made.body.data?.list], made.text).toEqual([201, list]);
      expect(await names(viewer, list)).toEqual([`Liste ${list}`]);
      expect((await remove(viewer, made.body.data.id)).status).toBe(204);
    }
    const unknown = await put(viewer, { list: 'roles' });
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['list']]);
  });

  test('of a location are seen by its members and changed by its administrators', async () => {
    expect((await put(viewer, { shared: 'location' })).status).toBe(403);
    const made = await put(manager, { shared: 'location', name: 'Ortak' });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    expect(await names(viewer)).toEqual(['Ortak']);
    expect(await names(neighbour)).toEqual([]);
    const seen = (await api.get(`${base}?list=visitors`, { token: viewer })).body.data[0];
    expect(seen).toMatchObject({ shared: 'location', may_change: false });
    expect((await remove(viewer, id)).status).toBe(403);
    expect((await remove(neighbour, id)).status).toBe(404);
    const foreign = await put(neighbour, { shared: 'location', location_id: location });
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ['location_id']]);
    expect((await remove(manager, id)).status).toBe(204);
  });

  test('of the tenant are seen by everyone and changed by its administrators', async () => {
    for (const token of [viewer, manager]) expect((await put(token, { shared: 'tenant' })).status).toBe(403);
    const made = await put(admin, { shared: 'tenant', name: 'Herkese' });
    expect(made.status, made.text).toBe(201);
    for (const token of [viewer, manager, neighbour]) expect(await names(token)).toEqual(['Herkese']);
    const elsewhere = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    const there = { tenant: 'elsewhere', token: elsewhere };
    expect((await api.get(`${base}?list=visitors`, there)).body.data).toEqual([]);
    expect((await api.delete(`${base}/${made.body.data.id}`, there)).status).toBe(404);
    expect((await remove(manager, made.body.data.id)).status).toBe(403);
    expect((await remove(admin, made.body.data.id)).status).toBe(204);
  });

  test('that are saved at the same time with one name are one', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => put(manager, { name: 'Aynı anda' })));
    expect(answers.map(it => it.status).sort()).toEqual([200, 200, 200, 201]);
    expect(await names(manager)).toEqual(['Aynı anda']);
    expect((await remove(manager, answers[0]!.body.data.id)).status).toBe(204);
  });

  test('are recorded without the filters, which may name a guest', async () => {
    const made = await put(manager, { name: 'Kayıt', search: { search: 'Gizli Misafir' } });
    const { body, text } = await api.get('panel/audit?types=saved-view', { token: admin });
    expect(body.data[0]).toMatchObject({ verb: 'create', subject: { type: 'saved-view', name: 'Kayıt' } });
    expect(text).not.toContain('Gizli Misafir');
    expect((await remove(manager, made.body.data.id)).status).toBe(204);
  });

  test('are limited in number', async () => {
    const { token } = await api.user('member', { location });
    for (let i = 0; i < 100; i++) expect((await put(token, { name: `G${i}` })).status).toBe(201);
    expect((await put(token, { name: 'G0' })).status).toBe(200);
    const refused = await put(token, { name: 'Bir fazla' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['name']]);
    expect(await names(token)).toHaveLength(100);
  });

  test.each([
    ['list', { list: 'secrets' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(41) }],
    ['shared', { shared: 'world' }],
    ['search.status', { search: { status: 'x'.repeat(1001) } }],
    ['hidden', { hidden: ['<b>'] }],
  ])('with a bad %s get 422', async (field, more) => {
    const before = await names(manager);
    const answer = await put(manager, more);
    expect([answer.status, Object.keys(answer.body.errors)], answer.text).toEqual([422, [field]]);
    expect(await names(manager)).toEqual(before);
  });
});
