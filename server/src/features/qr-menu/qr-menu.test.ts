import sql from 'sql-template-tag';
import { beforeAll, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let token: string;
let location: string;
beforeAll(async () => {
  api = await startApi();
  const admin = await api.user('tenant-admin');
  location = await api.location(admin.token, 'Kafe');
  token = (await api.user('member', { location })).token;
});

const make = async (kind: string, body: unknown) => (await api.post(`panel/qrmenu/${kind}`, { token, body })).body.data;

test('categories, desks and products are made, listed, changed and deleted', async () => {
  const categories = async () => (await api.get('panel/qrmenu/category', { token })).body.meta.total;
  const before = await categories();
  const drinks = await make('category', { title: 'İçecekler', title_en: 'Drinks' });
  expect(drinks).toMatchObject({
    title: 'İçecekler',
    title_en: 'Drinks',
    description: '',
    status: 1,
    location_id: location,
  });
  const food = await make('category', { title: 'Yemek', status: 0 });
  const tea = await make('product', {
    title: 'Çay',
    title_en: 'Tea',
    ingredients: ['çay'],
    allergens: [],
    product_time: 5,
    calorie: 2,
    price: 20.5,
    category_ids: [drinks.id],
  });
  expect(tea).toMatchObject({
    price: 20.5,
    currency: 'try',
    status: 1,
    category_ids: [{ id: drinks.id, title: 'İçecekler' }],
  });
  const moved = await api.put(`panel/qrmenu/product/${tea.id}`, {
    token,
    body: { category_ids: [food.id], status: 0 },
  });
  expect(moved.body.data, 'fields that were not sent stay').toMatchObject({
    title: 'Çay',
    status: 0,
    category_ids: [{ id: food.id }],
    ingredients: ['çay'],
    price: 20.5,
  });
  const renamed = await api.put(`panel/qrmenu/category/${food.id}`, { token, body: { title_en: 'Food' } });
  expect(renamed.body.data).toMatchObject({ title: 'Yemek', title_en: 'Food', status: 0 });
  const desks = await make('desk', { title: 'Teras', prefix: 'T', number_start: 5, number_end: 14 });
  expect(desks).toMatchObject({ prefix: 'T', number_start: 5, number_end: 14, number: 10 });
  const change = async (body: object) => (await api.put(`panel/qrmenu/desk/${desks.id}`, { token, body })).body;
  expect((await change({ title: 'Balkon' })).data).toMatchObject({ title: 'Balkon', prefix: 'T', number: 10 });
  expect((await change({ number_end: 8 })).data).toMatchObject({ number_start: 5, number_end: 8, number: 4 });
  expect((await change({ number_end: 4 })).errors).toEqual({ number_end: ['Must be at least 5.'] });
  const counted = { number: 1, number_start: 1, number_end: 12 };
  expect(await make('desk', { title: 'Salon', ...counted }), 'a sent count').toMatchObject({ ...counted, number: 12 });
  expect((await change({ number: 99 })).data, 'a changed count').toMatchObject({ number_end: 8, number: 4 });
  expect(await make('desk', { title: 'Bahçe' })).toMatchObject({ number_start: 1, number_end: 1, number: 1 });
  expect(await categories()).toBe(before + 2);
  const found = (await api.get('panel/qrmenu/product?search=ça', { token })).body.data;
  expect(found.map((it: { id: string }) => it.id)).toContain(tea.id);
  expect((await api.delete(`panel/qrmenu/category/${food.id}`, { token })).status).toBe(204);
  expect((await api.get(`panel/qrmenu/product/${tea.id}`, { token })).body.data.category_ids).toEqual([]);
  expect((await api.get(`panel/qrmenu/category/${food.id}`, { token })).status).toBe(404);
});

test('empty fields of a form count as not set, and a reply can be written back', async () => {
  const { id } = await make('category', { title: 'Tatlı' });
  const empty = {
    description: '',
    title_en: '',
    description_en: null,
    ingredients: null,
    product_time: '',
    calorie: '',
  };
  const made = await make('product', { ...empty, title: 'Baklava', status: '1', category_ids: [id] });
  expect(made).toMatchObject({ ingredients: [], product_time: null, calorie: null, status: 1 });
  const body = { ...made, product_time: '15' };
  const changed = await api.put(`panel/qrmenu/product/${made.id}`, { token, body });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body.data).toMatchObject({ product_time: 15, category_ids: [{ id, title: 'Tatlı' }] });
  const zero = await api.put(`panel/qrmenu/product/${made.id}`, {
    token,
    body: { ...made, calorie: 0, product_time: 0 },
  });
  expect(Object.keys(zero.body.errors)).toEqual(['product_time', 'calorie']);
  await api.delete(`panel/qrmenu/product/${made.id}`, { token });
  await api.delete(`panel/qrmenu/category/${id}`, { token });
});

