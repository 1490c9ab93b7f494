import { beforeAll, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';

/** Someone wants to know who has an account. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1' });
});
const register = (email: string, headers: Record<string, string> = {}) =>
  api.post('user/register', {
    headers,
    body: {
      first_name: 'A',
      last_name: 'B',
      phone_number: '+905301112233',
      location_name: 'X',
      email,
      password: 'kahve-fincanı-7',
    },
  });

test('registering a known address answers as for a new one, and tells its owner by mail', async () => {
  const { email } = await api.user('member');
  const known = await register(email);
  const fresh = await register('yeni@example.com');
  expect([known.status, known.text]).toEqual([fresh.status, fresh.text]);
  const mails = await takeMails(api.app);
  expect(mails.find(it => it.to.includes(email))?.subject).toBe('You already have a panel account');
  expect((await api.post('user/login', { body: { email, password: 'secret1' } })).status).toBe(200);
  expect((await api.post('user/login', { body: { email, password: 'kahve-fincanı-7' } })).status).toBe(401);
});

test('such registrations are counted, and a mailbox gets few mails', async () => {
  const { email } = await api.user('member');
  const headers = { 'x-forwarded-for': '203.0.113.40' };
  const statuses: number[] = [];
  // At once, because the limit refills while a slow machine asks one after another.
  for (const { status } of await Promise.all(Array.from({ length: 40 }, () => register(email, headers))))
    statuses.push(status);
  expect(statuses).toContain(429);
  // Three, and one more after each pause, which is twice as long each time: a slow machine takes a minute for all.
  expect((await takeMails(api.app)).filter(it => it.to.includes(email)).length).toBeLessThan(10);
});
