import { beforeAll, expect, test } from 'vitest';
import { mostTried } from '#features/throttle/testing/most-tried.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';

/** A stranger asks for codes of another account and mistypes them, so that its owner cannot reset the password. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1' });
});
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const password = 'yepyeni-parola';
const forgot = (email: string, headers: Record<string, string>) =>
  api.post('user/forgot-password', { body: { email }, headers });
const reset = (email: string, code: string, headers: Record<string, string>) =>
  api.post('user/reset-password', { headers, body: { email, code, password, password_confirmation: password } });
async function newestCode(email: string): Promise<string> {
  const mails = (await takeMails(api.app)).filter(it => it.to.includes(email) && /\d{6}/.test(it.subject));
  return /\d{6}/.exec(mails.at(-1)?.subject ?? '')?.[0] ?? 'no mail';
}

test('five requests and wrong codes of a stranger leave the owner’s code usable', async () => {
  const { email } = await api.user('member');
  const stranger = from('203.0.113.5');
  for (let n = 0; n < 5; n += 1) await forgot(email, stranger);
  await takeMails(api.app);
  const owner = from('198.51.100.1');
  await forgot(email, owner);
  const code = await newestCode(email);
  for (let n = 0; n < 12; n += 1) await reset(email, '000000', stranger);
  expect((await reset(email, code, owner)).status).toBe(204);
});

test('strangers at many addresses leave a known browser its code', async () => {
  const { email } = await api.user('member');
  const signedIn = await api.post('user/login', { body: { email, password: 'secret1' } });
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  const began = performance.now();
  for (let n = 0; n < 15; n += 1) await forgot(email, from(`203.0.113.${n + 10}`));
  const sent = (await takeMails(api.app)).filter(it => it.to.includes(email) && /^\d{6}/.test(it.subject));
  expect(sent.length, 'and the mailbox is not flooded').toBeLessThanOrEqual(mostTried(10, began, 60));
  for (let n = 0; n < 12; n += 1) await reset(email, '000000', from(`203.0.113.${n + 10}`));
  const owner = { ...from('198.51.100.2'), cookie };
  await forgot(email, owner);
  expect((await reset(email, await newestCode(email), owner)).status).toBe(204);
});

test('codes cannot be guessed: tries are limited over all addresses', async () => {
  const { email } = await api.user('member');
  await forgot(email, from('198.51.100.3'));
  let tried = 0;
  const began = performance.now();
  for (let n = 0; n < 25; n += 1) if ((await reset(email, '999999', from(`10.60.${n}.1`))).status === 422) tried += 1;
  expect(tried).toBeLessThanOrEqual(5 + mostTried(5, began));
});
