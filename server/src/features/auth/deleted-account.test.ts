import { request } from 'node:http';
import { api as tree } from '@portico/contract/api.ts';
import { endpoints } from '@portico/contract/endpoint.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';
import { passkeyUser } from './testing/passkey-user.ts';

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'http://localhost:8080' });
  admin = (await api.user('tenant-admin')).token;
});

/** The status of a call whose body arrives only after `meanwhile`. */
async function lateCall(
  method: string,
  path: string,
  token: string,
  meanwhile: () => Promise<unknown>,
  fields: object = {},
) {
  const form = {
    name: 'Can',
    first_name: 'Can',
    last_name: 'Ak',
    email: 'can@example.com',
    phone_number: '+905301112233',
  };
  const text = JSON.stringify({ ...form, password: 'secret1', code: '123456', language: 'tr', ...fields });
  const isFresh = sql`from tokens t join users u on u.id = t.user_id where t.last_used_at > now() - interval '1 day'`;
  await api.inTenant(tx => tx.run(sql`update tokens set last_used_at = now() - interval '2 days'`));
  const sent = request(api.url + path, {
    method,
    headers: {
      ...{ authorization: `Bearer ${token}`, 'x-tenant': 'panel' },
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', it => resolve(it.resume().statusCode ?? 0)).on('error', reject);
  });
  sent.write(text.slice(0, 10));
  // The access is checked before the body is read.
  await vi.waitFor(() => api.inTenant(tx => tx.one(sql`select 1 ${isFresh}`)), { timeout: 120_000 });
  await meanwhile();
  sent.end(text.slice(10));
  return status;
}

const own = [...endpoints(tree)].filter(
  ([, { method, path, access }]) => method !== 'GET' && access !== 'public' && path.startsWith('/v1/panel/user/'),
);

describe('an account that is deleted while its call is read', () => {
  test.each(own.map(([, { method, path }]) => [method, path]))('is refused: %s %s', async (method, path) => {
    const { id, token } = await api.user('tenant-admin');
    const at = path.replace(/:\w+/g, '01a1fa3e-cdf1-703d-ad31-9b554b6d0ac9');
    const status = await lateCall(method, at, token, async () => {
      expect((await api.delete(`panel/tenant/users/${id}`, { token: admin })).status).toBe(204);
    });
    expect([401, 404, 409, 422]).toContain(status);
  });

  test('is not signed in any more, as the answer says', async () => {
    const { id, token } = await api.user('tenant-admin');
    const gone = () => api.delete(`panel/tenant/users/${id}`, { token: admin });
    expect(await lateCall('POST', '/v1/panel/user/two-factor', token, gone)).toBe(401);
  });
});

describe('an administrator who is deleted while a change is read', () => {
  test.each([
    ['panel/radius-proxy', { address: '192.0.2.44' }],
    ['panel/client/export', {}],
    ['panel/location', {}],
  ])('does not make it: POST %s', async (path, fields) => {
    const { id, token } = await api.user('tenant-admin');
    const gone = () => api.delete(`panel/tenant/users/${id}`, { token: admin });
    const name = `Late ${path}`;
    expect(await lateCall('POST', `/v1/${path}`, token, gone, { ...fields, name })).toBe(401);
    const made = await api.inTenant(tx =>
      tx.many(
        sql`select name from radius_proxies where name = ${name} union all select name from locations where name = ${name}`,
      ),
    );
    expect(made).toEqual([]);
  });
});

describe('a passkey that is removed after its answer was checked', () => {
  test.each(['alone', 'after the password'])('does not sign in: %s', async how => {
    const { id, email, browser, passkey } = await passkeyUser(api);
    const known = how === 'alone' ? {} : { email, password: 'secret1' };
    const options = await browser('POST', 'user/passkey/options', { body: known });
    const body = { ...known, passkey: passkey.answer(options.body.data) };
    const at = how === 'alone' ? 'user/passkey' : 'user/login';
    let answer: ReturnType<typeof browser> | undefined;
    await api.inTenant(async tx => {
      await tx.run(sql`select from users where id = ${id} for update`);
      answer = browser('POST', at, { body });
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await api.app.db.pool.query(waits)).rowCount).toBe(1);
      await tx.run(sql`delete from passkeys where user_id = ${id}`);
    });
    const { status, body: refusal } = (await answer)!;
    expect([status, refusal.code]).toEqual([422, 'passkey_refused']);
  });
});
