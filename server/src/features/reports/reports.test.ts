import type { Language } from '@portico/contract/errors.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCsv } from '#lib/csv-read.ts';
import { farZones } from '#test/far-zones.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
/** Days do not end there during the tests. */
const { ahead, behind } = farZones();
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  const body = { brand_name: 'Otel', brand_long_name: 'Otel', time_zone: ahead };
  expect((await api.post('panel/tenant', { token: admin, body })).status).toBe(200);
});

const place = (name: string) => api.location(admin, name);
const paid = async (location: string, option: string, value: number) =>
  (
    await api.post('panel/location/user-profile', {
      token: admin,
      body: { name: 'Paralı', location_id: location, paid_sale: { is_active: true, option, value } },
    })
  ).body.data.id as string;
let names = 0;
const form = (location: string, profile: string | null, days: number) => ({
  name: 'Misafir',
  provider_type: 'username',
  username: `misafir${++names}`,
  password: 'parola1',
  location_id: location,
  profile_id: profile,
  total_paid_day: days,
});
const make = async (location: string, profile: string | null, days: number): Promise<Body> => {
  const answer = await api.post('panel/client', { token: admin, body: form(location, profile, days) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const report = async (name: string, location: string, token = admin) =>
  (await api.get(`panel/reports/total-sales-${name}?location_id=${location}`, { token })).body.data;

describe('sales', () => {
  test('are recorded for paid days, but only for new ones', async () => {
    const location = await place('Satış');
    const profile = await paid(location, 'try', 40);
    const visitor = await make(location, profile, 3);
    expect(visitor.total_paid_day).toBe(3);
    expect(await report('today', location)).toEqual({
      total: 120,
      currency: 'try',
      totals: [{ total: 120, currency: 'try' }],
    });
    const extend = async (days: number, profile_id: string | null = profile) =>
      (
        await api.put(`panel/client/${visitor.id}`, {
          token: admin,
          body: { ...form(location, profile_id, days), username: visitor.username },
        })
      ).body.data;
    await extend(3);
    expect((await report('today', location)).total).toBe(120);
    await extend(5);
    expect((await report('today', location)).total).toBe(200);
    const fewer = await api.put(`panel/client/${visitor.id}`, {
      token: admin,
      body: { ...form(location, profile, 1), username: visitor.username },
    });
    expect([fewer.status, Object.keys(fewer.body.errors)]).toEqual([422, ['total_paid_day']]);
    const { total_paid_day: _, ...unsaid } = form(location, profile, 0);
    const kept = await api.put(`panel/client/${visitor.id}`, {
      token: admin,
      body: { ...unsaid, username: visitor.username },
    });
    expect(kept.body.data.total_paid_day).toBe(5);
    expect((await report('today', location)).total).toBe(200);
    expect((await extend(90, null)).total_paid_day).toBe(5);
    expect((await report('today', location)).total).toBe(200);
    await api.delete(`panel/client/${visitor.id}`, { token: admin });
    expect((await report('today', location)).total).toBe(200);
  });

  test('are recorded once if a visitor is extended twice at the same time', async () => {
    const location = await place('Aynı anda');
    const profile = await paid(location, 'eur', 10);
    const visitor = await make(location, profile, 1);
    const body = { ...form(location, profile, 4), username: visitor.username };
    await Promise.all(Array.from({ length: 5 }, () => api.put(`panel/client/${visitor.id}`, { token: admin, body })));
    expect((await report('today', location)).total).toBe(40);
  });

  test('are recorded for each visitor of a bulk extension', async () => {
    const location = await place('Toplu');
    const profile = await paid(location, 'usd', 7);
    await api.post('panel/client/bulk', {
      token: admin,
      body: {
        name: 'Toplu',
        provider_type: 'username',
        total_user: 20,
        location_id: location,
        profile_id: profile,
        total_paid_day: 2,
      },
    });
    expect(await report('current-month', location)).toMatchObject({ total: 280, currency: 'usd' });
  });

  test('are not recorded without a paid profile or a visitor', async () => {
    const location = await place('Bedava');
    const profile = await paid(location, 'eur', 10);
    await make(location, null, 5);
    const free = { ...form(location, profile, 0), session_end_at: new Date(Date.now() + 86_400_000).toISOString() };
    expect((await api.post('panel/client', { token: admin, body: free })).status).toBe(201);
    expect(
      (await api.post('panel/client', { token: admin, body: { ...form(location, profile, 9), username: '' } })).status,
    ).toBe(422);
    expect(await report('current-year', location)).toEqual({ total: 0, currency: 'eur', totals: [] });
  });

  test('without any have a total of 0 in the currency of the location', async () => {
    const location = await place('Boş');
    expect((await report('today', location)).currency).toBe('eur');
    const profile = await paid(location, 'try', 40);
    expect(await report('today', location)).toEqual({ total: 0, currency: 'try', totals: [] });
    expect((await report('by-month', location)).currency).toBe('try');
    await make(location, await paid(location, 'usd', 5), 1);
    await api.inTenant(tx => tx.run(sql`update sales set sold_on = sold_on - 800 where location_id = ${location}`));
    await api.delete(`panel/location/user-profile/${profile}`, { token: admin });
    expect(await report('current-year', location)).toEqual({ total: 0, currency: 'usd', totals: [] });
  });

  test.each([
    ['ahead', ahead],
    ['behind', behind],
  ])('are told per currency and by the day in a time zone far %s', async (_, zone) => {
    const location = await place('Takvim');
    await api.put(`panel/location/${location}`, { token: admin, body: { time_zone: zone } });
    await make(location, await paid(location, 'eur', 10), 2);
    await make(location, await paid(location, 'gbp', 50), 2);
    expect(await report('today', location)).toEqual({
      total: 100,
      currency: 'gbp',
      totals: [
        { total: 100, currency: 'gbp' },
        { total: 20, currency: 'eur' },
      ],
    });
    const { day, sold } = await api.inTenant(tx =>
      tx.one<{ day: string; sold: boolean }>(sql`
        select to_char(now() at time zone ${zone}, 'YYYY-MM') as day,
          bool_and(sold_on = (sold_at at time zone ${zone})::date) as sold
        from sales where location_id = ${location}`),
    );
    expect(sold, 'each on the day of the location').toBe(true);
    const months = await report('by-month', location);
    expect(months.labels).toHaveLength(12);
    expect(months.labels.at(-1)).toBe(day);
    expect(months).toMatchObject({ currency: 'gbp', series: [{ currency: 'gbp' }, { currency: 'eur' }] });
    expect(months.values.at(-1)).toBe(100);
    expect(months.series[1].values.at(-1)).toBe(20);
  });

  test('of the past are counted in their own month', async () => {
    const location = await place('Geçmiş');
    await make(location, await paid(location, 'eur', 10), 1);
    await api.inTenant(tx =>
      tx.run(
        sql`update sales set sold_on = (now() at time zone ${ahead})::date - interval '370 days' where location_id = ${location}`,
      ),
    );
    for (const period of ['today', 'week', 'current-month', 'current-year'])
      expect((await report(period, location)).total).toBe(0);
    expect((await report('by-month', location)).values.every((value: number) => value === 0)).toBe(true);
    await api.inTenant(tx =>
      tx.run(
        sql`update sales set sold_on = date_trunc('month', now() at time zone ${ahead})::date - 1 where location_id = ${location}`,
      ),
    );
    expect((await report('by-month', location)).values.slice(-2)).toEqual([10, 0]);
    expect((await report('current-month', location)).total).toBe(0);
  });

  test('are visible to users who may see statistics, for their own location', async () => {
    const [location, other] = [await place('Bizim'), await place('Onların')];
    await make(location, await paid(location, 'eur', 10), 1);
    const at = 'panel/reports/total-sales-today';
    expect((await api.get(at)).status).toBe(401);
    expect(
      (await api.get(at, { token: (await api.user('member', { location, permissions: ['view-clients'] })).token }))
        .status,
    ).toBe(403);
    const own = (await api.user('member', { location, permissions: ['view-basic-stats'] })).token;
    expect((await api.get(at, { token: own })).body.data.total).toBe(10);
    const neighbour = (await api.user('member', { location: other })).token;
    expect((await report('today', location, neighbour)).total).toBe(0);
    const foreign = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
    expect((await api.get(at, { token: foreign, tenant: 'elsewhere' })).body.data.total).toBe(0);
  });
});

describe('the list of sales', () => {
  const rows = (text: string) => readCsv(text, 1000).map(it => it.cells);
  const get = (query: string, token = admin, language: Language = 'en') =>
    api.get(`panel/reports/sales?${query}`, { token, language });

  test('is filtered by days of the location, and as a file it has the same rows and sums', async () => {
    const [location, other] = [await place('Kiritimati'), await place('Komşu ada')];
    // It is never the same day on these two islands.
    await api.put(`panel/location/${location}`, { token: admin, body: { time_zone: 'Pacific/Kiritimati' } });
    await api.put(`panel/location/${other}`, { token: admin, body: { time_zone: 'Pacific/Pago_Pago' } });
    const visitor = await make(location, await paid(location, 'try', 40), 3);
    await make(other, await paid(other, 'eur', 10), 1);
    const [sale] = (await get(`location_id=${location}`)).body.data;
    const reversal = await api.post(`panel/reports/sales/${sale.id}/reverse`, {
      token: admin,
      body: { days: 1, reason: '=1+1' },
    });
    expect(reversal.status, reversal.text).toBe(201);
    const day = (zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format();
    const here = day('Pacific/Kiritimati');
    const idsOf = async (query: string) =>
      (await get(`per_page=1000&${query}`)).body.data.map((it: Body) => it.location.id);
    expect(new Set(await idsOf(`first_day=${here}&last_day=${here}`))).toContain(location);
    expect(await idsOf(`first_day=${here}&last_day=${here}`)).not.toContain(other);
    expect(await idsOf(`last_day=${day('Pacific/Pago_Pago')}`)).toContain(other);
    expect(await idsOf(`last_day=${day('Pacific/Pago_Pago')}&location_id=${location}`)).toEqual([]);
    const wrong = await get('first_day=yesterday');
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['first_day']]);

    const file = await get(`download=true&location_id=${location}&first_day=${here}&last_day=${here}`, admin, 'tr');
    expect(file.headers.get('content-disposition')).toContain('sales.csv');
    const [header, ...lines] = rows(file.text);
    expect(header).toContain('Geri alınan satış');
    const at = (name: string) => header!.indexOf(name);
    expect(
      lines.map(it => ['Lokasyon', 'Adet', 'Birim fiyat', 'Toplam', 'Para birimi', 'Neden'].map(name => it[at(name)])),
    ).toEqual([
      ['Kiritimati', '-1', '40', '-40', 'TRY', "'=1+1"],
      ['Kiritimati', '3', '40', '120', 'TRY', ''],
    ]);
    expect(lines.map(it => [it[at('Satış')], it[at('Ziyaretçi')], it[at('Zaman')]!.slice(0, 10)])).toEqual(
      [reversal.body.data.id, sale.id].map(id => [id, visitor.name, here]),
    );
    for (const it of lines) expect(it[at('Zaman')]).toMatch(/ \d\d:\d\d:\d\d\+14$/);
  });

  test('is as a file without the names of a visitor and a profile that are gone', async () => {
    const location = await place('Gidenler');
    const profile = await paid(location, 'eur', 7);
    const visitor = await make(location, profile, 2);
    expect((await api.delete(`panel/client/${visitor.id}`, { token: admin })).status).toBe(204);
    expect((await api.delete(`panel/location/user-profile/${profile}`, { token: admin })).status).toBe(204);
    const [header, ...lines] = rows((await get(`download=true&location_id=${location}`)).text);
    const columns = ['Location', 'Batch or package', 'Session profile', 'Visitor', 'Number', 'Reverses', 'Reason'];
    expect(lines.map(it => columns.map(name => it[header!.indexOf(name)]))).toEqual([
      ['Gidenler', '', '', '', '2', '', ''],
    ]);
  });

  test('has for a member of one device the sales to its visitors and to those of no device', async () => {
    const location = await place('Cihazlı');
    const [brand] = (await api.get('panel/device/brands', { token: admin })).body.data;
    const device = async (mac_address: string) => {
      const body = { location_id: location, brand_id: brand.id, name: 'Kat', mac_address };
      return (await api.post('panel/device', { token: admin, body })).body.data.id as string;
    };
    const [mine, theirs] = [await device('A1:B2:C3:D4:E6:01'), await device('A1:B2:C3:D4:E6:02')];
    const profile = await paid(location, 'eur', 7);
    const soldAt = async (device: string | null) => {
      const { id } = await make(location, profile, 1);
      await api.inTenant(tx => tx.run(sql`update visitors set device_id = ${device} where id = ${id}`));
      return id as string;
    };
    const sold = [await soldAt(mine), await soldAt(theirs), await soldAt(null)];
    const permissions = ['view-clients', 'store-clients', 'update-clients'];
    const seenBy = async (more: object) => {
      const { token } = await api.user('member', { location, permissions, ...more });
      const { data, meta } = (await get('', token)).body;
      expect(rows((await get('download=true', token)).text)).toHaveLength(meta.total + 1);
      return data.map((it: Body) => sold.indexOf(it['visitor'].id)).sort();
    };
    expect(await seenBy({ deviceIds: [mine] })).toEqual([0, 2]);
    expect(await seenBy({ deviceIds: [theirs] })).toEqual([1, 2]);
    expect(await seenBy({})).toEqual([0, 1, 2]);
    const { token } = await api.user('member', { location, permissions, deviceIds: [mine] });
    const [foreign] = (await get(`location_id=${location}`)).body.data.filter(
      (it: Body) => it['visitor'].id === sold[1],
    );
    const at = `panel/reports/sales/${foreign.id}/reverse`;
    expect((await api.post(at, { token, body: { reason: 'x' } })).status).toBe(404);
  });

  test('is as a file, too, closed to those who may not see it', async () => {
    const location = await place('Kapalı');
    const sold = await make(location, await paid(location, 'eur', 7), 1);
    const { token } = await api.user('member', { location, permissions: ['view-basic-stats'] });
    expect((await get('download=true', token)).status).toBe(403);
    const neighbour = (await api.user('member', { location: await place('Yan'), permissions: ['view-clients'] })).token;
    expect(rows((await get('download=true', neighbour)).text)).toHaveLength(1);
    const foreign = await get(`download=true&location_id=${location}`, neighbour);
    expect([foreign.status, foreign.text.includes(sold.name)]).toEqual([200, false]);
  });
});

describe('a reversal of a sale', () => {
  const sales = async (location: string): Promise<Body[]> =>
    (await api.get(`panel/reports/sales?location_id=${location}`, { token: admin })).body.data;
  const reverse = (id: string, body: object, token = admin) =>
    api.post(`panel/reports/sales/${id}/reverse`, { token, body });

  test('and all sales are listed newest first, page by page', async () => {
    const location = await place('Sıra');
    const profile = await paid(location, 'eur', 10);
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.unshift((await make(location, profile, 1)).id);
    const onPages = async () => {
      const pages: string[] = [];
      for (const page of [1, 2, 3]) {
        const { data } = (
          await api.get(`panel/reports/sales?location_id=${location}&per_page=1&page=${page}`, { token: admin })
        ).body;
        pages.push(...data.map((it: Body) => it['id']));
      }
      return pages;
    };
    const all = await sales(location);
    expect(all.map(it => it['visitor_id'] ?? it['visitor']?.id)).toEqual(made);
    expect(await onPages()).toEqual(all.map(it => it['id']));
    await api.inTenant(tx =>
      tx.run(sql`
        update sales s set sold_at = (select max(sold_at) from sales x where x.location_id = s.location_id)
        where location_id = ${location}`),
    );
    const ofOneMoment = all
      .map(it => it['id'])
      .sort()
      .reverse();
    expect((await sales(location)).map(it => it['id'])).toEqual(ofOneMoment);
    expect(await onPages()).toEqual(ofOneMoment);
  });

  test('removes days and revenue, and is in the report and the audit log with its reason', async () => {
    const location = await place('İade');
    const profile = await paid(location, 'try', 40);
    const visitor = await make(location, profile, 5);
    const [sold] = await sales(location);
    const partly = await reverse(sold!.id, { days: 3, reason: 'Erken ayrıldı' });
    expect(partly.status, partly.text).toBe(201);
    expect(partly.body.data).toMatchObject({ days: -3, total: -120, reverses: sold!.id, reason: 'Erken ayrıldı' });
    expect((await report('today', location)).total).toBe(80);
    expect(await sales(location)).toMatchObject([
      { days: -3, visitor: { id: visitor.id } },
      { days: 5, reversed_days: 3, reverses: null },
    ]);
    const one = async () => (await api.get(`panel/client/${visitor.id}`, { token: admin })).body.data;
    expect(await one()).toMatchObject({ total_paid_day: 2, session_end_at: null });
    const body = { ...form(location, profile, 6), username: visitor.username };
    await api.put(`panel/client/${visitor.id}`, { token: admin, body });
    expect((await report('today', location)).total).toBe(240);

    const tooMany = await reverse(sold!.id, { days: 3, reason: 'x' });
    expect([tooMany.status, Object.keys(tooMany.body.errors)]).toEqual([422, ['days']]);
    const silent = await reverse(sold!.id, { days: 1 });
    expect([silent.status, Object.keys(silent.body.errors)]).toEqual([422, ['reason']]);
    const reversal = (await sales(location)).find(it => it.reverses)!;
    expect((await reverse(reversal.id, { reason: 'x' })).status).toBe(422);
    expect((await report('today', location)).total).toBe(240);
    const log = (await api.get(`panel/audit?location_id=${location}&verb=reverse`, { token: admin })).body.data;
    expect(log).toMatchObject([
      { subject: { type: 'sale', id: sold!.id }, before: { days: 5 }, after: { days: 2, reason: 'Erken ayrıldı' } },
    ]);
    const ofVisitor = (await api.get(`panel/client/${visitor.id}/sales`, { token: admin })).body.data;
    expect(ofVisitor.map((it: Body) => it.days).sort()).toEqual([-3, 4, 5]);
  });

  test('of all days ends the access of the visitor; two at once count once', async () => {
    const location = await place('Tam iade');
    const profile = await paid(location, 'eur', 10);
    const visitor = await make(location, profile, 2);
    const [sold] = await sales(location);
    const answers = await Promise.all([1, 2, 3].map(() => reverse(sold!.id, { reason: 'İki kez basıldı' })));
    expect(answers.map(it => it.status).sort()).toEqual([201, 422, 422]);
    expect((await report('today', location)).total).toBe(0);
    const { total_paid_day, session_end_at } = (await api.get(`panel/client/${visitor.id}`, { token: admin })).body
      .data;
    expect(total_paid_day).toBe(0);
    expect(Date.parse(session_end_at)).toBeLessThanOrEqual(Date.now());
  });

  test('stays after its visitor is deleted, and needs the permission to change visitors', async () => {
    const location = await place('Yetki');
    const visitor = await make(location, await paid(location, 'eur', 10), 2);
    const [sold] = await sales(location);
    const viewer = (await api.user('member', { location, permissions: ['view-clients'] })).token;
    const neighbour = (await api.user('member', { location: await place('Komşu') })).token;
    expect((await reverse(sold!.id, { reason: 'x' }, viewer)).status).toBe(403);
    expect((await reverse(sold!.id, { reason: 'x' }, neighbour)).status).toBe(404);
    await api.delete(`panel/client/${visitor.id}`, { token: admin });
    expect((await reverse(sold!.id, { reason: 'Hesap silindi' })).body.data).toMatchObject({
      total: -20,
      visitor: null,
    });
    expect((await report('today', location)).total).toBe(0);
  });
});
