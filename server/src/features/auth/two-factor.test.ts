import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { mostTried } from '#features/throttle/testing/most-tried.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { stepAt, totpCode } from './totp.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});

const login = (email: string, code?: string, tenant = 'panel') =>
  api.post('user/login', { tenant, body: { email, password: 'secret1', ...(code === undefined ? {} : { code }) } });
/** The code of the current step, which is still good if the next step begins before it arrives. */
const codeOf = (secret: string, later = 0) => totpCode(secret, stepAt(Date.now()) + later);
/** The code after the one with which an account was set up, as each step is good once. */
const nextCodeOf = (secret: string) => codeOf(secret, 1);

async function enrolled(tenant = 'panel') {
  const user = await api.user('tenant-admin', { tenant });
  const options = { token: user.token, tenant };
  const setup = await api.post('panel/user/two-factor', { ...options, body: { password: 'secret1' } });
  const { secret } = setup.body.data;
  const on = await api.post('panel/user/two-factor/confirm', { ...options, body: { code: codeOf(secret) } });
  return { ...user, secret, setup, on, codes: on.body.data.recovery_codes as string[] };
}

describe('a second factor', () => {
  test('is set up with the password and its first code, and then required at every sign-in', async () => {
    const { email, setup, on, secret, codes, token } = await enrolled();
    expect(setup.status).toBe(200);
    expect(setup.body.data.uri).toContain(`secret=${secret}`);
    expect(setup.body.data.qr).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(on.body.data.user.two_factor).toEqual({
      enabled: true,
      app: true,
      passkeys: 0,
      required: false,
      recovery_codes: 10,
    });
    expect(new Set(codes).size).toBe(10);
    const without = await login(email);
    expect(without.status).toBe(422);
    expect(without.body.code).toBe('two_factor_required');
    expect(Object.keys(without.body.errors), 'what the account has').toEqual(['code']);
    expect((await login(email, '')).body.code).toBe('two_factor_required');
    const wrong = await login(email, '000000');
    expect(wrong.body).toMatchObject({ code: 'invalid', errors: { code: ['The code is wrong or no longer valid.'] } });
    const right = await login(email, nextCodeOf(secret));
    expect(right.status).toBe(200);
    expect((await api.get('panel/user/me', { token })).status).toBe(200);
    const stored = await api.inTenant(tx =>
      tx.one<{ totp_secret: string }>(sql`select totp_secret from users where email = ${email}`),
    );
    expect(stored.totp_secret).not.toContain(secret);
  });

  test('ends the other sign-ins when it is switched on, and both changes are mailed', async () => {
    const user = await api.user('tenant-admin');
    const other = (await login(user.email)).body.data.token;
    const form = { name: 'ERP', permissions: ['view-clients'] };
    const personal = (await api.post('panel/user/token', { token: user.token, body: form })).body.data.token;
    const setup = await api.post('panel/user/two-factor', { token: user.token, body: { password: 'secret1' } });
    const code = codeOf(setup.body.data.secret);
    await api.post('panel/user/two-factor/confirm', { token: user.token, body: { code } });
    expect((await api.get('panel/user/me', { token: other })).status).toBe(401);
    expect((await api.get('panel/user/me', { token: user.token })).status).toBe(200);
    expect((await api.get('panel/client', { token: personal })).status, 'a personal token goes on').toBe(200);
    await api.delete('panel/user/two-factor', { token: user.token, body: { password: 'secret1' } });
    const subjects = (await takeMails(api.app)).filter(it => it.to.includes(user.email)).map(it => it.subject);
    expect(subjects).toEqual([
      'New sign-in to your panel account',
      'New access token for your panel account',
      'Two-factor authentication is on for your panel account',
      'Two-factor authentication is off for your panel account',
    ]);
  });

  test('is requested only after the right password', async () => {
    const { email } = await enrolled();
    const answer = await api.post('user/login', { body: { email, password: 'wrong' } });
    expect(answer.body.code).toBe('wrong_credentials');
  });

  test('accepts each code once', async () => {
    const { email, secret } = await enrolled();
    const code = nextCodeOf(secret);
    const both = await Promise.all([login(email, code), login(email, code)]);
    expect(both.map(it => it.status).sort()).toEqual([200, 422]);
    expect((await login(email, codeOf(secret))).status, 'a step before it').toBe(422);
  });

  test('accepts each code once after the clock of the server was set back', async () => {
    const { email, secret } = await enrolled();
    await api.inTenant(tx => tx.run(sql`update users set totp_step = totp_step + 120 where email = ${email}`));
    const code = codeOf(secret);
    expect((await login(email, code)).status).toBe(200);
    expect((await login(email, code)).status).toBe(422);
  });

  test('can be replaced by a recovery code, each of which works once', async () => {
    const { email, codes, token } = await enrolled();
    expect((await login(email, codes[0]!.toUpperCase().replace('-', ' '))).status).toBe(200);
    expect((await login(email, codes[0])).status).toBe(422);
    expect((await api.get('panel/user/me', { token })).body.data.two_factor.recovery_codes).toBe(9);
    const other = await enrolled();
    expect((await login(other.email, codes[1])).status).toBe(422);
  });

  test('can be replaced by a recovery code of before tenants had keys of their own', async () => {
    const { email, id } = await enrolled();
    const hashes = ['aaaaabbbbb', 'cccccddddd'].map(code => api.app.secrets.index(`recovery|${id}|${code}`));
    await api.inTenant(tx => tx.run(sql`update users set recovery_codes = ${hashes}::bytea[] where id = ${id}`));
    expect((await login(email, 'aaaaa-bbbbb')).status).toBe(200);
    expect((await login(email, 'aaaaa-bbbbb')).status).toBe(422);
    expect((await login(email, 'ccccc-ddddd')).status).toBe(200);
  });

  test('sends a mail when a recovery code was used, with the number of remaining ones', async () => {
    const { email, codes } = await enrolled();
    await login(email, codes[3]);
    const mails = (await takeMails(api.app)).filter(it => it.to.includes(email));
    const used = mails.find(it => it.subject === 'A recovery code of your panel account was used');
    expect(used?.text).toContain('Codes left: 9.');
  });

  test('gets new recovery codes with the password; the old ones stop working', async () => {
    const { email, codes, token } = await enrolled();
    const renew = (password: string, as = token) =>
      api.post('panel/user/recovery-codes', { token: as, body: { password } });
    expect(Object.keys((await renew('wrong')).body.errors)).toEqual(['password']);
    const renewed = (await renew('secret1')).body.data;
    expect(new Set([...codes, ...renewed.recovery_codes]).size).toBe(20);
    expect(renewed.user.two_factor.recovery_codes).toBe(10);
    expect((await login(email, codes[0])).status).toBe(422);
    expect((await login(email, renewed.recovery_codes[0])).status).toBe(200);
    const subjects = (await takeMails(api.app)).filter(it => it.to.includes(email)).map(it => it.subject);
    expect(subjects).toContain('New recovery codes for your panel account');
    const without = await api.user('tenant-admin');
    expect((await renew('secret1', without.token)).status, 'without a second factor').toBe(409);
  });

  test('cannot be guessed: after five wrong codes the user has to wait', async () => {
    const { email, secret } = await enrolled();
    for (let n = 0; n < 5; n++) await login(email, '000000');
    await holdBlocks(api.app);
    expect((await login(email, nextCodeOf(secret))).status).toBe(429);
  });

  test('cannot be guessed by trying many codes at once', async () => {
    const { email } = await enrolled();
    const began = performance.now();
    const all = await Promise.all(Array.from({ length: 30 }, () => login(email, '000000')));
    expect(all.filter(it => it.status === 422).length).toBeLessThanOrEqual(mostTried(5, began));
    for (const it of all) expect([422, 429]).toContain(it.status);
  });

  test('is switched on and off by its owner only, with the password', async () => {
    const { email, token, secret } = await enrolled();
    const again = await api.post('panel/user/two-factor', { token, body: { password: 'secret1' } });
    expect(again.status).toBe(409);
    const twice = await api.post('panel/user/two-factor/confirm', { token, body: { code: codeOf(secret) } });
    expect(twice.status, 'new recovery codes need the password').toBe(409);
    expect(
      (await api.delete('panel/user/two-factor', { token, body: { password: 'wrong' } })).body.errors,
    ).toHaveProperty('password');
    expect((await login(email)).body.code).toBe('two_factor_required');
    const off = await api.delete('panel/user/two-factor', { token, body: { password: 'secret1' } });
    expect(off.body.data.two_factor).toMatchObject({ enabled: false, recovery_codes: 0 });
    expect((await login(email)).status).toBe(200);
    expect((await api.post('panel/user/two-factor/confirm', { token, body: { code: codeOf(secret) } })).status).toBe(
      409,
    );
    const user = await api.user('member');
    expect((await api.post('panel/user/two-factor', { token: user.token, body: { password: 'wrong' } })).status).toBe(
      422,
    );
    expect(
      (await api.post('panel/user/two-factor/confirm', { token: user.token, body: { code: '123456' } })).status,
    ).toBe(409);
    expect((await api.post('panel/user/two-factor')).status).toBe(401);
  });

  test('is still required after the reset of a forgotten password', async () => {
    const { email } = await enrolled();
    await api.post('user/forgot-password', { body: { email } });
    const mail = (await takeMails(api.app)).find(it => it.to === email && /^\d{6}/.test(it.subject))!;
    const fresh = { password: 'yepyeni-1', password_confirmation: 'yepyeni-1' };
    const reset = await api.post('user/reset-password', { body: { email, code: mail.subject.slice(0, 6), ...fresh } });
    expect(reset.status).toBe(204);
    const answer = await api.post('user/login', { body: { email, password: 'yepyeni-1' } });
    expect(answer.body.code).toBe('two_factor_required');
  });
});

