import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSsoTenant } from '#features/auth/sso/testing/sso-tenant.ts';
import { type PasskeyUser, passkeyUser } from '#features/auth/testing/passkey-user.ts';
import { stepAt, totpCode } from '#features/auth/totp.ts';
import { takeMails } from '#mail/testing.ts';
import type { Answer } from '../harness.ts';

/**
 * The attack: a tenant lets people in through its identity provider only. Someone who was removed there still has a password, a
 * passkey, recovery codes, an open sign-in, a code from a mail, or an invitation.
 */

let it: Awaited<ReturnType<typeof startSsoTenant>>;
let hotel: string;
let left: PasskeyUser & { secret: string; codes: string[] };
let resetCode: string;
let emailLink: { token: string; email: string };

const mails = async (to: string) => (await takeMails(it.api.app)).filter(mail => mail.to.includes(to));
const invite = async (email: string): Promise<string> => {
  const body = { email, permissions: ['view-clients'] };
  const invited = await it.api.post(`panel/location/${hotel}/user`, { token: it.admin.token, body });
  expect(invited.status, invited.text).toBe(201);
  return /invitation\/accept\/([\w-]+)/.exec((await mails(email)).at(-1)!.text)![1]!;
};
const code = (answer: Answer) => [answer.status, answer.body.code];

beforeAll(async () => {
  it = await startSsoTenant();
  const { api, admin } = it;
  hotel = await api.location(admin.token, 'Otel');
  const user = await passkeyUser(api, { role: 'member' });
  const as = { token: user.token, body: { password: 'secret1' } };
  const { secret } = (await api.post('panel/user/two-factor', as)).body.data;
  const confirm = { token: user.token, body: { code: totpCode(secret, stepAt(Date.now())) } };
  const { recovery_codes: codes } = (await api.post('panel/user/two-factor/confirm', confirm)).body.data;
  left = { ...user, secret, codes };
  await api.post('user/forgot-password', { body: { email: left.email } });
  resetCode = /\b\d{6}\b/.exec((await mails(left.email)).find(mail => /\d{6}/.test(mail.subject))!.text)![0];
  const change = { email: 'left-elsewhere@example.com', current_password: 'secret1' };
  expect((await api.put('panel/user/me', { token: left.token, body: change })).status).toBe(200);
  const link = new URL(/https?:\S*confirm-email\S*/.exec((await mails(change.email)).at(-1)!.text)![0]);
  emailLink = { token: link.pathname.split('/').at(-1)!, email: change.email };

  expect((await it.save()).status).toBe(200);
  await api.inTenant(tx => tx.run(sql`update users set email = 'acil@acme.example' where id = ${admin.id}`));
  expect((await it.signIn(it.person('acil'))).status).toBe(200);
  const enforced = await it.save({ enforced: true });
  expect(enforced.status, enforced.text).toBe(200);
}, 120_000);

describe('someone who was removed at the provider does not get in', () => {
  test('by the password, a code of the app or a recovery code', async () => {
    const login = (more: object) =>
      it.api.post('user/login', { body: { email: left.email, password: 'secret1', ...more } });
    // A code counts once. That of the next half minute is taken too.
    const next = totpCode(left.secret, stepAt(Date.now()) + 1);
    for (const more of [{}, { code: next }, { code: left.codes[0] }])
      expect(code(await login(more))).toEqual([403, 'sso_required']);
  });

  test('by a passkey, alone or with the password', async () => {
    const { browser, passkey, email } = left;
    const begun = await browser('POST', 'user/passkey/options', { body: {} });
    const answer = await browser('POST', 'user/passkey', { body: { passkey: passkey.answer(begun.body.data) } });
    expect(code(answer)).toEqual([403, 'sso_required']);
    const second = await browser('POST', 'user/passkey/options', { body: { email, password: 'secret1' } });
    expect(code(second)).toEqual([403, 'sso_required']);
  });

  test('by the code of a mail, or a link of a mail, of before', async () => {
    const password = 'a new password 7';
    const body = { email: left.email, code: resetCode, password, password_confirmation: password };
    expect((await it.api.post('user/reset-password', { body })).status).toBe(422);
    for (const token of [undefined, left.token])
      expect((await it.api.post('visitor/confirm-email', { token, body: emailLink })).status).toBeGreaterThanOrEqual(
        400,
      );
  });

  test('by the sign-in of before, nor by what it could make', async () => {
    const { api } = it;
    const ask = { token: left.token, body: { name: 'ERP', permissions: ['view-clients'], days: 30 } };
    expect((await api.post('panel/user/token', ask)).status).toBe(401);
    expect((await api.get('panel/user/me', { token: left.token })).status).toBe(401);
  });

  test('by an invitation, with the password or by registering', async () => {
    const { api } = it;
    const forMember = await invite(left.email);
    const accepted = await api.post(`team/accept/${forMember}`, { body: { password: 'secret1', code: left.codes[1] } });
    expect(code(accepted)).toEqual([403, 'sso_required']);
    const email = 'new@elsewhere.example';
    const password = 'a good password 7';
    const person = { first_name: 'A', last_name: 'B', phone_number: '+905301112233', email };
    const form = { ...person, password };
    const registered = await api.post('user/register', { body: { ...form, invite_token: await invite(email) } });
    expect([registered.status, registered.text.includes('"token"')]).toEqual([201, false]);
    expect(code(await api.post('user/login', { body: { email, password } }))).toEqual([403, 'sso_required']);
    const open = await api.post('user/register', { body: { ...form, email: 'x@y.example', location_name: 'L' } });
    expect(code(open)).toEqual([403, 'registration_closed']);
  });

  test('by an account of the same address in another tenant', async () => {
    const { api } = it;
    await api.tenantId('rival');
    const other = await api.user('tenant-admin', { tenant: 'rival', email: left.email });
    expect((await api.get('panel/user/me', { token: other.token })).status).toBe(401);
  });
});

test('the emergency account is not told from others, and cannot be passed on by an e-mail address', async () => {
  const { api, admin } = it;
  const codes = await Promise.all(
    ['acil@acme.example', left.email, 'no-one@acme.example'].map(async email =>
      code(await api.post('user/login', { body: { email, password: 'wrong password' } })),
    ),
  );
  expect(new Set(codes.map(String)).size).toBe(1);
  expect((await api.get('panel/user/me', { token: admin.token })).status).toBe(200);
});
