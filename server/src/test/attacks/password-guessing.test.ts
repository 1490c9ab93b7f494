import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { mostTried } from '#features/throttle/testing/most-tried.ts';
import { afterFile } from '#test/after-file.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { freePorts, startProcess } from '#test/process.ts';

let api: TestApi;
/** The address of another process on the same database. */
let other: string;
const limits = { TRUST_PROXY: '127.0.0.1', TOKEN_RATE_LIMIT: '30' };
beforeAll(async () => {
  api = await startApi(limits);
  const { pool } = api.app.db;
  const ports = await freePorts();
  const settings = { SECRET_KEY: 'a key for the tests, long enough', SERVICES: 'api', RATE_LIMIT: '1000000' };
  const server = await startProcess(mkdtempSync(path.join(api.app.settings.DATA_DIR, 'other-')), {
    ...{ ...ports, ...settings, ...limits },
    DATABASE_URL: pool.options.connectionString!.replace('@/', '@localhost/'),
  });
  other = `http://127.0.0.1:${ports.PORT}`;
  afterFile(() => server.stop());
});

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const login = (email: string, password: string, headers: Record<string, string> = {}) =>
  api.post('user/login', { body: { email, password }, headers });
const loginAtOther = async (email: string, password: string, headers: Record<string, string> = {}): Promise<number> =>
  (
    await fetch(`${other}/v1/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant': 'panel', ...headers },
      body: JSON.stringify({ email, password }),
    })
  ).status;
const cookieOf = (headers: Headers): string => headers.get('set-cookie')!.split(';')[0]!;

describe('two API processes on one database', () => {
  test('share the limit of an account', async () => {
    const { email } = await api.user('member');
    for (let n = 0; n < 10; n += 1) expect((await login(email, `yanlış ${n}`)).status).toBe(401);
    await holdBlocks(api.app);
    expect(await loginAtOther(email, 'secret1')).toBe(429);
  });

  test('share the attempts under way: many at once, half at each, gain nothing', async () => {
    const { email } = await api.user('member');
    const began = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) =>
        n % 2 ? loginAtOther(email, `yanlış ${n}`) : (await login(email, `yanlış ${n}`)).status,
      ),
    );
    expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(mostTried(10, began));
    expect(statuses.every(status => status === 401 || status === 429)).toBe(true);
  });

  test('share the limit of codes for a forgotten password', async () => {
    const ask = (url: string, email: string) =>
      fetch(`${url}/v1/user/forgot-password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...from('203.0.113.77') },
        body: JSON.stringify({ email }),
      });
    for (let n = 0; n < 20; n += 1) expect((await ask(n % 2 ? other : api.url, `a${n}@example.com`)).status).toBe(204);
    await holdBlocks(api.app);
    expect((await ask(api.url, 'b@example.com')).status).toBe(429);
    expect((await ask(other, 'b@example.com')).status).toBe(429);
  });
});

test('two API processes share the calls a minute of a personal token', async () => {
  const { token } = await api.user('tenant-admin');
  const made = await api.post('panel/user/token', { token, body: { name: 'ERP', permissions: ['view-clients'] } });
  const headers = { authorization: `Bearer ${made.body.data.token}`, 'x-tenant': 'panel' };
  const statuses: number[] = [];
  for (let n = 0; n < 40; n += 1)
    statuses.push((await fetch(`${n % 2 ? other : api.url}/v1/panel/user/me`, { headers })).status);
  expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(30);
  expect(statuses.at(-1)).toBe(429);
});

describe('guesses at one account from many addresses', () => {
  test('are slowed down for unknown browsers; the owner’s browser still signs in', async () => {
    const { email } = await api.user('member');
    const first = await login(email, 'secret1', from('198.51.100.1'));
    const cookie = cookieOf(first.headers);
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly/);

    let evaluated = 0;
    for (let n = 0; n < 270; n += 1) {
      const { status } = await login(email, `yanlış ${n}`, from(`10.77.${n % 30}.1`));
      if (status === 401) evaluated += 1;
    }
    expect(evaluated).toBeLessThanOrEqual(40);
    await holdBlocks(api.app);
    expect((await login(email, 'secret1', from('198.51.100.2'))).status, 'an unknown browser waits').toBe(429);
    expect((await login(email, 'secret1', { ...from('198.51.100.2'), cookie })).status).toBe(200);
  });

  test('gain nothing from a cookie of another account, a changed one, or a known one without end', async () => {
    const [owner, attacker] = [await api.user('member'), await api.user('member')];
    const own = cookieOf((await login(owner.email, 'secret1', from('198.51.100.3'))).headers);
    const theirs = cookieOf((await login(attacker.email, 'secret1', from('198.51.100.3'))).headers);
    const renamed = `${own.split('=')[0]}=${theirs.split('=')[1]}`;
    for (let n = 0; n < 30; n += 1) await login(owner.email, `yanlış ${n}`, from(`10.78.${n}.1`));
    await holdBlocks(api.app);
    for (const cookie of [theirs, renamed, `${own}0`, own.replace(/\.\d+\./, '.99999999999.')])
      expect((await login(owner.email, 'secret1', { ...from('198.51.100.4'), cookie })).status).toBe(429);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await login(owner.email, `yanlış ${n}`, { ...from(`10.79.${n}.1`), cookie: own })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

test('400 sign-ins at once from one address: at most the limit is hashed', async () => {
  const headers = from('203.0.113.99');
  const began = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 400 }, async (_, n) => (await login(`kimse${n}@example.com`, 'yanlış', headers)).status),
  );
  expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(mostTried(100, began));
  expect((await login((await api.user('member')).email, 'secret1', from('198.51.100.9'))).status).toBe(200);
});

test('guesses at the own password with a stolen session, all at once, stop at five', async () => {
  const { token } = await api.user('member');
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      api.put('panel/user/me', {
        token,
        body: { password: 'yeni-parolam', password_confirmation: 'yeni-parolam', current_password: `yanlış ${n}` },
      }),
    ),
  );
  expect(answers.filter(it => it.status === 422).length).toBeLessThanOrEqual(mostTried(5, began));
});

test.for([
  (email: string) => email,
  (email: string) => `${email.split('@')[0]}2026`,
  () => 'Portico-2026',
  () => 'Paneller Oteli 1!',
])('a password that a guesser tries first is refused: %#', async make => {
  await api.inTenant(tx => tx.run(sql`update tenants set brand_name = 'Paneller Oteli' where id = current_tenant()`));
  const { email, token } = await api.user('member');
  const password = make(email);
  const body = { password, password_confirmation: password, current_password: 'secret1' };
  const refused = await api.put('panel/user/me', { token, body });
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['password']]);
  expect((await login(email, 'secret1')).status).toBe(200);
});
