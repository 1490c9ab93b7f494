import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { line, makeDevice, writeRaw } from '#features/logs/testing/fixture.ts';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: someone who lost a role, a membership or a customer goes on with the sign-in or the personal token
 * of before.
 */

let api: TestApi;
let admin: { id: string; token: string };
beforeAll(async () => {
  api = await startApi();
  admin = await api.user('tenant-admin');
});

const personal = async (owner: string, location: string, permissions: readonly string[]): Promise<string> => {
  const body = { name: 'ERP', location_id: location, permissions };
  return (await api.post('panel/user/token', { token: owner, body })).body.data.token;
};
type Reader = ReadableStreamDefaultReader<string>;
/** The text that a stream sends until it ends. */
async function rest(stream: Reader): Promise<string> {
  let received = '';
  for (let part = await stream.read(); !part.done; part = await stream.read()) received += part.value;
  return received;
}
const status = async (token: string, at: string): Promise<number> => (await api.get(at, { token })).status;

test('a removed member reads nothing by sign-in or token; invited again with less, the old token has no more than that', async () => {
  const location = await api.location(admin.token, 'Otel');
  const member = await api.user('member', { location });
  const token = await personal(member.token, location, ['view-clients', 'store-clients', 'update-location']);
  expect(await status(token, 'panel/client')).toBe(200);
  await api.delete(`panel/location/${location}/user/${member.id}`, { token: admin.token });
  for (const it of [token, member.token]) {
    expect(await status(it, 'panel/client')).toBe(403);
    expect(await status(it, `panel/location/${location}`)).toBe(404);
  }
  await api.inTenant(tx =>
    tx.run(sql`insert into location_members (location_id, user_id, permissions)
      values (${location}, ${member.id}, ${['view-clients']})`),
  );
  expect(await status(token, 'panel/client')).toBe(200);
  const body = { name: 'X', provider_type: 'username', username: 'x', password: 'parola 1', location_id: location };
  expect((await api.post('panel/client', { token, body })).status).toBe(403);
});

test('a customer that was handed over is out of reach of the reseller who had it, and of the tokens', async () => {
  const [before, after] = [await api.user('reseller'), await api.user('reseller')];
  const customer = await api.location(before.token, 'Kafe');
  const token = await personal(before.token, customer, ['view-clients', 'update-location']);
  const member = await api.user('member', { location: customer });
  expect(await status(token, `panel/location/${customer}`)).toBe(200);
  const given = { token: admin.token, body: { email: after.email } };
  expect((await api.post(`panel/location/${customer}/hand-over`, given)).status).toBe(204);
  // The token was for this customer only, so it ends.
  expect(await status(token, `panel/location/${customer}`)).toBe(401);
  expect(await status(before.token, `panel/location/${customer}`)).toBe(404);
  expect((await api.post(`panel/location/${customer}/hand-over`, { ...given, token: before.token })).status).toBe(404);
  expect(await status(member.token, `panel/location/${customer}`)).toBe(200);
});

test('an administrator who became an auditor changes nothing, also by a token of before', async () => {
  const location = await api.location(admin.token, 'Otel');
  const other = await api.user('tenant-admin');
  const token = await personal(other.token, location, ['view-clients', 'update-location']);
  const body = { role: 'auditor' };
  expect((await api.put(`panel/tenant/users/${other.id}`, { token: admin.token, body })).status).toBe(200);
  for (const it of [token, other.token])
    expect((await api.put(`panel/location/${location}`, { token: it, body: { name: 'Mine' } })).status).toBe(403);
});

