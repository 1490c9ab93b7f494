import { permissions } from '@portico/contract/permissions.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

type Person = { id: string; email: string; token: string };
type Role = { id: string; name: string; kind: string; adjusted: boolean; members: number; permissions: unknown };
let api: TestApi;
let admin: string;
let location: string;
let other: string;
let manager: Person;

const make = (name: string) => api.location(admin, name);

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});
beforeEach(async () => {
  location = await make('Otel Mavi');
  other = await make('Otel Yeşil');
  manager = await api.user('member', { location });
});

const rolesAt = async (place: string, token = admin): Promise<Role[]> =>
  (await api.get(`panel/location/${place}/role`, { token })).body.data;
const tenantRoles = async (): Promise<Role[]> => (await api.get('panel/tenant/roles', { token: admin })).body.data;
const named = (roles: Role[], name: string): Role => roles.find(role => role.name === name)!;

describe('the roles of a location', () => {
  test('are the four ready-made ones, widest first, named in the language of the reader', async () => {
    const names = async (language: 'tr' | 'en') =>
      (await api.get('panel/location/roles', { token: manager.token, language })).body.data.map((r: Role) => r.name);
    expect(await names('en')).toEqual(['Manager', 'Technician', 'Reception desk', 'Viewer']);
    expect(await names('tr')).toEqual(['Yönetici', 'Teknisyen', 'Resepsiyon', 'İzleyici']);
    expect((await rolesAt(location, manager.token)).every(role => role.kind === 'ready' && !role.adjusted)).toBe(true);
  });

  test('are adjusted there alone, and reset to the ready-made set', async () => {
    const viewer = named(await rolesAt(location), 'Viewer');
    const at = `panel/location/${location}/role/${viewer.id}`;
    const put = (permissions: object) => api.put(at, { token: manager.token, body: { permissions } });
    const answer = await put({ clients: ['view'], devices: [] });
    expect(answer.status).toBe(200);
    const adjusted = { ...(viewer.permissions as object), clients: ['view'], devices: [] };
    expect(answer.body.data).toMatchObject({ adjusted: true, kind: 'ready', permissions: adjusted });
    // The scopes that are not sent stay.
    expect((await put({ portals: [] })).body.data.permissions).toEqual({ ...adjusted, portals: [] });
    expect(named(await rolesAt(location), 'Viewer').adjusted).toBe(true);
    expect(named(await rolesAt(other), 'Viewer')).toMatchObject({ adjusted: false, permissions: viewer.permissions });
    const reset = await api.post(`${at}/reset`, { token: manager.token });
    expect(reset.status).toBe(200);
    expect(reset.body.data).toMatchObject({ adjusted: false, permissions: viewer.permissions });
  });

  test('adjusted, apply to new invitations; members who have the role keep their permissions', async () => {
    const viewer = named(await rolesAt(location), 'Viewer');
    const first = await api.user('member', { location, permissions: [] });
    const member = `panel/location/${location}/user/${first.id}`;
    await api.put(member, { token: manager.token, body: { roleIds: [viewer.id] } });
    await api.put(`panel/location/${location}/role/${viewer.id}`, {
      token: manager.token,
      body: { permissions: ['view-clients'] },
    });
    const kept = (await api.get(`panel/location/${location}/user`, { token: manager.token })).body.data;
    expect(kept.find((m: Person) => m.id === first.id).permissions).toEqual(viewer.permissions);
    expect(named(await rolesAt(location), 'Viewer').members).toBe(1);
    const body = { email: 'new@example.com', roleIds: [viewer.id] };
    const invited = await api.post(`panel/location/${location}/user`, { token: manager.token, body });
    expect(invited.body.data.permissions).toMatchObject({ clients: ['view'], devices: [] });
    const again = await api.put(member, { token: manager.token, body: { roleIds: [viewer.id] } });
    expect(again.body.data.permissions).toMatchObject({ clients: ['view'], devices: [] });
  });

  test('may be made, renamed and deleted; members who have it keep their permissions', async () => {
    const at = `panel/location/${location}/role`;
    const made = await api.post(at, {
      token: manager.token,
      body: { name: 'Gece nöbeti', permissions: ['view-clients', 'update-clients'] },
    });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ name: 'Gece nöbeti', kind: 'location', adjusted: false, members: 0 });
    const id = made.body.data.id;
    expect((await rolesAt(other)).map(role => role.name)).not.toContain('Gece nöbeti');
    const renamed = await api.put(`${at}/${id}`, { token: manager.token, body: { name: 'Gece' } });
    expect(renamed.body.data).toMatchObject({ name: 'Gece', permissions: made.body.data.permissions });
    expect((await api.post(`${at}/${id}/reset`, { token: manager.token })).status).toBe(409);
    const person = await api.user('member', { location, permissions: [] });
    const member = `panel/location/${location}/user/${person.id}`;
    const given = await api.put(member, { token: manager.token, body: { roleIds: [id] } });
    expect(given.body.data.roles).toMatchObject([{ name: 'Gece' }]);
    expect((await api.delete(`${at}/${id}`, { token: manager.token })).status).toBe(204);
    const after = (await api.get(`panel/location/${location}/user`, { token: manager.token })).body.data;
    expect(after.find((m: Person) => m.id === person.id)).toMatchObject({
      roles: [],
      permissions: { clients: ['view', 'update'] },
    });
    const log = (await api.get('panel/audit?subject_type=role', { token: manager.token })).body.data;
    expect(log.map((entry: { verb: string }) => entry.verb)).toEqual(['delete', 'update', 'create']);
    expect(log[1]).toMatchObject({ before: { name: 'Gece nöbeti' }, after: { name: 'Gece' } });
  });

  test('have names of their own, and the ready-made ones keep theirs', async () => {
    const at = `panel/location/${location}/role`;
    const post = (name: string, language: 'tr' | 'en' = 'en') =>
      api.post(at, { token: manager.token, language, body: { name, permissions: ['view-clients'] } });
    expect((await post('viewer')).body.errors).toEqual({ name: ['This is already in use.'] });
    expect((await post('Resepsiyon', 'tr')).body.errors).toEqual({ name: ['Bu değer zaten kullanılıyor.'] });
    expect((await post('')).body.errors).toHaveProperty('name');
    const viewer = named(await rolesAt(location), 'Viewer');
    const renamed = await api.put(`${at}/${viewer.id}`, { token: manager.token, body: { name: 'Spy' } });
    expect(renamed.body.errors).toEqual({ name: ['The name of this role cannot be changed.'] });
    expect((await api.delete(`${at}/${viewer.id}`, { token: manager.token })).status).toBe(409);
    const bad = await api.put(`${at}/${viewer.id}`, { token: manager.token, body: { permissions: ['rule-world'] } });
    expect(bad.body.errors).toHaveProperty('permissions');
  });

  test('get no permission that the editor does not hold, and are out of reach elsewhere', async () => {
    const half = await api.user('member', { location, permissions: ['update-location', 'view-clients'] });
    const viewer = named(await rolesAt(location), 'Viewer');
    const at = `panel/location/${location}/role`;
    const wide = { name: 'Wide', permissions: [...permissions] };
    expect((await api.post(at, { token: half.token, body: wide })).body.errors).toHaveProperty('permissions');
    const more = { permissions: ['view-clients', 'delete-devices'] };
    expect((await api.put(`${at}/${viewer.id}`, { token: half.token, body: more })).status).toBe(422);
    // Permissions that are in the role already may stay.
    const less = { permissions: ['view-clients', 'view-devices'] };
    expect((await api.put(`${at}/${viewer.id}`, { token: half.token, body: less })).status).toBe(200);
    const stranger = await api.user('member', { location: other });
    expect((await api.put(`${at}/${viewer.id}`, { token: stranger.token, body: less })).status).toBe(404);
    const own = await api.post(at, { token: manager.token, body: { name: 'Ours', permissions: ['view-clients'] } });
    const elsewhere = `panel/location/${other}/role/${own.body.data.id}`;
    expect((await api.put(elsewhere, { token: stranger.token, body: less })).status).toBe(404);
    const foreign = { email: 'x@example.com', roleIds: [own.body.data.id] };
    const invited = await api.post(`panel/location/${other}/user`, { token: stranger.token, body: foreign });
    expect(invited.body.errors).toHaveProperty('roleIds');
  });
});

