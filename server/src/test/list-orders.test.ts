import { beforeAll, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from './harness.ts';

let api: TestApi;
let admin: string;
let location: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Zeytin Otel');
});

const listed = async (at: string, field = 'name'): Promise<string[]> => {
  const answer = await api.get(at, { token: admin });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.map((it: Body) => it[field]);
};
const refuses = async (at: string) => {
  const answer = await api.get(`${at}?sort=id`, { token: admin });
  expect([answer.status, answer.body.errors]).toMatchObject([422, { sort: [expect.any(String)] }]);
};

test('locations are ordered by name, as they are searched', async () => {
  await api.location(admin, 'Çınar Otel');
  await api.location(admin, 'dere otel');
  expect(await listed('panel/location')).toEqual(['dere otel', 'Çınar Otel', 'Zeytin Otel']);
  expect(await listed('panel/location?sort=name&order=asc')).toEqual(['Çınar Otel', 'dere otel', 'Zeytin Otel']);
  expect(await listed('panel/location?sort=name&order=desc&per_page=1&page=2')).toEqual(['dere otel']);
  await refuses('panel/location');
});

test('batches of vouchers are ordered by name and by what is left', async () => {
  for (const [name, count] of [
    ['Toplantı', 2],
    ['Çay bahçesi', 5],
    ['Lobi', 3],
  ] as const) {
    const valid_for = { is_active: true, option: 'day', value: 1 };
    const body = { location_id: location, name, count, valid_for, shared_user: 1, price: 0, currency: 'try', note: '' };
    const made = await api.post('panel/voucher-batch', { token: admin, body });
    expect(made.status, made.text).toBe(201);
  }
  const at = 'panel/voucher-batch';
  expect(await listed(at)).toEqual(['Lobi', 'Çay bahçesi', 'Toplantı']);
  expect(await listed(`${at}?sort=name&order=asc`)).toEqual(['Çay bahçesi', 'Lobi', 'Toplantı']);
  expect(await listed(`${at}?sort=left&order=asc`)).toEqual(['Toplantı', 'Lobi', 'Çay bahçesi']);
  expect(await listed(`${at}?sort=left&order=desc`)).toEqual(['Çay bahçesi', 'Lobi', 'Toplantı']);
  await refuses(at);
});

test('members are ordered by name and by when they joined', async () => {
  const first = await api.user('member', { location });
  const second = await api.user('member', { location });
  const at = `panel/location/${location}/user`;
  expect(await listed(`${at}?order=asc`, 'id')).toEqual([first.id, second.id]);
  expect(await listed(at, 'id')).toEqual([second.id, first.id]);
  expect(await listed(`${at}?sort=name&order=asc`, 'id')).toEqual([first.id, second.id]);
  expect(await listed(`${at}?sort=name&order=desc`, 'id')).toEqual([second.id, first.id]);
  await refuses(at);
});
