import sql from 'sql-template-tag';
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

test('locations are ordered by name, regardless of case', async () => {
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

/** By the Turkish alphabet: ç after c, ı before i, ş after s. Signs come before digits, and those before letters. */
const alphabet = [
  ...[
    '(eski) Salon',
    '2. Kat',
    'ALİ',
    'Âlim',
    'Can',
    'CZ',
    'Çay',
    'ÇINAR',
    'çiçek',
    'Dere',
    'gz',
    'ğa',
    'Hz',
    'Ilgaz',
    'ılıca',
  ],
  ...[
    'IRMAK',
    'İbrahim',
    'ipek',
    'José',
    'Oz',
    'öz',
    'Pera',
    'queen',
    'Sz',
    'Şa',
    'Uz',
    'Ülker',
    'vw',
    'W',
    'xy',
    'Yz',
    'ZZ',
  ],
];
const shuffled = alphabet.map((name, n) => ({ name, at: (n * 13) % alphabet.length })).sort((a, b) => a.at - b.at);

test('names of every list follow the Turkish alphabet, in both directions and across pages', async () => {
  const place = await api.location(admin, 'Alfabe');
  const each = sql`unnest(${shuffled.map(({ name }) => name)}::text[]) with ordinality x(name, n)`;
  const off = JSON.stringify({ is_active: false, option: 'day', value: 1 });
  await api.inTenant(async tx => {
    await tx.run(sql`
      insert into visitors (id, location_id, name, provider_type, username, session_duration, max_upload, max_download)
      select new_id(), ${place}, name, 'username', name, ${off}, ${off}, ${off} from ${each}`);
    await tx.run(sql`
      insert into devices (id, location_id, brand_id, name, mac_address, nas_identifier, secret, trial_end_at)
      select new_id(), ${place}, b.id, x.name, 'AB:CD:' || n, 'alphabet' || n, 'x', now() + interval '15 days'
      from ${each} cross join (select id from brands limit 1) b`);
    await tx.run(sql`
      insert into voucher_batches (id, location_id, name, shared_user, valid_for, valid_until, price, currency, note, at_desk)
      select new_id(), ${place}, name, 1, ${off}, current_date, 0, 'try', '', false from ${each}`);
  });
  for (const list of ['client', 'device', 'voucher-batch']) {
    const at = `panel/${list}?location_id=${place}&sort=name&order=`;
    expect(await listed(`${at}asc&per_page=50`), list).toEqual(alphabet);
    expect(await listed(`${at}desc&per_page=50`), list).toEqual([...alphabet].reverse());
    const pages = await Promise.all([1, 2, 3, 4].map(page => listed(`${at}asc&per_page=8&page=${page}`)));
    expect(pages.flat(), list).toEqual(alphabet);
  }
});
