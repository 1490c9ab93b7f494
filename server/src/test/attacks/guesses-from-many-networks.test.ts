import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a customer of an IPv6 provider gets 65,536 networks, each of which may fail as often as a household does. So one
 * person tries a common password on thousands of accounts, or codes of vouchers without end.
 */

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1' });
});

let people = 0;
const ask = async (address: string) =>
  (
    await api.post('user/forgot-password', {
      headers: { 'x-forwarded-for': address },
      body: { email: `kisi${++people}@example.com` },
    })
  ).status;

test('the networks of one site are counted together; others go on', async () => {
  // Each network asks once. Sixteen may ask 20 times each, so a site 320 times.
  const statuses: number[] = [];
  for (let from = 0; from < 400; from += 50)
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => ask(`2001:db8:7:${from + i}::1`)))));
  expect(statuses.slice(0, 300)).not.toContain(429);
  expect(statuses).toContain(429);
  for (const other of ['2001:db8:8::1', '192.0.2.7']) expect(await ask(other)).not.toBe(429);
});