describe('the roles of a tenant', () => {
  test('are adjusted for every location that has not done so itself, and reset', async () => {
    const technician = named(await tenantRoles(), 'Technician');
    await api.put(`panel/location/${other}/role/${technician.id}`, {
      token: admin,
      body: { permissions: ['view-devices', 'view-clients'] },
    });
    const at = `panel/tenant/roles/${technician.id}`;
    const changed = await api.put(at, { token: admin, body: { permissions: ['view-devices'] } });
    expect(changed.body.data).toMatchObject({ adjusted: true, permissions: { devices: ['view'], clients: [] } });
    expect(named(await rolesAt(location), 'Technician').permissions).toMatchObject({ devices: ['view'], clients: [] });
    expect(named(await rolesAt(other), 'Technician').permissions).toMatchObject({
      devices: ['view'],
      clients: ['view'],
    });
    const reset = await api.post(`${at}/reset`, { token: admin });
    expect(reset.body.data).toMatchObject({ adjusted: false, permissions: technician.permissions });
  });

  test('of its own are offered everywhere, and deleted by it alone', async () => {
    const body = { name: 'Denetçi', permissions: ['view-clients'] };
    const made = (await api.post('panel/tenant/roles', { token: admin, body })).body.data;
    expect(named(await rolesAt(location, manager.token), 'Denetçi').kind).toBe('tenant');
    const theirs = `panel/location/${location}/role/${made.id}`;
    expect((await api.delete(theirs, { token: manager.token })).status).toBe(409);
    expect((await api.delete(`panel/tenant/roles/${made.id}`, { token: manager.token })).status).toBe(403);
    expect((await api.delete(`panel/tenant/roles/${made.id}`, { token: admin })).status).toBe(204);
    expect((await rolesAt(location)).map(role => role.name)).not.toContain('Denetçi');
    const auditor = await api.user('auditor');
    expect((await api.get('panel/tenant/roles', { token: auditor.token })).status).toBe(200);
    expect((await api.post('panel/tenant/roles', { token: auditor.token, body })).status).toBe(403);
  });
});
