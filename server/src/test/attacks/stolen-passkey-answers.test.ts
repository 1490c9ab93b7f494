import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserAt, panelHost, passkeyUser } from '#features/auth/testing/passkey-user.ts';
import { softwarePasskey } from '#features/auth/testing/software-passkey.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';

/** An attacker has a passkey of their own, a proxy, a lookalike site, or answers that they saw. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `http://${panelHost}` });
});

const password = 'secret1';
type User = Awaited<ReturnType<typeof passkeyUser>>;
type Browser = User['browser'];
const optionsOf = async (browser: Browser, body: object = {}, tenant = 'panel') =>
  (await browser('POST', 'user/passkey/options', { body, tenant })).body.data;
const send = (browser: Browser, passkey: unknown, tenant = 'panel') =>
  browser('POST', 'user/passkey', { body: { passkey }, tenant });
const refused = { status: 422, body: { code: 'passkey_refused' } };

describe('signing in with a passkey is refused', () => {
  test('in another tenant, also on the same host', async () => {
    const { passkey, browser } = await passkeyUser(api);
    await api.tenantId('other');
    const answer = passkey.answer(await optionsOf(browser, {}, 'other'));
    expect(await send(browser, answer, 'other')).toMatchObject(refused);
  });

  test('with a challenge of another tenant', async () => {
    const { passkey, browser } = await passkeyUser(api);
    await api.tenantId('other');
    const answer = passkey.answer(await optionsOf(browser, {}, 'other'));
    expect(await send(browser, answer)).toMatchObject(refused);
  });

  test.for(['http://evil.example', 'https://localhost:8080', 'http://localhost:9999', 'http://evil.localhost:8080'])(
    'when it was signed on %s',
    async origin => {
      const { passkey, browser } = await passkeyUser(api);
      expect(await send(browser, passkey.answer(await optionsOf(browser), { origin }))).toMatchObject(refused);
    },
  );

  test('on another host of the panel, and with a challenge of another host', async () => {
    const { passkey, browser } = await passkeyUser(api);
    const host = 'panel.localhost:8080';
    const elsewhere = browserAt(api, host);
    const origin = `http://${host}`;
    expect(await send(elsewhere, passkey.answer(await optionsOf(elsewhere), { origin }))).toMatchObject(refused);
    const challenge = await optionsOf(browser);
    expect(await send(elsewhere, passkey.answer(challenge))).toMatchObject(refused);
  });

  test('on a host name that is not the tenant’s, or no longer', async () => {
    const options = (host: string) => browserAt(api, host)('POST', 'user/passkey/options', { body: {} });
    expect((await options('evil.example')).body.code).toBe('passkey_host');
    expect((await options('127.0.0.1:8080')).body.code).toBe('passkey_host');
    const host = 'wifi.hotel.example';
    await api.inTenant(tx =>
      tx.run(sql`insert into tenant_domains (host, proof, verified_at) values (${host}, 'x', now())`),
    );
    const user = await passkeyUser(api, { host: `${host}:8080` });
    const signIn = async () => {
      const asked = await user.browser('POST', 'user/passkey/options', { body: {} });
      return asked.status === 200 ? send(user.browser, user.passkey.answer(asked.body.data)) : asked;
    };
    expect((await signIn()).status, 'while the domain is the tenant’s').toBe(200);
    await api.inTenant(tx => tx.run(sql`delete from tenant_domains where host = ${host}`));
    expect((await signIn()).body.code, 'removed').toBe('passkey_host');
    await api.inTenant(
      tx => tx.run(sql`insert into tenant_domains (host, proof, verified_at) values (${host}, 'y', now())`),
      'heir',
    );
    expect((await signIn()).body.code, 'moved to another tenant').toBe('passkey_host');
    const answer = user.passkey.answer(await optionsOf(user.browser, {}, 'heir'));
    expect(await send(user.browser, answer, 'heir')).toMatchObject(refused);
    const { email } = user;
    const login = await api.post('user/login', { body: { email, password } });
    expect(login.body.code, 'the password alone is not enough on another host').toBe('two_factor_required');
  });

  test('on an origin that the caller named in the host name', async () => {
    const { passkey } = await passkeyUser(api);
    const options = (host: string) => browserAt(api, host)('POST', 'user/passkey/options', { body: {} });
    for (const bad of ['localhost:x@evil.localhost', 'localhost@evil.localhost', 'x/.localhost', 'localhost:99999'])
      expect(await options(bad), bad).toMatchObject({ status: 409, body: { code: 'passkey_host' } });
    const otherPort = 'localhost:9999';
    const browser = browserAt(api, otherPort);
    const lie = { origin: `http://${otherPort}` };
    expect(await send(browser, passkey.answer(await optionsOf(browser), lie))).toMatchObject(refused);
    expect((await send(browser, passkey.answer(await optionsOf(browser)))).status, 'the port of the settings').toBe(
      200,
    );
  });

  test('a second time, with the same answer or the same challenge', async () => {
    const { passkey, browser } = await passkeyUser(api);
    const options = await optionsOf(browser);
    const answer = passkey.answer(options);
    const both = await Promise.all([send(browser, answer), send(browser, answer)]);
    expect(both.map(it => it.status).sort()).toEqual([200, 422]);
    expect(await send(browser, passkey.answer(options))).toMatchObject(refused);
    expect(await send(browser, passkey.answer(await optionsOf(browser), options))).toMatchObject(refused);
  });

  test('in a browser that did not ask, or after the challenge is over', async () => {
    const { passkey, browser } = await passkeyUser(api);
    const seen = passkey.answer(await optionsOf(browser));
    expect(await send(browserAt(api), seen)).toMatchObject(refused);
    const thief = browserAt(api);
    await optionsOf(thief);
    expect(await send(thief, seen)).toMatchObject(refused);
    const late = passkey.answer(await optionsOf(browser));
    await api.inTenant(tx => tx.run(sql`update passkey_challenges set expires_at = now() - interval '1 second'`));
    expect(await send(browser, late)).toMatchObject(refused);
  });

  test('without user verification, with a changed signature, or for another user', async () => {
    const { passkey, browser } = await passkeyUser(api);
    const other = await passkeyUser(api);
    const unverified = passkey.answer(await optionsOf(browser), { verifiesUser: false });
    expect(await send(browser, unverified)).toMatchObject(refused);
    const genuine = passkey.answer(await optionsOf(browser));
    const foreign = other.passkey.answer({ challenge: 'AAAA' });
    const { response } = genuine;
    const changed = [
      { signature: foreign.response.signature },
      { authenticatorData: foreign.response.authenticatorData },
      { userHandle: foreign.response.userHandle },
      { userHandle: undefined },
    ];
    for (const part of changed) {
      const answer = passkey.answer(await optionsOf(browser)).response;
      expect(await send(browser, { id: passkey.id, response: { ...answer, ...part } })).toMatchObject(refused);
    }
    const swapped = passkey.answer(await optionsOf(browser));
    expect(await send(browser, { ...swapped, id: other.passkey.id })).toMatchObject(refused);
    expect(await send(browser, { id: passkey.id, response })).toMatchObject(refused);
  });

  test('after its counter went back, which its owner is told', async () => {
    const { passkey, browser, email } = await passkeyUser(api);
    expect((await send(browser, passkey.answer(await optionsOf(browser), { counter: 9 }))).status).toBe(200);
    expect(await send(browser, passkey.answer(await optionsOf(browser), { counter: 9 }))).toMatchObject(refused);
    const subjects = (await takeMails(api.app)).filter(it => it.to.includes(email)).map(it => it.subject);
    expect(subjects).toContain('A sign-in to your panel account was refused');
  });

  test('when its user was deleted', async () => {
    const admin = await api.user('tenant-admin');
    const { passkey, browser, id } = await passkeyUser(api);
    expect((await api.delete(`panel/tenant/users/${id}`, { token: admin.token })).status).toBe(204);
    expect(await send(browser, passkey.answer(await optionsOf(browser)))).toMatchObject(refused);
  });
});

describe('a second factor', () => {
  const login = (browser: Browser, email: string, passkey: unknown) =>
    browser('POST', 'user/login', { body: { email, password, passkey } });

  test('is not the passkey of another account, nor an answer for a sign-in without password', async () => {
    const victim = await passkeyUser(api);
    const attacker = await passkeyUser(api);
    const { browser } = attacker;
    const credentials = { email: victim.email, password };
    const own = attacker.passkey.answer(await optionsOf(browser, credentials));
    expect(await login(browser, victim.email, own)).toMatchObject(refused);
    const asked = await optionsOf(browser, { email: attacker.email, password });
    expect(await login(browser, victim.email, attacker.passkey.answer(asked))).toMatchObject(refused);
    const alone = victim.passkey.answer(await optionsOf(victim.browser));
    expect(await login(victim.browser, victim.email, alone)).toMatchObject(refused);
    const second = victim.passkey.answer(await optionsOf(victim.browser, credentials));
    expect(await send(victim.browser, second)).toMatchObject(refused);
  });
});

describe('adding a passkey is refused', () => {
  const begin = async (browser: Browser, token: string) =>
    (await browser('POST', 'panel/user/passkey/options', { token, body: { password } })).body.data;
  const add = (browser: Browser, token: string, passkey: unknown) =>
    browser('POST', 'panel/user/passkey', { token, body: { passkey } });

  test('with another user’s challenge, another place, without user verification, or twice', async () => {
    const [victim, attacker] = [await api.user('member'), await api.user('member')];
    const browser = browserAt(api);
    const passkey = softwarePasskey(`http://${panelHost}`);
    const ofVictim = await begin(browser, victim.token);
    expect(await add(browser, attacker.token, passkey.create(ofVictim))).toMatchObject(refused);
    const lies = [{ origin: 'http://evil.example' }, { verifiesUser: false }, { challenge: 'AAAA' }];
    for (const lie of lies) {
      const options = await begin(browser, attacker.token);
      expect(await add(browser, attacker.token, passkey.create(options, lie))).toMatchObject(refused);
    }
    const elsewhere = { ...(await begin(browser, attacker.token)), rp: { id: 'evil.example', name: '' } };
    expect(await add(browser, attacker.token, passkey.create(elsewhere))).toMatchObject(refused);
    const made = passkey.create(await begin(browser, attacker.token));
    expect((await add(browser, attacker.token, made)).status).toBe(201);
    expect(await add(browser, attacker.token, made)).toMatchObject(refused);
    const again = passkey.create(await begin(browser, victim.token));
    expect((await add(browser, victim.token, again)).status, 'the credential of another account').toBe(409);
  });

  test('with a challenge from a repeated request: each call gets a new one', async () => {
    const { token } = await api.user('member');
    const browser = browserAt(api);
    const passkey = softwarePasskey(`http://${panelHost}`);
    const headers = { 'idempotency-key': 'the same key' };
    const ask = () => browser('POST', 'panel/user/passkey/options', { token, body: { password }, headers });
    const first = await ask();
    const second = await ask();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.body.data.challenge).not.toBe(first.body.data.challenge);
    expect(await add(browser, token, passkey.create(first.body.data))).toMatchObject(refused);
    expect(await add(browser, token, passkey.create(second.body.data)), 'used up').toMatchObject(refused);
    const third = (await ask()).body.data;
    expect((await add(browser, token, passkey.create(third))).status).toBe(201);
    const stored = await api.inTenant(tx =>
      tx.many(sql`select key from idempotent_replies where key = ${headers['idempotency-key']}`),
    );
    expect(stored).toEqual([]);
  });

  test('to a personal token, and to nobody', async () => {
    const { token } = await api.user('tenant-admin');
    const form = { name: 'ERP', permissions: ['view-clients'] };
    const stolen = (await api.post('panel/user/token', { token, body: form })).body.data.token;
    const options = (as?: string) =>
      api.post('panel/user/passkey/options', { ...(as ? { token: as } : {}), body: { password } });
    expect((await options(stolen)).status).toBe(403);
    expect((await options()).status).toBe(401);
    expect((await api.get('panel/user/passkey', { token: stolen })).status).toBe(403);
  });
});