describe('a tenant that requires it', () => {
  test('refuses everything else until it is set up', async () => {
    const admin = await enrolled('strict');
    const member = await api.user('reseller', { tenant: 'strict' });
    const as = (token: string) => ({ token, tenant: 'strict' });
    const body = { brand_name: 'Strict', brand_long_name: 'Strict', require_second_factor: true };
    expect((await api.post('panel/tenant', { ...as(admin.token), body })).status).toBe(200);
    const blocked = await api.get('panel/location', as(member.token));
    expect(blocked.status).toBe(403);
    expect(blocked.body.code).toBe('two_factor_setup');
    for (const at of ['panel/notification', 'oauth/tokens', 'panel/events', 'panel/tenant/users'])
      expect((await api.get(at, as(member.token))).status, at).toBe(403);
    expect((await api.put('panel/user/me', { ...as(member.token), body: { language: 'tr' } })).status).toBe(403);
    const me = await api.get('panel/user/me', as(member.token));
    expect(me.body.data.two_factor).toEqual({
      enabled: false,
      app: false,
      passkeys: 0,
      required: true,
      recovery_codes: 0,
    });
    expect((await api.get('config', as(member.token))).status).toBe(200);
    const signedIn = await login(member.email, undefined, 'strict');
    expect(signedIn.status).toBe(200);
    const { secret } = (await api.post('panel/user/two-factor', { ...as(member.token), body: { password: 'secret1' } }))
      .body.data;
    await api.post('panel/user/two-factor/confirm', { ...as(member.token), body: { code: codeOf(secret) } });
    expect((await api.get('panel/location', as(member.token))).status).toBe(200);
    expect((await api.get('panel/location', as(admin.token))).status).toBe(200);
  });
});
