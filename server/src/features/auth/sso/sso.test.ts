import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeMails } from '#mail/testing.ts';
import type { Body } from '#test/harness.ts';
import { redirectUri, startSsoTenant } from './testing/sso-tenant.ts';

let it: Awaited<ReturnType<typeof startSsoTenant>>;
let hotel: string;
let reception: string;
let viewer: string;

beforeAll(async () => {
  it = await startSsoTenant();
  const { api, admin } = it;
  hotel = await api.location(admin.token, 'Otel');
  const roles: Body[] = (await api.get('panel/tenant/roles', { token: admin.token })).body.data;
  reception = roles.find(role => role.name === 'Reception desk').id;
  viewer = roles.find(role => role.name === 'Viewer').id;
});
/** Each test begins without settings, and signs in persons of its own. Together they save more often than the limit. */
beforeEach(async () => {
  await it.api.app.db.pool.query('delete from throttles');
  await it.api.delete('panel/tenant/sso', { token: it.admin.token });
});

const mappings = () => [
  { group: 'it', role: 'tenant-admin' },
  { group: 'audit', role: 'auditor' },
  { group: 'desk', role: 'member', location_id: hotel, role_id: reception },
  { group: 'staff', role: 'member', location_id: hotel, role_id: viewer },
];
const entries = async (name: string): Promise<string[]> => {
  const { body } = await it.api.get('panel/audit?per_page=50', { token: it.admin.token });
  return body.data
    .filter((row: Body) => JSON.stringify(row).includes(name))
    .map((row: Body) => `${row.verb} ${row.subject.type}`);
};

describe('the settings', () => {
  test('are checked, and their secret is never returned', async () => {
    const { save, api, admin } = it;
    const wrong = async (more: object) => {
      const answer = await save(more);
      return [answer.status, ...Object.keys(answer.body.errors ?? {})];
    };
    expect((await api.get('panel/tenant/sso', { token: admin.token })).body.data).toEqual({
      provider: null,
      redirect_uris: [redirectUri, 'http://acme.example:8080/auth/sso'],
    });
    expect(await wrong({ domains: ['gmail.com'] })).toEqual([422, 'domains']);
    expect(await wrong({ domains: [] })).toEqual([422, 'domains']);
    expect(await wrong({ client_secret: undefined })).toEqual([422, 'client_secret']);
    expect(await wrong({ issuer: `${it.provider.issuer}/nowhere` })).toEqual([422, 'issuer']);
    expect(await wrong({ issuer: 'javascript:alert(1)' })).toEqual([422, 'issuer']);
    expect(await wrong({ create_accounts: true })).toEqual([422, 'create_accounts']);
    expect(await wrong({ enforced: true })).toEqual([422, 'enforced']);
    const elsewhere = (await api.user('tenant-admin', { tenant: await other() })).id;
    expect(await wrong({ emergency_user_id: elsewhere })).toEqual([422, 'emergency_user_id']);
    expect(await wrong({ emergency_user_id: (await api.user('auditor')).id })).toEqual([422, 'emergency_user_id']);
    const unknown = [{ group: 'x', role: 'member', location_id: hotel, role_id: hotel }];
    expect(await wrong({ mappings: unknown })).toEqual([422, 'mappings.0.role_id']);
    expect((await api.get('config')).body.data.sso).toBeNull();

    const saved = await save({ mappings: mappings() });
    expect(saved.status, saved.text).toBe(200);
    expect(saved.text).not.toContain('their secret');
    expect(saved.body.data.provider).toMatchObject({ label: 'Acme', proven_at: null, groups_claim: 'groups' });
    expect(saved.body.data.provider.mappings).toHaveLength(4);
    expect((await api.get('config')).body.data.sso).toBe('Acme');
    expect((await save({ client_secret: undefined, mappings: mappings() })).status).toBe(200);
    // The secret is not sent to another issuer.
    expect(await wrong({ client_secret: undefined, issuer: 'http://localhost:1' })).toEqual([422, 'client_secret']);
  });

  test('are for tenant administrators; auditors read them', async () => {
    const { api, form } = it;
    const auditor = (await api.user('auditor')).token;
    expect((await api.get('panel/tenant/sso', { token: auditor })).status).toBe(200);
    expect((await api.put('panel/tenant/sso', { token: auditor, body: form() })).status).toBe(403);
    const member = (await api.user('member', { location: hotel })).token;
    expect((await api.get('panel/tenant/sso', { token: member })).status).toBe(403);
    expect((await api.get('panel/tenant/sso/links', { token: member })).status).toBe(403);
  });
});