describe('rights that are taken away while a large deletion is under way', () => {
  const permissions = ['view-devices', 'delete-devices'];

  test.each<[string, 'tenant-admin' | 'member', (id: string) => Sql, number]>([
    ['a lower role', 'tenant-admin', id => sql`update users set role = 'auditor' where id = ${id}`, 403],
    [
      'a permission',
      'member',
      id => sql`update location_members set permissions = ${['view-devices']} where user_id = ${id}`,
      403,
    ],
    ['the membership', 'member', id => sql`delete from location_members where user_id = ${id}`, 403],
    [
      'the device, of a member who is limited to others from now on',
      'member',
      id =>
        sql`update location_members set device_ids = ${['00000000-0000-4000-8000-000000000000']} where user_id = ${id}`,
      403,
    ],
    ['the account', 'tenant-admin', id => sql`delete from users where id = ${id}`, 401],
  ])('%s: nothing is deleted', async (_, role, take, refused) => {
    const location = await api.location(admin.token, 'Otel');
    const user = await api.user(role, role === 'member' ? { location, permissions } : {});
    const { answer, at } = await deleteWhile(location, user, take);
    expect((await answer).status).toBe(refused);
    expect(await status(admin.token, at)).toBe(200);
  });

  test('more rights are no reason to refuse it', async () => {
    const location = await api.location(admin.token, 'Otel');
    const user = await api.user('member', { location, permissions });
    const promote = (id: string) => sql`update users set role = 'tenant-admin' where id = ${id}`;
    const { answer, at } = await deleteWhile(location, user, promote);
    expect((await answer).status).toBe(204);
    expect(await status(admin.token, at)).toBe(404);
  });

  /** Begins to delete a device as a user, and changes the rights of the user meanwhile. */
  async function deleteWhile(location: string, user: { id: string; token: string }, change: (id: string) => Sql) {
    const { id } = await makeDevice(api, { nas: location.slice(-12), location });
    const at = `panel/device/${id}`;
    let answer: ReturnType<typeof api.delete>;
    await api.inTenant(async tx => {
      await tx.run(sql`select from devices where id = ${id} for update`);
      answer = api.delete(at, { token: user.token });
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await api.app.db.pool.query(waits)).rowCount).toBe(1);
      await tx.run(change(user.id));
    });
    return { answer: answer!, at };
  }
});

test('administrators who remove each other at the same moment leave one', async () => {
  const tenant = 'race';
  await api.tenantId(tenant);
  const pair = await Promise.all([api.user('tenant-admin', { tenant }), api.user('tenant-admin', { tenant })]);
  const [one, two] = pair;
  const remove = (by: string, id: string) => api.delete(`panel/tenant/users/${id}`, { tenant, token: by });
  const demote = (by: string, id: string) =>
    api.put(`panel/tenant/users/${id}`, { tenant, token: by, body: { role: 'auditor' } });
  await Promise.all(
    Array.from({ length: 5 }, () => [
      remove(one.token, two.id),
      demote(two.token, one.id),
      remove(two.token, one.id),
      demote(one.token, two.id),
    ]).flat(),
  );
  const left = await api.inTenant(
    tx => tx.one<{ n: number }>(sql`select count(*) as n from users where role = 'tenant-admin'`),
    tenant,
  );
  expect(left.n).toBe(1);
});

