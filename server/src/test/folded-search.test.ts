import { beforeAll, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from './harness.ts';

let api: TestApi;
let token: string;
let location: string;

beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Işık İnci Çeşme');
  await api.location(token, 'Başka');
});

const name = 'Işıl IRMAK İnce Gülşah';
const named = (path: string, body: object) =>
  api.post(`panel/${path}`, { token, body: { location_id: location, ...body } });
const things: [list: string, make: () => Promise<Body>][] = [
  ['location/user-profile', () => named('location/user-profile', { name, shared_user: 1 })],
  ['portal', () => named('portal', { name })],
  ['client', () => named('client', { name, provider_type: 'username', username: 'x1', password: 'zambak kokusu' })],
  ['qrmenu/category', () => named('qrmenu/category', { title: name })],
  ['qrmenu/product', () => named('qrmenu/product', { title: name })],
  [
    'device',
    async () => {
      const [brand] = (await api.get('panel/device/brands', { token })).body.data;
      return named('device', { name, brand_id: brand.id, mac_address: 'A1:B2:C3:D4:E5:F6' });
    },
  ],
  [
    'tenant/users',
    () =>
      api.post('panel/tenant/users', {
        token,
        body: {
          first_name: name,
          last_name: 'A',
          email: 'isil@example.com',
          password: 'zambak kokusu',
          role: 'auditor',
        },
      }),
  ],
];
const typed = ['Işıl', 'ışıl', 'IŞIL', 'isil', 'ırmak', 'irmak', 'İNCE', 'ınce', 'gülşah', 'GULSAH', 'l ırmak i'];

test.each(things)('%s finds a Turkish name in any spelling of its letters', async (list, make) => {
  const made = await make();
  expect(made.status, made.text).toBe(201);
  for (const text of typed) {
    const answer = await api.get(`panel/${list}?search=${encodeURIComponent(text)}`, { token });
    expect(answer.body.meta.total, `${text}: ${answer.text}`).toBe(1);
  }
  for (const text of ['işık', 'ş%l', '_şıl', '\\', 'isil x'])
    expect((await api.get(`panel/${list}?search=${encodeURIComponent(text)}`, { token })).body.data, text).toEqual([]);
});

test.each(['panel/location', 'panel/location?license=all'])(
  '%s finds a Turkish name in any spelling of its letters',
  async path => {
    for (const text of ['ışık', 'IŞIK', 'isik', 'inci', 'İNCİ', 'çeşme', 'CESME']) {
      const query = `${path.includes('?') ? '&' : '?'}name=${encodeURIComponent(text)}`;
      const answer = await api.get(path + query, { token });
      expect(
        answer.body.data.map((it: Body) => it.id),
        text,
      ).toEqual([location]);
    }
  },
);

test('the audit log finds Turkish names too', async () => {
  const audit = await api.get(`panel/audit?search=${encodeURIComponent('ışık inci')}`, { token });
  expect(audit.body.meta.total).toBeGreaterThan(0);
  expect((await api.get(`panel/audit?search=${encodeURIComponent('ışık ıncı x')}`, { token })).body.data).toEqual([]);
});
