import { beforeAll, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { type Answer, type Body, startApi, type TestApi } from '#test/harness.ts';
import { fieldOf } from './taken-field.ts';

let api: TestApi;
let token: string;
let location_id: string;
let brand_id: string;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  location_id = await api.location(token, 'Otel');
  const brands: Body[] = (await api.get('panel/device/brands', { token })).body.data;
  brand_id = brands.find(it => it.slug === 'mikrotik').id;
});

/** Both requests pass their checks, and only then may write to the table. */
async function atOnce(table: string, requests: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const holder = await api.app.db.pool.connect();
  try {
    await holder.query(`begin; lock table ${table} in share mode`);
    const answers = Promise.all(requests.map(request => request()));
    const waiting = `select from pg_locks where relation = '${table}'::regclass and not granted`;
    await expect.poll(async () => (await api.app.db.pool.query(waiting)).rowCount).toBe(requests.length);
    await holder.query('commit');
    return (await answers).sort((one, other) => one.status - other.status);
  } finally {
    holder.release();
  }
}
const post = (at: string, body: object) => () => api.post(at, { token, body, language: 'tr' });
const put = (at: string, body: object) => () => api.put(at, { token, body, language: 'tr' });

const device = (mac_address: string) => ({ name: 'Kapı', mac_address, brand_id, location_id });
const guest = (username: string) => ({
  ...{ name: 'Ayşe', provider_type: 'username', username, password: 'parola 1', location_id },
});
const citizen = {
  ...{ name: 'Ayşe', provider_type: 'citizen-id', provider_id: '10000000146' },
  ...{ birth_day: 1, birth_month: 2, birth_year: 1990 },
};
const user = (email: string) => ({
  ...{ first_name: 'Can', last_name: 'Ak', email, password: 'uzun bir parola 7', role: 'auditor' },
});

describe('of two requests at once that take the same value', () => {
  test.each([
    ['devices', 'panel/device', () => device('A1:B2:C3:D4:E5:F6'), 'mac_address'],
    ['visitors', 'panel/client', () => guest('ayni'), 'username'],
    ['visitors', 'panel/client', () => ({ ...citizen, location_id }), 'provider_id'],
    ['radius_proxies', 'panel/radius-proxy', () => ({ name: 'Vekil', address: '192.0.2.7' }), 'address'],
    ['users', 'panel/tenant/users', () => user('ayni@example.com'), 'email'],
  ])('one is told the field, as later ones are (%s)', async (table, at, body, field) => {
    const [made, refused] = await atOnce(table, [post(at, body()), post(at, body())]);
    const later = await post(at, body())();
    expect([made!.status, refused!.status], refused!.text).toEqual([201, 422]);
    expect(refused!.body).toEqual(later.body);
    expect(refused!.body.errors).toEqual({ [field]: ['Bu değer zaten kullanılıyor.'] });
  });

  test('one is told the field of a change too', async () => {
    const ids = [];
    for (const mac of ['A1:B2:C3:D4:E5:01', 'A1:B2:C3:D4:E5:02'])
      ids.push((await post('panel/device', device(mac))()).body.data.id);
    const change = { mac_address: 'A1:B2:C3:D4:E5:03' };
    const [changed, refused] = await atOnce(
      'devices',
      ids.map(id => put(`panel/device/${id}`, change)),
    );
    expect([changed!.status, refused!.status]).toEqual([200, 422]);
    expect(refused!.body.errors).toHaveProperty('mac_address');
  });

  test('a registration does not tell that the address is taken; its owner gets a mail', async () => {
    const email = 'kayit@example.com';
    const body = { ...user(email), location_name: 'Pansiyon', phone_number: '+905301112233' };
    const register = () => api.post('user/register', { body });
    const answers = await atOnce('users', [register, register]);
    expect(answers.map(it => it.status)).toEqual([201, 201]);
    expect(answers[1]!.text).toBe(answers[0]!.text);
    const mails = (await takeMails(api.app)).filter(it => it.to.includes(email));
    expect(mails.map(it => it.subject).sort()).toEqual(['Welcome to panel', 'You already have a panel account']);
  });
});

test('the indexes of these fields exist', async () => {
  const names = Object.keys(fieldOf).sort();
  const { rows } = await api.app.db.pool.query<{ name: string }>(
    `select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indisunique and c.relname = any($1) order by 1`,
    [names],
  );
  expect(rows.map(it => it.name)).toEqual(names);
});
