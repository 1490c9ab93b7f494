import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordPast } from '#features/sessions/public.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
/** Each test has a tenant of its own. */
let tenant: string;
let admin: string;

const hour = 3_600_000;
const user = (role: Parameters<TestApi['user']>[0], more: object = {}) => api.user(role, { tenant, ...more });
const get = async (at: string, token = admin): Promise<Body> =>
  (await api.get(`panel/statistics/${at}`, { token, tenant })).body;
const setup = async (query = '', token?: string): Promise<Body> => (await get(`setup${query}`, token)).data;
const run = (text: string, ...values: unknown[]) => api.app.db.pool.query(text, values);
const post = async (at: string, body: object): Promise<Body> => {
  const answer = await api.post(at, { token: admin, tenant, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

const addLocation = async (name: string): Promise<string> => (await post('panel/location', { name })).id;
const addRouter = async (location_id: string): Promise<string> => {
  const [brand] = (await api.get('panel/device/brands', { token: admin, tenant })).body.data;
  const router = { location_id, brand_id: brand.id, name: 'Lobi', mac_address: 'A1:B2:C3:D4:E5:01' };
  return (await post('panel/device', router)).id;
};
const seeRouter = (id: string) => run('update devices set last_seen_at = now() where id = $1', id);
const addVisitor = (location_id: string) =>
  post('panel/client', {
    ...{ location_id, name: 'Ayşe', provider_type: 'username', username: 'ayse', password: 'secret1' },
  });
/** Sessions that began so many hours ago. */
const visit = async (deviceId: string, hoursAgo: readonly number[]) =>
  recordPast(
    api.app,
    await api.tenantId(tenant),
    hoursAgo.map((ago, n) => ({
      ...{ deviceId, username: 'ayse', mac: 'A1:B2:C3:00:00:01', ip: '10.5.50.9', sessionId: `s${n}` },
      startedAt: new Date(Date.now() - ago * hour),
      ...{ seconds: 0, upload: 0, download: 0 },
    })),
  );

beforeAll(async () => {
  api = await startApi();
});

let tenants = 0;
beforeEach(async () => {
  tenant = `hotels-${++tenants}`;
  admin = (await user('tenant-admin')).token;
});

test('each step of the set-up is ticked by what exists', async () => {
  const nothing = { location: false, device: null, connected: false, portal: false, visitor: false, online: false };
  expect(await setup()).toEqual(nothing);
  const hotel = await addLocation('Çınar Otel');
  expect(await setup()).toEqual({ ...nothing, location: true });
  const device = await addRouter(hotel);
  expect(await setup()).toMatchObject({ device: { id: device, name: 'Lobi' }, connected: false });
  await seeRouter(device);
  expect(await setup()).toMatchObject({ connected: true, portal: false });
  await post('panel/portal', { name: 'Karşılama', location_id: hotel });
  expect(await setup()).toMatchObject({ portal: true, visitor: false });
  await addVisitor(hotel);
  expect(await setup()).toMatchObject({ visitor: true, online: false });
  await visit(device, [0]);
  expect(await setup()).toMatchObject({ online: true });
});

test('a location that is not set up has its own steps, and those of other locations stay hidden', async () => {
  const [hotel, cafe] = [await addLocation('Çınar Otel'), await addLocation('Kafe')];
  const device = await addRouter(hotel);
  await seeRouter(device);
  await post('panel/portal', { name: 'Karşılama', location_id: hotel });
  await addVisitor(hotel);
  await visit(device, [0]);
  expect(await setup(`?locationIds=${cafe}`)).toMatchObject({ location: true, device: null, portal: false });
  const { token } = await user('member', { location: cafe });
  expect(await setup('', token)).toMatchObject({ location: true, device: null, visitor: false, online: false });
  expect(await setup(`?locationIds=${hotel}`, token)).toMatchObject({ location: false, device: null });
});

test('the last day stands beside the day before and the week before', async () => {
  const [hotel, cafe] = [await addLocation('Çınar Otel'), await addLocation('Kafe')];
  await addVisitor(hotel);
  await visit(await addRouter(hotel), [0, 24, 24, ...Array<number>(4).fill(24 * 7), 24 * 3]);
  const { labels, values, yesterday, last_week } = (await get('last-day')).data;
  expect(labels).toHaveLength(24);
  const sum = (of: number[]) => of.reduce((all, n) => all + n, 0);
  expect([values, yesterday, last_week].map(sum)).toEqual([1, 2, 4]);
  expect(values.at(-1) + values.at(-2), 'the current hour is the last').toBe(1);
  const other = (await get(`last-day?locationIds=${cafe}`)).data;
  expect(sum(other.values)).toBe(0);
  expect(other.labels).toEqual(labels);
});

describe('the health of locations', () => {
  test('has the worst first, and counts those that are well', async () => {
    const [hotel, cafe] = [await addLocation('Çınar Otel'), await addLocation('Kafe')];
    const device = await addRouter(hotel);
    await seeRouter(device);
    expect(await get('locations')).toMatchObject({
      data: [{ location: { name: 'Çınar Otel' } }, { location: { name: 'Kafe' } }],
      meta: { total: 2, well: 2 },
    });
    await run(`update devices set last_seen_at = now() - interval '2 hours' where id = $1`, device);
    expect(await get('locations')).toMatchObject({
      data: [{ location: { id: hotel }, devices: 1, offline: 1, waiting: 0, service: 'running' }, { devices: 0 }],
      meta: { total: 2, well: 1 },
    });
    await run(`update locations set trial_end_at = now() - interval '1 day' where id = $1`, cafe);
    expect((await get('locations')).data).toMatchObject([{ location: { id: cafe }, service: 'ended' }, { offline: 1 }]);
    await run(
      `update locations set trial_end_at = now() + interval '9 days', sms_limit = 10, sms_used = 10 where id = $1`,
      cafe,
    );
    expect((await get('locations')).data).toMatchObject([{ location: { id: hotel } }, { problems: 1 }]);
  });

  test('is that of the caller’s locations', async () => {
    await addLocation('Çınar Otel');
    const cafe = await addLocation('Kafe');
    const { token } = await user('member', { location: cafe });
    expect((await get('locations', token)).data).toMatchObject([{ location: { id: cafe } }]);
    expect((await get('locations', (await user('reseller')).token)).meta).toEqual({ total: 0, well: 0 });
  });
});