test('problems are reported by field', async () => {
  const errors = async (kind: string, body: unknown) =>
    Object.keys((await api.post(`panel/qrmenu/${kind}`, { token, body })).body.errors ?? {});
  expect(await errors('category', {})).toEqual(['title']);
  expect(await errors('category', { title: 'x', status: 2 })).toEqual(['status']);
  expect(await errors('desk', { title: 'x', number_start: 0 })).toEqual(['number_start']);
  expect(await errors('desk', { title: 'x', number_start: 9, number_end: 3 })).toEqual(['number_end']);
  expect(await errors('desk', { title: 'x', number_start: 5, number_end: 1005 }), '1,001 desks').toEqual([
    'number_end',
  ]);
  const thousand = await make('desk', { title: 'x', number_start: 5, number_end: 1004 });
  expect(thousand.number, '1,000 desks').toBe(1000);
  await api.delete(`panel/qrmenu/desk/${thousand.id}`, { token });
  expect(await errors('product', { title: 'x', price: -0.01 })).toEqual(['price']);
  expect(await errors('product', { title: 'x', currency: 'btc' })).toEqual(['currency']);
  expect(await errors('product', { title: 'x', product_time: 0, calorie: 0 })).toEqual(['product_time', 'calorie']);
  expect(await errors('product', { title: 'x', category_ids: ['00000000-0000-4000-8000-000000000000'] })).toEqual([
    'category_ids',
  ]);
});

test('another location has its own menu', async () => {
  const admin = await api.user('tenant-admin');
  const other = await api.location(admin.token, 'Öteki');
  const stranger = await api.user('member', { location: other });
  const mine = await make('category', { title: 'Bizim' });
  expect((await api.get(`panel/qrmenu/category/${mine.id}`, { token: stranger.token })).status).toBe(404);
  expect(
    (await api.put(`panel/qrmenu/category/${mine.id}`, { token: stranger.token, body: { title: 'x' } })).status,
  ).toBe(404);
  expect((await api.delete(`panel/qrmenu/category/${mine.id}`, { token: stranger.token })).status).toBe(404);
  expect((await api.get('panel/qrmenu/category', { token: stranger.token })).body.data).toEqual([]);
  const product = { title: 'x', category_ids: [mine.id] };
  expect((await api.post('panel/qrmenu/product', { token: stranger.token, body: product })).status).toBe(422);
});

test('two changes of a range at once leave no range that ends before it begins', async () => {
  const desk = await make('desk', { title: 'Bahçe', prefix: 'B', number_start: 1, number_end: 100 });
  const change = (body: object) => api.put(`panel/qrmenu/desk/${desk.id}`, { token, body });
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const both = await api.inTenant(async tx => {
    await tx.run(sql`select from menu_desks where id = ${desk.id} for update`);
    const sent = [change({ number_start: 50 }), change({ number_end: 10 })];
    await vi.waitFor(async () => expect((await api.app.db.pool.query(waiting)).rowCount).toBe(2), { timeout: 120_000 });
    return { sent };
  });
  const answers = await Promise.all(both.sent);
  expect(answers.map(it => it.status).sort()).toEqual([200, 422]);
  const codes = await api.get(`panel/qrmenu/desk/${desk.id}/codes`, { token });
  const { number } = (await api.get(`panel/qrmenu/desk/${desk.id}`, { token })).body.data;
  expect(codes.body.data.length).toBe(number);
  expect([51, 10]).toContain(number);
});
