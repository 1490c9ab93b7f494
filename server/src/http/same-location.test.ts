import { beforeAll, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let home: string;
let other: string;

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  home = await api.location(admin, 'Otel');
  other = await api.location(admin, 'Lokanta');
});

const username = { provider_type: 'username', username: 'ada', password: 'secret1' };
const webhook = { type: 'webhook', url: 'https://example.com/hook', events: ['visitor.created'] };
const things: Record<string, (brand_id: string) => Body> = {
  'panel/device': brand_id => ({ brand_id, mac_address: 'A1:B2:C3:D4:E5:F6' }),
  'panel/portal': () => ({}),
  'panel/client': () => username,
  'panel/location/user-profile': () => ({}),
  'panel/integration': () => ({ integration_id: 'webhook', params: { connection: webhook } }),
  'panel/qrmenu/desk': () => ({ title: 'Teras' }),
};

test.for(Object.keys(things))('%s: a change takes its own location and refuses another', async path => {
  const brands: Body[] = (await api.get('panel/device/brands', { token: admin })).body.data;
  const body = { name: 'İlk', location_id: home, ...things[path]!(brands.find(it => it.slug === 'mikrotik')!.id) };
  const made = await api.post(path, { token: admin, body });
  expect(made.status, made.text).toBe(201);
  const at = `${path}/${made.body.data.id}`;
  const put = (location_id: string | null) =>
    api.put(at, { token: admin, body: { name: 'Son', title: 'Son', location_id }, language: 'tr' });

  const refused = await put(other);
  expect([refused.status, refused.body.errors]).toEqual([422, { location_id: ['Bu kayıt kendi lokasyonunda kalır.'] }]);
  const listed = (await api.get(`${path}?location_id=${home}`, { token: admin })).body.data[0];
  expect(listed.name ?? listed.title).not.toBe('Son');
  for (const same of [home, home.toUpperCase(), null, '']) expect((await put(same)).status, `${same}`).toBe(200);
});