const other = async () => {
  await it.api.tenantId('elsewhere');
  return 'elsewhere';
};

describe('a person', () => {
  beforeEach(() => it.save({ mappings: mappings(), create_accounts: true }));

  test('gets an account with the rights of the groups, and a session of one day', async () => {
    const { signIn, person, me, api } = it;
    const answer = await signIn(person('ada', { groups: ['desk', 'unknown'] }));
    expect(answer.status, answer.text).toBe(200);
    const { token, user } = answer.body.data;
    expect(user).toMatchObject({ email: 'ada@acme.example', role: 'member', full_name: 'ada Deniz' });
    expect((await me(token)).permissions).toContain('update-clients');
    expect((await me(token)).active_location.id).toBe(hotel);
    const [session] = (await api.get('oauth/tokens', { token })).body.data;
    const hours = (Date.parse(session.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThan(25);
    expect(await entries('ada@acme.example')).toEqual(
      expect.arrayContaining(['create user', 'create sso', 'grant member', 'sign-in user']),
    );
    const again = await signIn(person('ada', { email: 'new.ada@acme.example', groups: ['desk'] }));
    expect(again.body.data.user.id, 'the subject names the account').toBe(user.id);
    expect(again.body.data.user.email).toBe('ada@acme.example');
  });

  test('loses at the next sign-in what the groups no longer give', async () => {
    const { signIn, person, me, api } = it;
    const first = (await signIn(person('can', { groups: ['it'] }))).body.data.token;
    expect((await me(first)).role).toBe('tenant-admin');
    const personal = await api.post('panel/user/token', {
      token: first,
      body: { name: 'ERP', permissions: ['view-clients'], days: 30 },
    });
    expect(personal.status, personal.text).toBe(201);
    const second = (await signIn(person('can', { groups: ['staff', 'desk'] }))).body.data.token;
    expect(await me(second)).toMatchObject({ role: 'member' });
    expect((await me(first)).role, 'the older session has the new rights').toBe('member');
    const third = (await signIn(person('can', { groups: ['staff'] }))).body.data.token;
    expect((await me(third)).permissions).not.toContain('update-clients');
    const none = await signIn(person('can', { groups: ['unknown'] }));
    expect([none.status, none.body.code]).toEqual([403, 'sso_no_rights']);
    expect((await api.get('panel/user/me', { token: third })).status).toBe(401);
    expect((await api.get('panel/client', { token: personal.body.data.token })).status).toBe(401);
    expect(await entries('can@acme.example')).toContain('revoke member');
  });

  test('stays administrator without a group for it only while there is no other', async () => {
    const { signIn, person, api, save } = it;
    await save({ mappings: mappings(), create_accounts: true, emergency_user_id: null });
    const { id } = (await signIn(person('tek', { groups: ['desk'] }))).body.data.user;
    const make = (role: string, of: Sql) =>
      api.inTenant(tx => tx.run(sql`update users set role = ${role} where ${of}`));
    const others = await api.inTenant(tx =>
      tx.many<{ id: string }>(sql`select id from users where role = 'tenant-admin'`),
    );
    const areOthers = sql`id = any(${others.map(user => user.id)})`;
    await make('auditor', areOthers);
    await make('tenant-admin', sql`id = ${id}`);
    const roleAfter = async () => (await signIn(person('tek', { groups: ['desk'] }))).body.data.user.role;
    expect(await roleAfter(), 'the only one; auditors and members do not count').toBe('tenant-admin');
    await make('tenant-admin', areOthers);
    expect(await roleAfter()).toBe('member');
  });

  test('keeps the rights when the provider leaves the groups out', async () => {
    const { signIn, person } = it;
    const { user } = (await signIn(person('ece', { groups: ['desk'] }))).body.data;
    const { groups: _, ...without } = person('ece', { _claim_names: { groups: 'src1' } });
    expect((await signIn(without)).body.code).toBe('sso_no_rights');
    const still = await it.api.inTenant(tx => tx.many(sql`select 1 from location_members where user_id = ${user.id}`));
    expect(still).toHaveLength(1);
  });

  test('is in groups of a nested claim, or in the group of everyone', async () => {
    const { save, signIn, person } = it;
    await save({ mappings: mappings(), create_accounts: true, groups_claim: 'realm_access.roles' });
    const keycloak = await signIn(person('kaan', { realm_access: { roles: ['audit'] } }));
    expect(keycloak.body.data.user.role).toBe('auditor');
    const everyone = [{ group: '*', role: 'member', location_id: hotel, role_id: viewer }];
    await save({ mappings: everyone, create_accounts: true });
    expect((await signIn(person('lale'))).status).toBe(200);
  });

  test('gets no account without rights, without an address, or when accounts are made by hand', async () => {
    const { save, signIn, person, api } = it;
    const code = async (claims: { sub: string }) => (await signIn(claims)).body.code;
    expect(await code(person('yok'))).toBe('sso_no_rights');
    expect(await code(person('yok', { email_verified: false, groups: ['it'] }))).toBe('sso_email');
    expect(await code(person('yok', { email: undefined, groups: ['it'] }))).toBe('sso_email');
    await save({ mappings: mappings() });
    expect(await code(person('yok', { groups: ['it'] }))).toBe('sso_no_account');
    const email = 'eski@acme.example';
    const { id } = await api.user('member', { location: hotel });
    await api.inTenant(tx => tx.run(sql`update users set email = ${email} where id = ${id}`));
    const linked = await signIn(person('eski', { groups: ['desk'] }));
    expect(linked.body.data.user.id, 'an account with the verified address').toBe(id);
    const mails = (await takeMails(api.app)).filter(mail => mail.to.includes(email));
    expect(mails.map(mail => mail.subject)).toContainEqual(expect.stringMatching(/account now signs in with Acme$/));
  });

  test('needs no second factor here, also where the tenant requires one', async () => {
    const { api, signIn, person } = it;
    const set = (require_second_factor: boolean) =>
      api.inTenant(tx => tx.run(sql`update tenants set require_second_factor = ${require_second_factor}`));
    await set(true);
    const { token } = (await signIn(person('efe', { groups: ['desk'] }))).body.data;
    expect((await api.get('panel/client', { token })).status).toBe(200);
    const me = (await api.get('panel/user/me', { token })).body.data;
    expect(me.two_factor, 'the panel asks for none').toMatchObject({ enabled: false, required: false });
    await set(false);
  });

  test('whose account is deleted at the same moment is refused', async () => {
    const { api, signIn, person } = it;
    const nil = person('nil', { groups: ['desk'] });
    const { user } = (await signIn(nil)).body.data;
    let answer: ReturnType<typeof signIn> | undefined;
    await api.inTenant(async tx => {
      await tx.run(sql`delete from users where id = ${user.id}`);
      answer = signIn(nil);
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await api.app.db.pool.query(waits)).rowCount).toBe(1);
    });
    const refused = (await answer)!;
    expect([refused.status, refused.body.code]).toEqual([422, 'sso_failed']);
    expect((await signIn(nil)).body.data.user.id, 'a new account').not.toBe(user.id);
  });

  test('signs in after the provider changed its keys', async () => {
    const { provider, signIn, person } = it;
    const status = async () => (await signIn(person('nil', { groups: ['desk'] }))).status;
    expect(await status()).toBe(200);
    provider.rotateKeys();
    expect(await status(), 'right after a sign-in with the old key').toBe(200);
    provider.rotateKeys('same id');
    expect(await status()).toBe(200);
    provider.rotateKeys('same id');
    expect(await status(), 'another key with the id of the old one').toBe(200);
  });

  test('can be separated from the account, which another person then gets', async () => {
    const { api, admin, signIn, person } = it;
    const { token } = (await signIn(person('oya', { groups: ['desk'] }))).body.data;
    const successor = person('oya', { sub: 'somebody else', groups: ['desk'] });
    expect((await signIn(successor)).body.code, 'the address went to another person').toBe('sso_linked');
    const list = await api.get('panel/tenant/sso/links?search=oya', { token: admin.token });
    expect(list.body.data).toMatchObject([{ user: { email: 'oya@acme.example' }, email: 'oya@acme.example' }]);
    expect((await api.delete(`panel/tenant/sso/links/${list.body.data[0].id}`, { token: admin.token })).status).toBe(
      204,
    );
    expect((await api.get('panel/user/me', { token })).status).toBe(401);
    expect((await signIn(successor)).status).toBe(200);
  });
});

