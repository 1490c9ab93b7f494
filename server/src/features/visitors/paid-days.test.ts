import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let names = 0;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
});

const day = 86_400_000;
const profile = async (more: object = {}): Promise<string> =>
  (
    await api.post('panel/location/user-profile', {
      token: admin,
      body: {
        name: 'Ücretli',
        location_id: location,
        paid_sale: { is_active: true, option: 'eur', value: 5 },
        ...more,
      },
    })
  ).body.data.id;
const form = (more: object): Body => ({
  location_id: location,
  name: 'Ada',
  provider_type: 'username',
  username: `ada${++names}`,
  password: 'parola1',
  ...more,
});
const make = async (more: object): Promise<Body> => {
  const answer = await api.post('panel/client', { token: admin, body: form(more) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const one = async (id: string): Promise<Body> => (await api.get(`panel/client/${id}`, { token: admin })).body.data;
const inDays = (time: string) => (Date.parse(time) - Date.now()) / day;

describe('paid days', () => {
  test('from the purchase end on time, and an extension moves the end', async () => {
    const visitor = await make({ profile_id: await profile({ paid_days_from: 'purchase' }), total_paid_day: 3 });
    expect(inDays(visitor.session_end_at)).toBeCloseTo(3, 1);
    expect(visitor.paid_end_at).toBe(visitor.session_end_at);
    expect(visitor.balance.seconds / 86_400).toBeCloseTo(3, 1);
    const extended = await api.post(`panel/client/${visitor.id}/extend`, { token: admin, body: { days: 4 } });
    expect(extended.body.data).toMatchObject({ total_paid_day: 7 });
    expect(inDays(extended.body.data.session_end_at)).toBeCloseTo(7, 1);
    expect(inDays(extended.body.data.paid_end_at)).toBeCloseTo(7, 1);
    const changed = await api.put(`panel/client/${visitor.id}`, {
      token: admin,
      body: { ...form({}), ...extended.body.data, password: undefined, total_paid_day: 9 },
    });
    expect(changed.status, changed.text).toBe(200);
    expect(inDays(changed.body.data.session_end_at)).toBeCloseTo(9, 1);
    const cleared = await api.put(`panel/client/${visitor.id}`, {
      token: admin,
      body: { ...changed.body.data, password: undefined, session_end_at: null },
    });
    expect(cleared.body.data.session_end_at).toBe(cleared.body.data.paid_end_at);
  });

  test('from the first use have no end before it, even when extended', async () => {
    const visitor = await make({ profile_id: await profile(), total_paid_day: 3 });
    expect(visitor).toMatchObject({ session_end_at: null, paid_end_at: null });
    const extended = await api.post(`panel/client/${visitor.id}/extend`, { token: admin, body: { days: 4 } });
    expect(extended.body.data).toMatchObject({ total_paid_day: 7, session_end_at: null, paid_end_at: null });
  });

  test('from the purchase begin with the stay, and end no later than the end date', async () => {
    const id = await profile({ paid_days_from: 'purchase' });
    const begins = new Date(Date.now() + 10 * day).toISOString();
    const stay = await make({ profile_id: id, total_paid_day: 2, session_start_at: begins });
    expect(inDays(stay.session_end_at)).toBeCloseTo(12, 1);
    const ends = new Date(Date.now() + day).toISOString();
    const short = await make({ profile_id: id, total_paid_day: 2, session_end_at: ends });
    expect(inDays(short.session_end_at)).toBeCloseTo(1, 1);
    expect(inDays(short.paid_end_at)).toBeCloseTo(2, 1);
  });

  test('of visitors created in bulk begin for each', async () => {
    const id = await profile({ paid_days_from: 'purchase' });
    const body = {
      location_id: location,
      name: 'Kart',
      provider_type: 'username',
      total_user: 3,
      profile_id: id,
      total_paid_day: 2,
    };
    const made = (await api.post('panel/client/bulk', { token: admin, body })).body.data;
    for (const it of made) expect(inDays((await one(it.id)).session_end_at)).toBeCloseTo(2, 1);
  });

  test('are taken back when the sale is reversed', async () => {
    const visitor = await make({ profile_id: await profile({ paid_days_from: 'purchase' }), total_paid_day: 5 });
    const [sale] = (await api.get(`panel/client/${visitor.id}/sales`, { token: admin })).body.data;
    const reverse = (days: number, language: 'tr' | 'en' = 'en') =>
      api.post(`panel/reports/sales/${sale.id}/reverse`, { token: admin, language, body: { days, reason: 'Yanlış' } });
    expect((await reverse(6)).body.errors).toEqual({ days: ['At most 5 days of this sale can be reversed.'] });
    expect((await reverse(6, 'tr')).body.errors).toEqual({ days: ['Bu satıştan en çok 5 gün geri alınabilir.'] });
    await reverse(3);
    expect((await reverse(3)).body.errors).toEqual({ days: ['At most 2 days of this sale can be reversed.'] });
    const after = await one(visitor.id);
    expect(inDays(after.session_end_at)).toBeCloseTo(2, 1);
    expect(inDays(after.paid_end_at)).toBeCloseTo(2, 1);
    await reverse(2);
    expect((await reverse(1)).body.errors).toEqual({ days: ['All days of this sale are reversed already.'] });
    expect((await reverse(1, 'tr')).body.errors).toEqual({ days: ['Bu satışın bütün günleri zaten geri alınmış.'] });
  });

  test.for([
    ['the form', (id: string) => api.put(`panel/client/${id}`, { token: admin, body: { total_paid_day: 3 } })],
    [
      'the whole form',
      async (id: string) =>
        api.put(`panel/client/${id}`, {
          token: admin,
          body: { ...(await one(id)), password: undefined, total_paid_day: 3 },
        }),
    ],
    ['an extension', (id: string) => api.post(`panel/client/${id}/extend`, { token: admin, body: { days: 3 } })],
    [
      'an extension of several',
      (id: string) => api.post('panel/client/selected/extend', { token: admin, body: { ids: [id], days: 3 } }),
    ],
  ] as const)('that were taken back before they began can be bought again by %s', async ([, buy]) => {
    const visitor = await make({ profile_id: await profile(), total_paid_day: 2 });
    const [sale] = (await api.get(`panel/client/${visitor.id}/sales`, { token: admin })).body.data;
    await api.post(`panel/reports/sales/${sale.id}/reverse`, { token: admin, body: { reason: 'Yanlış' } });
    const without = await one(visitor.id);
    expect(without).toMatchObject({ total_paid_day: 0, paid_end_at: null });
    expect(inDays(without.session_end_at)).toBeLessThanOrEqual(0);
    const bought = await buy(visitor.id);
    expect(bought.status, bought.text).toBe(200);
    expect(await one(visitor.id)).toMatchObject({ total_paid_day: 3, session_end_at: null, paid_end_at: null });
  });

  test('are in the audit log of the visitors who got them', async () => {
    const id = await profile();
    const newest = async () => (await api.get('panel/audit?per_page=1', { token: admin })).body.data[0].after;
    await make({ profile_id: id, total_paid_day: 4 });
    expect(await newest()).toMatchObject({ total_paid_day: 4 });
    const bulk = { location_id: location, name: 'Kart', provider_type: 'username', total_user: 3 };
    await api.post('panel/client/bulk', { token: admin, body: { ...bulk, profile_id: id, total_paid_day: 2 } });
    expect(await newest()).toMatchObject({ total_user: 3, days: 2 });
    await make({});
    expect(await newest()).not.toHaveProperty('total_paid_day');
  });
});

test('days that are sent without a paid profile are not sold, and the answer says so', async () => {
  const free = await profile({ paid_sale: { is_active: false } });
  const warned = ['No days were sold: only a paid session profile sells days.'];
  const visitor = await api.post('panel/client', { token: admin, body: form({ profile_id: free, total_paid_day: 2 }) });
  expect(visitor.body).toMatchObject({ data: { total_paid_day: 0 }, warnings: warned });
  const change = async (body: object) =>
    (await api.put(`panel/client/${visitor.body.data.id}`, { token: admin, body })).body.warnings;
  expect([await change({ total_paid_day: 3 }), await change({ total_paid_day: 0 }), await change({})]).toEqual([
    warned,
    [],
    [],
  ]);
  const bulk = { location_id: location, name: 'Kart', provider_type: 'username', total_user: 1, total_paid_day: 2 };
  expect((await api.post('panel/client/bulk', { token: admin, body: bulk })).body.warnings).toEqual(warned);
  const sold = { ...form({ profile_id: await profile(), total_paid_day: 2 }) };
  expect((await api.post('panel/client', { token: admin, body: sold })).body.warnings).toEqual([]);
});

describe('a paid profile without paid days', () => {
  const post = async (path: string, body: Body) => {
    const answer = await api.post(path, { token: admin, body });
    return [answer.status, Object.keys(answer.body.errors ?? {})];
  };

  test('is refused where an operator gives it, because access would have no end', async () => {
    const paid = await profile();
    const refused = [422, ['total_paid_day']];
    expect(await post('panel/client', form({ profile_id: paid }))).toEqual(refused);
    const bulk = { location_id: location, name: 'Kart', provider_type: 'username', total_user: 2, profile_id: paid };
    expect(await post('panel/client/bulk', bulk)).toEqual(refused);
    const visitor = await make({});
    const change = await api.put(`panel/client/${visitor.id}`, { token: admin, body: { profile_id: paid } });
    expect([change.status, Object.keys(change.body.errors)]).toEqual(refused);
    expect(await post(`panel/client/${visitor.id}/move`, { profile_id: paid })).toEqual([422, ['profile_id']]);
    expect((await one(visitor.id)).profile_id).toBeNull();
  });

  test('stays with a visitor whose sale was reversed, who can be renamed and sold days again', async () => {
    const visitor = await make({ profile_id: await profile(), total_paid_day: 1 });
    const [sale] = (await api.get(`panel/client/${visitor.id}/sales`, { token: admin })).body.data;
    await api.post(`panel/reports/sales/${sale.id}/reverse`, { token: admin, body: { reason: 'Yanlış' } });
    const renamed = await api.put(`panel/client/${visitor.id}`, { token: admin, body: { name: 'Eda' } });
    expect([renamed.status, renamed.body.data?.total_paid_day]).toEqual([200, 0]);
    expect(await post(`panel/client/${visitor.id}/extend`, { days: 2 })).toEqual([200, []]);
  });
});

describe('the balance', () => {
  test('of a visitor is calculated like at sign-in', async () => {
    const limit = (option: string, value: number) => ({ is_active: true, option, value });
    const id = await profile({
      daily_duration: limit('hour', 2),
      total_duration: limit('hour', 10),
      daily_quota: limit('gb', 1),
      total_quota: limit('gb', 3),
      paid_sale: { is_active: false },
    });
    const visitor = await make({ profile_id: id });
    const whole = {
      seconds: 7200,
      seconds_today: 7200,
      seconds_total: 36_000,
      bytes: 1e9,
      bytes_today: 1e9,
      bytes_total: 3e9,
      devices: 0,
    };
    expect(visitor.balance).toEqual(whole);
    const used = (ago: number, seconds: number, bytes: number) =>
      api.app.db.withSystem(tx =>
        tx.run(sql`insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download, seconds)
          select l.tenant_id, l.id, local_day(l.time_zone) - ${ago}::int, ${visitor.id}, 1, ${bytes}, ${bytes}, ${seconds}
          from locations l where l.id = ${location}`),
      );
    await used(0, 600, 1e8);
    await used(3, 3600, 1e9);
    expect((await one(visitor.id)).balance).toEqual({
      ...whole,
      seconds: 6600,
      seconds_today: 6600,
      seconds_total: 31_800,
      bytes: 8e8,
      bytes_today: 8e8,
      bytes_total: 8e8,
    });
  });

  test('is null without a limit', async () => {
    const { balance } = await make({});
    expect(balance).toEqual({
      seconds: null,
      seconds_today: null,
      seconds_total: null,
      bytes: null,
      bytes_today: null,
      bytes_total: null,
      devices: 0,
    });
  });
});
