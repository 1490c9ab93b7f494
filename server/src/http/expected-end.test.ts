import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
});

const post = (path: string, body: Body, language: 'tr' | 'en' = 'en') =>
  api.post(path, { token: admin, body, language });
const read = async (path: string): Promise<Body> => (await api.get(path, { token: admin })).body.data;
const created = async (path: string, body: Body): Promise<Body> => {
  const answer = await post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

/** One as it is stored: the balance of a visitor runs down by the second. */
const stored = async (one: string): Promise<Body> => {
  const { balance: _, ...rest } = await read(one);
  return rest;
};

/** Adds time twice for the same end, as two people do who see the same screen. */
async function addTwice(add: string, one: string, body: Body, field = 'expected_end_at', end = 'license_end_at') {
  const seen = (await read(one))[end];
  const first = await post(add, { ...body, [field]: seen });
  expect(first.status, first.text).toBe(200);
  const after = await stored(one);
  const second = await post(add, { ...body, [field]: seen });
  expect([second.status, second.body.code]).toEqual([409, 'end_changed']);
  expect(second.body.current).toEqual({ [field]: after[end] });
  expect(Object.keys(second.body.errors)).toEqual([field]);
  expect(await stored(one)).toEqual(after);
  const third = await post(add, { ...body, [field]: second.body.current[field] });
  expect(third.status, third.text).toBe(200);
  return { first, second, third };
}

describe('an end that the caller saw and that is not stored any more', () => {
  test('refuses the licence of a location, in both languages', async () => {
    const id = await api.location(admin, 'Bir');
    await addTwice(`panel/location/${id}/license`, `panel/location/${id}`, { year: 1 });
    const turkish = await post(`panel/location/${id}/license`, { year: 1, expected_end_at: null }, 'tr');
    expect(turkish.body.message).toBe('Bitiş bu arada değişti. Hiçbir şey eklenmedi: önce yeni bitişi denetleyin.');
    expect(turkish.body.errors).toEqual({ expected_end_at: ['Bitiş bu arada değişti. Hiçbir şey eklenmedi.'] });
  });

  test('makes ten licences at once one, and leaves one entry in the log', async () => {
    const id = await api.location(admin, 'On');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(`panel/location/${id}/license`, { year: 1, expected_end_at: null })),
    );
    expect(answers.map(it => it.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const log = await read(`panel/audit?location_id=${id}&per_page=50`);
    expect(log.filter((it: Body) => it.after?.license_end_at)).toEqual([
      expect.objectContaining({ before: expect.objectContaining({ license_end_at: null }) }),
    ]);
  });

  test('refuses the licence of a device', async () => {
    const [brand] = await read('panel/device/brands');
    const { id } = await created('panel/device', {
      ...{ brand_id: brand.id, name: 'Router', mac_address: '02AB00000001', location_id: location },
    });
    await addTwice(`panel/device/${id}/license`, `panel/device/${id}`, { year: 1 });
  });

  test('of one customer refuses the licences of all, and names that customer', async () => {
    const ids = [await api.location(admin, 'Sol'), await api.location(admin, 'Sağ')] as const;
    const body = { ids, year: 1, expected_end_at: { [ids[0]]: null, [ids[1]]: null } };
    await post(`panel/location/${ids[1]}/license`, { year: 2 });
    const answer = await post('panel/location/licenses', body);
    const { license_end_at: end } = await read(`panel/location/${ids[1]}`);
    expect([answer.status, answer.body.current]).toEqual([409, { [`expected_end_at.${ids[1]}`]: end }]);
    expect((await read(`panel/location/${ids[0]}`)).license_end_at).toBeNull();
    const right = { ...body, expected_end_at: { ...body.expected_end_at, [ids[1]]: end } };
    expect((await post('panel/location/licenses', right)).body.data).toEqual({ licensed: 2 });
  });

  test('of one customer also when its id is in upper case', async () => {
    const id = await api.location(admin, 'Büyük harf');
    await post(`panel/location/${id}/license`, { year: 2 });
    const ID = id.toUpperCase();
    const answer = await post('panel/location/licenses', { ids: [ID], year: 1, expected_end_at: { [ID]: null } });
    expect([answer.status, answer.body.code]).toEqual([409, 'end_changed']);
  });

  test('tells nothing of a customer that is not among those to license', async () => {
    const [mine, other] = [await api.location(admin, 'Benim'), await api.location(admin, 'Başka')];
    await post(`panel/location/${other}/license`, { year: 1 });
    const answer = await post('panel/location/licenses', { ids: [mine], year: 1, expected_end_at: { [other]: null } });
    expect([answer.status, answer.text.includes(other)]).toEqual([200, false]);
  });

  test('refuses the extension of a visitor, before and after the paid days begin', async () => {
    const paid = { is_active: true, option: 'eur', value: 5 };
    const profile = await created('panel/location/user-profile', {
      ...{ name: 'Ücretli', location_id: location, paid_sale: paid },
    });
    const visitor = await created('panel/client', {
      ...{ location_id: location, name: 'Ada', provider_type: 'username', username: 'ada', password: 'parola1' },
      ...{ profile_id: profile.id, total_paid_day: 2 },
    });
    const one = `panel/client/${visitor.id}`;
    await addTwice(`${one}/extend`, one, { days: 1 }, 'expected_paid_day', 'total_paid_day');
    await api.inTenant(tx =>
      tx.run(sql`update visitors set session_end_at = now() + interval '4 days', paid_end_at = now() + interval '4 days'
        where id = ${visitor.id}`),
    );
    await addTwice(`${one}/extend`, one, { days: 1 }, 'expected_end_at', 'session_end_at');
    const days = (await read(`${one}/sales`)).map((it: Body) => it.days);
    expect(days.reduce((sum: number, it: number) => sum + it, 0)).toBe((await read(one)).total_paid_day);
  });

  test('must be a time with its zone', async () => {
    for (const expected_end_at of ['yesterday', '2027-01-01T00:00:00', 7]) {
      const answer = await post(`panel/location/${location}/license`, { year: 1, expected_end_at });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['expected_end_at']]);
    }
  });
});
