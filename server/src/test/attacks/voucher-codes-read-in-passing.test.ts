import { beforeAll, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a member of the desk reads the codes of vouchers that lie printed at the reception, and uses or sells them.
 * Nothing tells who it was. The member must be able to print them again, so each reading has to leave a trace.
 */

let api: TestApi;
let admin: string;
let clerk: { id: string; token: string };
let batch: Body;
let location: string;
const base = 'panel/voucher-batch';
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  clerk = await api.user('member', { location, permissions: ['view-vouchers', 'store-vouchers'] });
  const valid_for = { is_active: true, option: 'day', value: 1 };
  const body = { name: 'Pool', location_id: location, count: 3, valid_for, price: 250, currency: 'eur' };
  batch = (await api.post(base, { token: admin, body })).body.data;
});

const list = async (search = '') =>
  (await api.get(`${base}/${batch.id}/vouchers${search}`, { token: clerk.token })).body;
const prints = async (): Promise<Body[]> =>
  (await api.get('panel/audit?per_page=100', { token: admin })).body.data.filter((it: Body) => it.verb === 'export');

test('lists show no unused code, and printing one names the member in the audit log', async () => {
  expect((await list()).data.map((it: Body) => it.code)).toEqual([null, null, null]);
  expect((await list('?search=2')).data).toMatchObject([{ number: 2, code: null }]);
  expect(await prints()).toEqual([]);
  const [first] = (await list()).data;
  const answer = await api.post(`${base}/${batch.id}/cards`, { token: clerk.token, body: { voucher_ids: [first.id] } });
  const [{ code }] = answer.body.data;
  expect(await prints()).toMatchObject([{ user: { id: clerk.id } }]);
  expect((await list(`?search=${code}`)).data).toMatchObject([{ number: 1, code }]);
});

test('of a batch of another location it prints, hands out and sees nothing', async () => {
  const elsewhere = await api.location(admin, 'Kafe');
  const { token } = await api.user('member', { location: elsewhere });
  const answers = await Promise.all([
    api.get(`${base}/${batch.id}/vouchers`, { token }),
    api.post(`${base}/${batch.id}/cards`, { token, body: {} }),
    api.post(`${base}/${batch.id}/issue`, { token, body: { count: 1 } }),
    api.post(`${base}/${batch.id}/revoke`, { token, body: { all: true } }),
    api.get(`panel/voucher-desk?location_id=${location}`, { token }),
  ]);
  for (const it of answers) expect([403, 404, 422]).toContain(it.status);
});
