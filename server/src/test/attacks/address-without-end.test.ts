import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a member enters an address of half a million letters. The pattern that looks for an IPv4 address inside an IPv6 one took
 * minutes for it, in the process that serves guests and routers.
 */

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});

test.for([`::${'0:'.repeat(250_000)}x`, `::${'0:'.repeat(250_000)}`, '1.'.repeat(250_000), ':'.repeat(500_000)])(
  'it is refused at its field: %#',
  async address => {
    const proxy = await api.post('panel/radius-proxy', { token: admin, body: { name: 'X', address } });
    expect([proxy.status, Object.keys(proxy.body.errors)]).toEqual([422, expect.arrayContaining(['address'])]);
    const body = { address, at: new Date().toISOString(), reason: 'Case 1' };
    const search = await api.post('panel/reports/who-was-it', { token: admin, body });
    expect([search.status, Object.keys(search.body.errors)]).toEqual([422, ['address']]);
  },
);

test('a search in the panel is answered', async () => {
  const search = `::${'0:'.repeat(3000)}x`;
  const answer = await api.get(`panel/search?search=${search}`, { token: admin });
  expect([200, 422]).toContain(answer.status);
});