describe('enforced sign-on', () => {
  let plain: { id: string; email: string; token: string };
  const login = (email: string, password = 'secret1') => it.api.post('user/login', { body: { email, password } });

  beforeEach(async () => {
    plain = await it.api.user('tenant-admin');
    const form = { mappings: mappings(), create_accounts: true };
    await it.save(form);
    // A sign-in proves the settings.
    expect((await it.signIn(it.person('kanıt', { email: 'proof@acme.example', groups: ['it'] }))).status).toBe(200);
    const answer = await it.save({ ...form, enforced: true });
    expect(answer.status, answer.text).toBe(200);
  });

  test('ends other sign-ins and refuses passwords; the emergency account keeps its own', async () => {
    const { api, admin } = it;
    expect((await api.get('panel/user/me', { token: plain.token })).status).toBe(401);
    expect((await api.get('panel/user/me', { token: admin.token })).status).toBe(200);
    for (const [email, password] of [
      [plain.email, 'secret1'],
      [plain.email, 'wrong password'],
      ['nobody@acme.example', 'secret1'],
      [admin.email, 'wrong password'],
    ] as const) {
      const answer = await login(email, password);
      expect([answer.status, answer.body.code], `${email} ${password}`).toEqual([403, 'sso_required']);
    }
    expect((await login(admin.email)).status).toBe(200);
    const config = (await api.get('config')).body.data;
    expect([config.registration, config.sso]).toEqual(['invitation', 'Acme']);
  });

  test('mails no reset code and takes none', async () => {
    const { api, admin } = it;
    const coded = async (email: string) => {
      await api.post('user/forgot-password', { body: { email } });
      return (await takeMails(api.app)).some(mail => mail.to.includes(email) && /\d{6}/.test(mail.text));
    };
    expect(await coded(plain.email)).toBe(false);
    expect(await coded(admin.email)).toBe(true);
  });

  test('leaves API tokens and the last rights of the emergency account', async () => {
    const { api, admin, signIn, person, me } = it;
    const body = { name: 'ERP', permissions: ['view-clients'], days: 30 };
    const token = (await api.post('panel/user/token', { token: admin.token, body })).body.data.token;
    expect((await api.get('panel/client', { token })).status).toBe(200);
    await api.inTenant(tx => tx.run(sql`update users set email = 'acil@acme.example' where id = ${admin.id}`));
    const own = await signIn(person('acil', { groups: [] }));
    expect((await me(own.body.data.token)).role).toBe('tenant-admin');
    const second = (await signIn(person('mert', { groups: ['it'] }))).body.data.token;
    const refusal = await api.delete(`panel/tenant/users/${admin.id}`, { token: second });
    expect([refusal.status, refusal.body.code]).toEqual([409, 'sso_emergency']);
    const role = await api.put(`panel/tenant/users/${admin.id}`, { token: second, body: { role: 'auditor' } });
    expect(role.body.code).toBe('sso_emergency');
    await api.inTenant(tx => tx.run(sql`update users set email = ${admin.email} where id = ${admin.id}`));
  });

  test('stays when a change sends something else, and so do the mappings', async () => {
    const { api, admin } = it;
    const before = (await api.get('panel/tenant/sso', { token: admin.token })).body.data.provider;
    const put = (body: object) => api.put('panel/tenant/sso', { token: admin.token, body });
    const answer = await put({ label: 'Acme Ltd' });
    expect(answer.status, answer.text).toBe(200);
    const { updated_at: _, ...kept } = before;
    expect(answer.body.data.provider).toMatchObject({ ...kept, label: 'Acme Ltd' });
    expect((await login(plain.email)).status).toBe(403);
    // The result of a change is checked as a whole.
    for (const [change, field] of [
      [{ emergency_user_id: null }, 'emergency_user_id'],
      [{ enabled: false }, 'enforced'],
      [{ mappings: [] }, 'create_accounts'],
      [{ label: null }, 'label'],
    ] as const) {
      const { status, body } = await put(change);
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    }
  });

  test('can be taken off while the provider is away, and not put on', async () => {
    const { provider, save } = it;
    const change = async (more: object) => {
      const answer = await save({ mappings: mappings(), client_secret: undefined, ...more });
      return [answer.status, ...Object.keys(answer.body.errors ?? {})];
    };
    provider.away(true);
    expect(await change({ enforced: false })).toEqual([200]);
    expect((await login(plain.email)).status).toBe(200);
    expect(await change({ enforced: true })).toEqual([422, 'issuer']);
    expect(await change({ client_secret: 'another' })).toEqual([422, 'issuer']);
    expect(await change({ enabled: false })).toEqual([200]);
    expect(await change({})).toEqual([422, 'issuer']);
    provider.away(false);
    expect(await change({ enforced: true })).toEqual([200]);
    expect((await login(plain.email)).status).toBe(403);
  });

  test('ends with the settings', async () => {
    const { api, admin } = it;
    expect((await api.delete('panel/tenant/sso', { token: admin.token })).status).toBe(204);
    expect((await login(plain.email)).status).toBe(200);
    expect((await api.post('user/sso', {})).body.code).toBe('sso_off');
  });
});
