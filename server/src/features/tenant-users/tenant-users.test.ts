import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: { id: string; email: string; token: string };
beforeAll(async () => {
  api = await startApi();
  admin = await api.user('tenant-admin');
});

let people = 0;
const form = (role: string) => ({
  first_name: 'Ece',
  last_name: 'Kaya',
  email: `ece${++people}@example.com`,
  password: 'kahve-fincanı-7',
  role,
});
const create = (body: object, token = admin.token, tenant = 'panel') =>
  api.post('panel/tenant/users', { token, tenant, body });
const login = (email: string, password = 'kahve-fincanı-7') => api.post('user/login', { body: { email, password } });

describe('users with a tenant role', () => {
  test('are created with a role, which applies immediately', async () => {
    const count = async (query: string) =>
      (await api.get(`panel/tenant/users?${query}`, { token: admin.token })).body.meta;
    const [all, named] = [await count(''), await count('search=kaya')];
    await takeMails(api.app);
    for (const [role, admin, creates] of [
      ['tenant-admin', true, true],
      ['reseller', false, true],
      ['auditor', false, false],
    ] as const) {
      const body = form(role);
      const made = await create(body);
      expect(made.status).toBe(201);
      expect(made.body.data).toMatchObject({
        role,
        full_name: 'Ece Kaya',
        email: body.email,
        two_factor: false,
        locations: 0,
      });
      expect(made.text).not.toContain('kahve-fincanı-7');
      expect((await login(body.email)).body.data.user).toMatchObject({
        role,
        is_team_admin: admin,
        can_create_location: creates,
      });
    }
    expect((await takeMails(api.app)).map(it => it.subject)).toEqual(Array(3).fill('Welcome to panel'));
    const total = all.total + 3;
    expect(await count('per_page=2')).toMatchObject({ total, last_page: Math.ceil(total / 2) });
    expect((await count('search=kaya')).total).toBe(named.total + 3);
  });

  test('without a role change nothing, and keep their role when they are changed', async () => {
    const { role: _, ...body } = form('reseller');
    const made = await create(body);
    expect([made.status, made.body.data.role]).toEqual([201, 'auditor']);
    const { id } = (await create(form('reseller'))).body.data;
    const renamed = await api.put(`panel/tenant/users/${id}`, { token: admin.token, body: { first_name: 'Ada' } });
    expect([renamed.status, renamed.body.data.role]).toEqual([200, 'reseller']);
    for (const at of [id, made.body.data.id]) await api.delete(`panel/tenant/users/${at}`, { token: admin.token });
    await takeMails(api.app);
  });

  test('an auditor reads everything and changes nothing', async () => {
    const { token } = await api.user('auditor');
    const id = await api.location(admin.token, 'Otel');
    expect((await api.get(`panel/location/${id}`, { token })).status).toBe(200);
    expect((await api.get('panel/audit', { token })).status).toBe(200);
    expect((await api.get(`panel/location/${id}/invites`, { token })).status).toBe(200);
    expect((await api.put(`panel/location/${id}`, { token, body: { name: 'X' } })).status).toBe(403);
    expect((await api.post(`panel/location/${id}/user`, { token, body: { email: 'a@example.com' } })).status).toBe(403);
  });

  test('are changed; a new password ends their sign-ins', async () => {
    const body = form('reseller');
    const { id } = (await create(body)).body.data;
    const { token } = (await login(body.email)).body.data;
    const changed = await api.put(`panel/tenant/users/${id}`, {
      token: admin.token,
      body: { role: 'auditor', first_name: 'Ada', password: '' },
    });
    expect(changed.body.data).toMatchObject({ role: 'auditor', full_name: 'Ada Kaya' });
    expect((await api.post('panel/location', { token, body: { name: 'X' } })).status).toBe(403);
    const unchanged = await api.put(`panel/tenant/users/${id}`, { token: admin.token, body: { password: null } });
    expect([unchanged.status, unchanged.body.data.full_name]).toEqual([200, 'Ada Kaya']);
    expect((await login(body.email)).status, 'an empty password changes none').toBe(200);
    await api.put(`panel/tenant/users/${id}`, { token: admin.token, body: { password: 'baska-parola' } });
    expect((await api.get('panel/user/me', { token })).status).toBe(401);
    expect((await login(body.email, 'baska-parola')).status).toBe(200);
    const log = (await api.get('panel/audit?subject_type=tenant-user&search=ece', { token: admin.token })).body.data;
    expect(log[0]).toMatchObject({ verb: 'update', after: { password_changed: true } });
    expect(JSON.stringify(log)).not.toContain('baska-parola');
  });

  test('a reseller gets locations and loses them', async () => {
    const [one, two] = [await api.location(admin.token, 'Bir'), await api.location(admin.token, 'İki')];
    const reseller = await api.user('reseller');
    const give = (location_ids: string[]) =>
      api.put(`panel/tenant/users/${reseller.id}`, { token: admin.token, body: { location_ids } });
    const seen = async () =>
      (await api.get('panel/location', { token: reseller.token })).body.data.map((l: { id: string }) => l.id).sort();
    const given = await give([one, two]);
    expect(given.body.data).toMatchObject({ locations: 2, location_ids: expect.arrayContaining([one, two]) });
    expect(await seen()).toEqual([one, two].sort());
    await api.post(`panel/user/team/change/${one}`, { token: reseller.token });
    await give([two]);
    expect(await seen()).toEqual([two]);
    expect((await api.get('panel/user/me', { token: reseller.token })).body.data.active_location).toBeNull();
    expect((await api.get(`panel/location/${one}`, { token: reseller.token })).status).toBe(404);
    const foreign = await api.user('tenant-admin', { tenant: 'far' });
    const away = await api.post('panel/location', { token: foreign.token, tenant: 'far', body: { name: 'Uzak' } });
    expect((await give([away.body.data.id])).body.errors).toHaveProperty('location_ids');
  });

  test('always include one administrator, even if two are removed at once', async () => {
    const only = await api.user('tenant-admin', { tenant: 'lonely' });
    const as = (token: string) => ({ token, tenant: 'lonely' });
    const at = (id: string) => `panel/tenant/users/${id}`;
    expect((await api.delete(at(only.id), as(only.token))).body.code).toBe('last_admin');
    expect((await api.put(at(only.id), { ...as(only.token), body: { role: 'auditor' } })).body.code).toBe('last_admin');
    expect(
      (await api.put(at(only.id), { ...as(only.token), body: { first_name: 'Tek', role: 'tenant-admin' } })).status,
    ).toBe(200);
    const second = await api.user('tenant-admin', { tenant: 'lonely' });
    const both = await Promise.all([
      api.delete(at(only.id), as(only.token)),
      api.delete(at(second.id), as(second.token)),
    ]);
    expect(both.map(it => it.status).sort()).toEqual([204, 409]);
  });

  test('are revoked and signed out; they stay members of locations, and their customers stay with the tenant', async () => {
    const body = form('reseller');
    const { id } = (await create(body)).body.data;
    const { token } = (await login(body.email)).body.data;
    const place = await api.location(token, 'Müşteri');
    expect((await api.delete(`panel/tenant/users/${id}`, { token: admin.token })).status).toBe(204);
    expect((await api.delete(`panel/tenant/users/${id}`, { token: admin.token })).status).toBe(404);
    expect((await api.get('panel/user/me', { token })).status).toBe(401);
    expect((await login(body.email)).status).toBe(401);
    expect((await api.get(`panel/location/${place}`, { token: admin.token })).status).toBe(200);
    const working = await api.user('auditor', { location: place });
    expect((await api.delete(`panel/tenant/users/${working.id}`, { token: admin.token })).status).toBe(204);
    const back = await login(working.email, 'secret1');
    expect(back.body.data.user).toMatchObject({ role: 'member', active_location: { id: place } });
  });

  test('are listed newest first by page, and found by any part of their name or address', async () => {
    const tenant = 'crowd';
    const boss = await api.user('tenant-admin', { tenant });
    const as = { token: boss.token, tenant };
    const ids = [boss.id];
    for (const name of ['Deniz', 'Ada', 'Çınar'])
      ids.unshift(
        (await create({ ...form('auditor'), first_name: name, last_name: 'Uz' }, boss.token, tenant)).body.data.id,
      );
    await api.user('member', { tenant });
    const list = async (query: string) => {
      const { data, meta } = (await api.get(`panel/tenant/users?${query}`, as)).body;
      return [data.map((it: { id: string }) => ids.indexOf(it.id)), meta.total];
    };
    expect(await list('')).toEqual([[0, 1, 2, 3], 4]);
    expect(await list('per_page=2&page=2')).toEqual([[2, 3], 4]);
    expect(await list('search=cinar uz')).toEqual([[0], 1]);
    expect(await list('search=uz&per_page=1')).toEqual([[0], 3]);
    expect(await list(`search=${boss.email}`)).toEqual([[3], 1]);
    await api.inTenant(tx => tx.run(sql`update users set totp_enabled = true where id = ${ids[1]}`), tenant);
    const passkey = sql`
      insert into passkeys (id, user_id, host, credential_id, public_key, user_handle, counter, transports, name)
      values (${ids[2]}, ${ids[2]}, 'panel', '1', '1', '1', 0, '{}', 'Phone')`;
    await api.inTenant(tx => tx.run(passkey), tenant);
    const { data } = (await api.get('panel/tenant/users', as)).body;
    expect(data.map((it: { two_factor: boolean }) => it.two_factor)).toEqual([false, true, true, false]);
    const log = (await api.get('panel/audit?subject_type=tenant-user', as)).body.data;
    expect(log[0]).toMatchObject({ verb: 'create', subject: { id: ids[0] }, after: { role: 'auditor' } });
  });

  test('keep the session in which they change their own password, and no other', async () => {
    const mine = await api.user('tenant-admin');
    const other = (await login(mine.email, 'secret1')).body.data.token;
    const body = { password: 'yepyeni-parola', email: mine.email };
    expect((await api.put(`panel/tenant/users/${mine.id}`, { token: mine.token, body })).status).toBe(200);
    const me = async (token: string) => (await api.get('panel/user/me', { token })).status;
    expect([await me(mine.token), await me(other)]).toEqual([200, 401]);
    expect((await api.delete(`panel/tenant/users/${mine.id}`, { token: admin.token })).status).toBe(204);
  });

  test('lose a change of address that they asked for when they get another one', async () => {
    const { id, email, token } = await api.user('reseller');
    const form = { first_name: 'Ece', last_name: 'Kaya', phone_number: '+905301112233', current_password: 'secret1' };
    await api.put('panel/user/me', { token, body: { ...form, email: 'asked@example.com' } });
    const pending = async () => (await api.get('panel/user/me', { token })).body.data.pending_email;
    const put = (body: object) => api.put(`panel/tenant/users/${id}`, { token: admin.token, body });
    for (const body of [{ first_name: 'Ada' }, { email }]) {
      expect((await put(body)).status).toBe(200);
      expect(await pending()).toBe('asked@example.com');
    }
    expect((await put({ email: 'given@example.com' })).status).toBe(200);
    expect(await pending()).toBeNull();
    await takeMails(api.app);
  });

  test('have an address of their own, and locations only as resellers', async () => {
    const { id } = (await create(form('auditor'))).body.data;
    const put = (body: object) => api.put(`panel/tenant/users/${id}`, { token: admin.token, body });
    expect((await put({ email: admin.email })).body.errors).toHaveProperty('email');
    const place = await api.location(admin.token, 'Üç');
    expect((await put({ location_ids: [place] })).body.data).toMatchObject({ locations: 0, location_ids: [] });
    const given = await put({ role: 'reseller', location_ids: [place, place] });
    expect(given.body.data).toMatchObject({ role: 'reseller', locations: 1, location_ids: [place] });
    const second = await api.location(admin.token, 'Dört');
    expect((await put({ location_ids: [place, second] })).body.data.location_ids).toEqual([second, place]);
    await api.delete(`panel/tenant/users/${id}`, { token: admin.token });
    const log = (await api.get(`panel/audit?subject_type=tenant-user&subject_id=${id}`, { token: admin.token })).body
      .data;
    expect(log[0]).toMatchObject({ verb: 'revoke', before: { role: 'reseller' } });
  });

  test('refuse bad input and users without the permission', async () => {
    expect(Object.keys((await create({})).body.errors).sort()).toEqual([
      'email',
      'first_name',
      'last_name',
      'password',
    ]);
    expect((await create({ ...form('reseller'), email: admin.email })).body.errors).toHaveProperty('email');
    expect((await create({ ...form('reseller'), password: '12345' })).body.errors).toHaveProperty('password');
    expect((await create(form('member'))).body.errors).toHaveProperty('role');
    const foreign = await api.user('tenant-admin', { tenant: 'elsewhere' });
    const options = { token: foreign.token, tenant: 'elsewhere' };
    expect((await api.put(`panel/tenant/users/${admin.id}`, { ...options, body: { role: 'auditor' } })).status).toBe(
      404,
    );
    expect((await api.delete(`panel/tenant/users/${admin.id}`, options)).status).toBe(404);
    const member = await api.user('member');
    expect(
      (await api.put(`panel/tenant/users/${member.id}`, { token: admin.token, body: { role: 'tenant-admin' } })).status,
    ).toBe(404);
  });
});
