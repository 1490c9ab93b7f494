import { expect, test } from 'vitest';
import { softwarePasskey } from '#features/auth/testing/software-passkey.ts';
import { startApi } from '../harness.ts';

// The attack: a site beside the panel (blog.example.com), or a stranger in the same Wi-Fi, puts the cookie of their own sign-in into
// the browser of an operator, and sends it to the end of that sign-in. The operator would work in the account of the attacker.
// Browsers take a `__Host-` cookie from the host itself only, so with TLS no other one counts.
const host = 'panel.example.com';
const origin = `https://${host}`;
const api = await startApi({ PUBLIC_URL: origin, TRUST_PROXY: '127.0.0.1' });
const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };

test('with TLS, only a cookie that the host itself set ends a sign-in', async () => {
  const user = await api.user('tenant-admin');
  const passkey = softwarePasskey(origin);
  const begin = async (at: string, body: object, token?: string) => {
    const begun = await api.post(at, { token, body, headers });
    expect(begun.status, begun.text).toBe(200);
    const [cookie = ''] = begun.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-[\w-]+=[\w-]+; Path=\/; Secure; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    return { options: begun.body.data, cookie: cookie.split(';')[0]! };
  };
  const made = await begin('panel/user/passkey/options', { password: 'secret1' }, user.token);
  const kept = await api.post('panel/user/passkey', {
    token: user.token,
    body: { name: 'Telefon', passkey: passkey.create(made.options) },
    headers: { ...headers, cookie: made.cookie },
  });
  expect(kept.status, kept.text).toBe(201);

  const { options, cookie } = await begin('user/passkey/options', {});
  const body = { passkey: passkey.answer(options) };
  const finish = (sent: string) => api.post('user/passkey', { body, headers: { ...headers, cookie: sent } });
  expect((await finish(cookie.replace('__Host-', ''))).status).toBe(422);
  const good = await finish(cookie);
  expect(good.status, good.text).toBe(200);
});