test.each([
  [
    'whose role was lowered',
    ({ id }) => api.put(`panel/tenant/users/${id}`, { token: admin.token, body: { role: 'reseller' } }),
  ],
  ['who was removed', ({ id }) => api.delete(`panel/tenant/users/${id}`, { token: admin.token })],
  ['who signed out', ({ token }) => api.post('user/logout', { token })],
] as [string, (it: { id: string; token: string }) => Promise<{ status: number }>][])(
  'a stream of changes of an administrator %s ends at once, and names nothing that happened since',
  async (_, take) => {
    const other = await api.user('tenant-admin');
    const response = await fetch(`${api.url}/v1/panel/events`, {
      headers: { 'x-tenant': 'panel', authorization: `Bearer ${other.token}` },
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('retry: 2000\n\n');
    expect((await take(other)).status).toBeLessThan(300);
    const change = JSON.stringify({ tenant: await api.tenantId('panel'), location: null, topic: 'secret-plans' });
    await api.inTenant(tx => tx.run(sql`select pg_notify('portico', ${change})`));
    let received = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value;
    expect(received).not.toContain('secret-plans');
    expect(received).not.toContain('still here');
  },
);

test.each([
  [
    'the tenant begins to require a second factor',
    false,
    ({ admin, tenant }) => {
      const brand = { brand_name: 'S', brand_long_name: 'S' };
      return api.post('panel/tenant', { tenant, token: admin, body: { ...brand, require_second_factor: true } });
    },
  ],
  [
    'the user loses the second factor that the tenant requires',
    true,
    ({ id, tenant }) => api.inTenant(tx => tx.run(sql`update users set totp_enabled = false where id = ${id}`), tenant),
  ],
] as [string, boolean, (it: { id: string; admin: string; tenant: string }) => Promise<unknown>][])(
  'a stream of changes and a live view of logs end when %s',
  async (name, hasFactor, take) => {
    const tenant = hasFactor ? 'factor-lost' : 'factor-wanted';
    await api.tenantId(tenant);
    const factor = (id: string) =>
      api.inTenant(tx => tx.run(sql`update users set totp_enabled = true where id = ${id}`), tenant);
    const [user, other] = [await api.user('tenant-admin', { tenant }), await api.user('tenant-admin', { tenant })];
    await factor(other.id);
    if (hasFactor) {
      await factor(user.id);
      await api.inTenant(tx => tx.run(sql`update tenants set require_second_factor = true`), tenant);
    }
    const device = await makeDevice(api, { nas: `strict00${Number(hasFactor)}a`, tenant });
    const read = async (at: string) => {
      const headers = { 'x-tenant': tenant, authorization: `Bearer ${user.token}` };
      const response = await fetch(`${api.url}/v1/${at}`, { headers });
      return response.body!.pipeThrough(new TextDecoderStream()).getReader();
    };
    const streams = [await read('panel/events'), await read(`panel/device/${device.id}/logs/tail`)];
    for (const it of streams) expect((await it.read()).value).toMatch(/^retry: /);
    await take({ id: user.id, admin: other.token, tenant });
    const change = JSON.stringify({ tenant: device.tenantId, location: null, topic: 'secret-plans' });
    await api.inTenant(tx => tx.run(sql`select pg_notify('portico', ${change})`), tenant);
    const [changes, logs] = streams as [Reader, Reader];
    expect(await rest(changes), name).not.toContain('secret-plans');
    await writeRaw(api, device, [{ at: new Date().toISOString(), line: `${line.firewall()} secret` }]);
    expect(await rest(logs), name).not.toContain('secret');
  },
);

test('a stream of changes goes on when a location changes that the member cannot see', async () => {
  const [mine, other] = [await api.location(admin.token, 'Benim'), await api.location(admin.token, 'Başka')];
  const member = await api.user('member', { location: mine });
  const response = await fetch(`${api.url}/v1/panel/events`, {
    headers: { 'x-tenant': 'panel', authorization: `Bearer ${member.token}` },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('retry: 2000\n\n');
  const rename = (id: string) => api.put(`panel/location/${id}`, { token: admin.token, body: { name: 'Yeni' } });
  expect((await rename(other)).status).toBe(200);
  expect((await rename(mine)).status).toBe(200);
  expect((await reader.read()).value).toBe('data: {"topic":"locations"}\n\n');
  await reader.cancel();
});

test('a stream of changes that a member holds open ends with the membership, also where the sign-in goes on', async () => {
  const [left, kept] = [await api.location(admin.token, 'Bırakılan'), await api.location(admin.token, 'Kalan')];
  const member = await api.user('member', { location: left });
  await api.inTenant(tx =>
    tx.run(sql`insert into location_members (location_id, user_id, permissions)
      values (${kept}, ${member.id}, ${['view-clients']})`),
  );
  const response = await fetch(`${api.url}/v1/panel/events`, {
    headers: { 'x-tenant': 'panel', authorization: `Bearer ${member.token}` },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('retry: 2000\n\n');
  expect((await api.delete(`panel/location/${left}/user/${member.id}`, { token: admin.token })).status).toBe(204);
  const tenant = await api.tenantId('panel');
  const change = JSON.stringify({ tenant, location: left, topic: 'visitors' });
  await api.inTenant(tx => tx.run(sql`select pg_notify('portico', ${change})`));
  let received = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value;
  expect(received).not.toContain('visitors');
  expect(await status(member.token, `panel/location/${kept}`)).toBe(200);
});
