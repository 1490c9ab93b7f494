import { request } from 'node:http';
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { browserAt, panelHost, passkeyUser } from './testing/passkey-user.ts';
import { softwarePasskey } from './testing/software-passkey.ts';
import { stepAt, totpCode } from './totp.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `http://${panelHost}` });
});

const password = 'secret1';
type Challenge = Parameters<User['passkey']['answer']>[0];
type User = Awaited<ReturnType<typeof passkeyUser>>;
const optionsOf = async (user: Pick<User, 'browser'>, body: object = {}) =>
  (await user.browser('POST', 'user/passkey/options', { body })).body.data;
const signIn = async (user: Pick<User, 'browser' | 'passkey'>) =>
  user.browser('POST', 'user/passkey', { body: { passkey: user.passkey.answer(await optionsOf(user)) } });
const mailsTo = async (email: string) =>
  (await takeMails(api.app)).filter(it => it.to.includes(email)).map(it => it.subject);
const me = async (token: string) => (await api.get('panel/user/me', { token })).body.data;

describe('a passkey', () => {
  test('is added with the password and signs in alone', async () => {
    const user = await passkeyUser(api);
    expect(user.made.status).toBe(201);
    const { passkey, recovery_codes, user: after } = user.made.body.data;
    expect(passkey).toMatchObject({ name: 'Telefon', host: 'localhost', here: true, last_used_at: null });
    expect(new Set(recovery_codes).size).toBe(10);
    expect(after.two_factor).toEqual({ enabled: true, app: false, passkeys: 1, required: false, recovery_codes: 10 });
    const signedIn = await signIn(user);
    expect(signedIn.status).toBe(200);
    expect((await me(signedIn.body.data.token)).email).toBe(user.email);
    const [listed] = (await user.browser('GET', 'panel/user/passkey', { token: user.token })).body.data;
    expect(listed.last_used_at).not.toBeNull();
    // Mails of one moment have no order.
    expect((await mailsTo(user.email)).sort()).toEqual([
      'New passkey for your panel account',
      'New sign-in to your panel account',
      'Two-factor authentication is on for your panel account',
    ]);
    const entries = await api.inTenant(tx =>
      tx.many<{ verb: string; after: object | null }>(sql`
        select verb, after from audit_log
        where user_id = ${user.id} and (subject_type = 'passkey' or verb = 'sign-in') order by id`),
    );
    expect(entries.map(it => it.verb)).toEqual(['sign-in', 'create', 'sign-in']);
    expect(entries[1]!.after).toEqual({ name: 'Telefon', host: 'localhost' });
  });

  test('answers a challenge once, within five minutes and on the host that asked', async () => {
    const user = await passkeyUser(api);
    const answerTo = async (options: Challenge, before: () => Promise<unknown> = async () => undefined) => {
      await before();
      return (await user.browser('POST', 'user/passkey', { body: { passkey: user.passkey.answer(options) } })).status;
    };
    const challenges = (change: Sql) => () =>
      api.inTenant(tx => tx.run(sql`update passkey_challenges set ${change} where purpose = 'sign-in'`));
    const options = await optionsOf(user);
    expect([await answerTo(options), await answerTo(options)]).toEqual([200, 422]);
    expect(await answerTo(await optionsOf(user), challenges(sql`expires_at = now()`))).toBe(422);
    expect(await answerTo(await optionsOf(user), challenges(sql`host = 'elsewhere.test'`))).toBe(422);
    expect(await answerTo(await optionsOf(user))).toBe(200);
  });

  test('is not added without the password, and reveals neither id nor address of its user', async () => {
    const { token, id, email } = await api.user('member');
    const browser = browserAt(api);
    const begin = (typed: string) =>
      browser('POST', 'panel/user/passkey/options', { token, body: { password: typed } });
    expect(Object.keys((await begin('wrong')).body.errors)).toEqual(['password']);
    const { user } = (await begin(password)).body.data;
    const handle = Buffer.from(user.id, 'base64url').toString('latin1');
    for (const known of [id, id.replaceAll('-', ''), email]) expect(handle).not.toContain(known);
    expect(handle.length).toBe(32);
  });

  test('is one of twenty at most, also of two that are begun before either is added', async () => {
    const user = await passkeyUser(api);
    await api.inTenant(tx =>
      tx.run(sql`
        insert into passkeys (id, user_id, host, credential_id, public_key, user_handle, counter, transports, name)
        select gen_random_uuid(), user_id, host, sha256(n::text::bytea), public_key, user_handle, 0, '{}', 'Phone ' || n
        from passkeys, generate_series(1, 18) n where user_id = ${user.id}`),
    );
    const begin = async () => {
      const browser = browserAt(api);
      const body = { password };
      const begun = await browser('POST', 'panel/user/passkey/options', { token: user.token, body });
      const add = async () => {
        const passkey = softwarePasskey(`http://${panelHost}`).create(begun.body.data);
        return browser('POST', 'panel/user/passkey', { token: user.token, body: { name: 'New', passkey } });
      };
      return { begun, add };
    };
    const [one, other] = [await begin(), await begin()];
    expect((await one.add()).status).toBe(201);
    const refused = await other.add();
    expect([refused.status, refused.body.code]).toEqual([409, 'passkeys_enough']);
    expect(refused.body.message).toBe('Your account has 20 passkeys. Remove one first.');
    const { body } = (await begin()).begun;
    expect([body.code, body.message]).toEqual(['passkeys_enough', refused.body.message]);
    expect((await me(user.token)).two_factor.passkeys).toBe(20);
  });

  test('is the second factor after the password; another sign-in without it is refused', async () => {
    const user = await passkeyUser(api);
    const { email } = user;
    const login = (more: object) => user.browser('POST', 'user/login', { body: { email, password, ...more } });
    expect((await login({})).body).toMatchObject({
      code: 'two_factor_required',
      errors: { passkey: [expect.any(String)] },
    });
    expect((await login({})).body.errors, 'the account has no app').not.toHaveProperty('code');
    expect((await login({ code: '123456' })).status).toBe(422);
    const options = await optionsOf(user, { email, password });
    expect(options.allowCredentials.map((it: { id: string }) => it.id)).toEqual([user.passkey.id]);
    const answer = user.passkey.answer(options);
    expect((await login({ passkey: answer })).status).toBe(200);
    expect((await login({ passkey: answer })).status, 'the same answer again').toBe(422);
    const [code] = user.made.body.data.recovery_codes;
    expect((await login({ code })).status, 'a recovery code').toBe(200);
    expect((await login({ code })).status).toBe(422);
  });

  test('is offered as a second factor after the right password only', async () => {
    const { email, browser } = await passkeyUser(api);
    const ask = async (body: object) => browser('POST', 'user/passkey/options', { body });
    expect((await ask({ email, password: 'wrong' })).body.code).toBe('wrong_credentials');
    expect((await ask({ email: 'unknown@example.com', password })).body.code).toBe('wrong_credentials');
    expect((await ask({ email })).body.errors).toHaveProperty('password');
    const without = await api.user('member');
    expect((await ask({ email: without.email, password })).body.code).toBe('passkey_missing');
  });

  test('is renamed and removed by its owner, with a mail for each', async () => {
    const user = await passkeyUser(api);
    const { token, browser, email } = user;
    const { id } = user.made.body.data.passkey;
    const other = await api.user('tenant-admin');
    const at = `panel/user/passkey/${id}`;
    await mailsTo(email);
    expect((await browser('PUT', at, { token: other.token, body: { name: 'Benim' } })).status).toBe(404);
    expect((await browser('DELETE', at, { token: other.token, body: { password } })).status).toBe(404);
    expect((await browser('PUT', at, { token, body: { name: '' } })).body.errors).toHaveProperty('name');
    expect((await browser('PUT', at, { token, body: { name: 'Eski telefon' } })).body.data.name).toBe('Eski telefon');
    expect((await browser('DELETE', at, { token, body: { password: 'wrong' } })).body.errors).toHaveProperty(
      'password',
    );
    const removed = await browser('DELETE', at, { token, body: { password } });
    expect(removed.body.data.two_factor).toMatchObject({ enabled: false, passkeys: 0, recovery_codes: 0 });
    // Two mails of one moment have no order.
    expect((await mailsTo(email)).sort()).toEqual([
      'A passkey of your panel account was removed',
      'A passkey of your panel account was renamed',
      'Two-factor authentication is off for your panel account',
    ]);
    const entries = await api.inTenant(tx =>
      tx.many(sql`
        select verb, subject_name, before, after from audit_log
        where subject_id = ${id} and verb <> 'create' order by id`),
    );
    expect(entries).toEqual([
      {
        verb: 'update',
        subject_name: 'Eski telefon',
        before: { name: 'Telefon' },
        after: { name: 'Eski telefon' },
      },
      { verb: 'delete', subject_name: 'Eski telefon', before: { host: 'localhost' }, after: null },
    ]);
    expect((await signIn(user)).body.code, 'removed').toBe('passkey_refused');
    expect((await browser('POST', 'user/login', { body: { email, password } })).status).toBe(200);
  });

  test('ends the other sign-ins when it is the first second factor, and keeps the app beside it', async () => {
    const { token, email } = await api.user('tenant-admin');
    const older = (await api.post('user/login', { body: { email, password } })).body.data.token;
    const browser = browserAt(api);
    const add = async () => {
      const begun = await browser('POST', 'panel/user/passkey/options', { token, body: { password } });
      const passkey = softwarePasskey(`http://${panelHost}`).create(begun.body.data);
      return browser('POST', 'panel/user/passkey', { token, body: { passkey } });
    };
    expect((await add()).status).toBe(201);
    expect((await api.get('panel/user/me', { token: older })).status).toBe(401);
    expect((await add()).body.data.recovery_codes, 'they stay').toBeNull();
    expect((await me(token)).two_factor).toMatchObject({ passkeys: 2, recovery_codes: 10 });
  });

  test('keeps two-factor authentication on when an app is added and removed, and the mails say so', async () => {
    const { token, email } = await passkeyUser(api);
    const { secret } = (await api.post('panel/user/two-factor', { token, body: { password } })).body.data;
    await mailsTo(email);
    const code = totpCode(secret, stepAt(Date.now()));
    expect((await api.post('panel/user/two-factor/confirm', { token, body: { code } })).status).toBe(200);
    const off = await api.ask('DELETE', 'panel/user/two-factor', { token, body: { password } });
    expect(off.body.data.two_factor).toMatchObject({ enabled: true, app: false, passkeys: 1 });
    expect(await mailsTo(email)).toEqual([
      'New authenticator app for your panel account',
      'The authenticator app of your panel account was removed',
    ]);
  });

  test('fulfils a second factor that the tenant requires', async () => {
    const admin = await passkeyUser(api, { tenant: 'strict' });
    const as = { tenant: 'strict' };
    const brand = { brand_name: 'Strict', brand_long_name: 'Strict', require_second_factor: true };
    expect((await api.post('panel/tenant', { ...as, token: admin.token, body: brand })).status).toBe(200);
    const member = await api.user('tenant-admin', as);
    expect((await api.get('panel/location', { ...as, token: member.token })).body.code).toBe('two_factor_setup');
    const browser = browserAt(api);
    const ask = { ...as, token: member.token };
    const begun = await browser('POST', 'panel/user/passkey/options', { ...ask, body: { password } });
    const body = { passkey: softwarePasskey(`http://${panelHost}`).create(begun.body.data) };
    expect((await browser('POST', 'panel/user/passkey', { ...ask, body })).status).toBe(201);
    expect((await api.get('panel/location', ask)).status).toBe(200);
    const users = (await api.get('panel/tenant/users', { ...as, token: admin.token })).body.data;
    expect(users.map((it: { two_factor: boolean }) => it.two_factor)).toEqual([true, true]);
  });

  test('signs in alone after a password reset only after it was used once with the new password', async () => {
    const user = await passkeyUser(api);
    const { email } = user;
    await api.post('user/forgot-password', { body: { email } });
    const mail = (await takeMails(api.app)).find(it => it.to === email && /^\d{6}/.test(it.subject))!;
    const fresh = { password: 'yepyeni-parola', password_confirmation: 'yepyeni-parola' };
    await api.post('user/reset-password', { body: { email, code: mail.subject.slice(0, 6), ...fresh } });
    expect((await signIn(user)).body.code).toBe('passkey_after_password');
    const credentials = { email, password: fresh.password };
    const passkey = user.passkey.answer(await optionsOf(user, credentials));
    expect((await user.browser('POST', 'user/login', { body: { ...credentials, passkey } })).status).toBe(200);
    expect((await signIn(user)).status).toBe(200);
  });

  test('signs in alone after a password change only after it was used once with the new password', async () => {
    const user = await passkeyUser(api);
    const password = 'yepyeni-parola';
    const change = { password, password_confirmation: password, current_password: 'secret1' };
    expect((await user.browser('PUT', 'panel/user/me', { token: user.token, body: change })).status).toBe(200);
    expect((await signIn(user)).body.code).toBe('passkey_after_password');
  });

  test.for(['login', 'passkey'])('does not sign in when the password changes meanwhile: %s', async by => {
    const user =
      by === 'login' ? { ...(await api.user('tenant-admin')), browser: browserAt(api) } : await passkeyUser(api);
    const enter = () =>
      'passkey' in user ? signIn(user) : user.browser('POST', 'user/login', { body: { email: user.email, password } });
    let answer: ReturnType<typeof enter> | undefined;
    await api.inTenant(async tx => {
      await tx.run(sql`update users set password_hash = 'new' where id = ${user.id}`);
      answer = enter();
      await vi.waitFor(waitsForALock, { timeout: 120_000 });
      await tx.run(sql`update passkeys set signs_in_alone = false where user_id = ${user.id}`);
    });
    expect((await answer)?.body.code).toBe(by === 'login' ? 'wrong_credentials' : 'passkey_after_password');
  });

  test.for(['passkey', 'token'])('is not added, nor a token, by a call that began before a reset: %s', async what => {
    const { token, id } = await api.user('tenant-admin');
    const browser = browserAt(api);
    const begun = await browser('POST', 'panel/user/passkey/options', { token, body: { password } });
    const made = { passkey: softwarePasskey(`http://${panelHost}`).create(begun.body.data) };
    const body = what === 'passkey' ? made : { name: 'ERP', permissions: ['view-clients'] };
    const cookie = begun.headers
      .getSetCookie()
      .map(it => it.split(';')[0])
      .join('; ');
    const text = JSON.stringify(body);
    await api.inTenant(tx =>
      tx.run(sql`update tokens set last_used_at = now() - interval '2 minutes' where user_id = ${id}`),
    );
    const sent = request(`${api.url}/v1/panel/user/${what}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-forwarded-host': panelHost,
        'x-tenant': 'panel',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        cookie,
      },
    });
    const status = new Promise((resolve, reject) => {
      sent.on('response', response => resolve(response.resume().statusCode)).on('error', reject);
    });
    sent.write(text.slice(0, 10));
    const isFresh = sql`select 1 from tokens where user_id = ${id} and last_used_at > now() - interval '1 minute'`;
    await vi.waitFor(() => api.inTenant(tx => tx.one(isFresh)), { timeout: 120_000 });
    await api.inTenant(tx => tx.run(sql`delete from tokens where user_id = ${id}`));
    sent.end(text.slice(10));
    expect(await status).toBe(401);
  });
});

/** Throws unless a transaction waits for a row. */
async function waitsForALock(): Promise<void> {
  const { rowCount } = await api.app.db.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  expect(rowCount).toBe(1);
}
