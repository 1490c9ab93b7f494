import { type Permission, permissions } from '@portico/contract/permissions.ts';
import { describe, expect, test } from 'vitest';
import { type ActorRow, actorOf, allows, inOneLocation, isLimited, may, permissionsIn } from './actor.ts';

const member = (location: string, held: readonly Permission[], devices: string[] | null = null) => ({
  location_id: location,
  permissions: [...held],
  device_ids: devices,
});
const make = (more: Partial<ActorRow>) =>
  actorOf(
    {
      tenant_id: 't',
      user_id: 'u',
      token_id: 'k',
      role: 'member',
      active_location_id: 'a',
      time_zone: 'Europe/Berlin',
      tenant_time_zone: 'Europe/Lisbon',
      memberships: [],
      ...more,
    },
    '192.0.2.1',
  );
const at = (ids: string[], deviceIds: string[] | null = null) => ({ kind: 'locations', ids, deviceIds });

describe('a member', () => {
  const two = [member('a', ['view-clients']), member('b', ['view-devices', 'update-location'], ['d1'])];

  test('works in the active location, with the permissions and devices of its membership there', () => {
    const actor = make({ memberships: two });
    expect(actor).toMatchObject({
      tenantId: 't',
      userId: 'u',
      tokenId: 'k',
      ip: '192.0.2.1',
      role: 'member',
      scopes: null,
      onlyLocationId: null,
      isTeamAdmin: false,
      canCreateLocation: false,
      activeLocationId: 'a',
      timeZone: 'Europe/Berlin',
    });
    expect(actor.scope).toEqual(at(['a']));
    expect(actor.reach).toEqual(at(['a']));
    expect([...actor.permissions]).toEqual(['view-clients']);
    expect([may(actor, 'view-clients'), may(actor, 'view-devices')]).toEqual([true, false]);
    expect([inOneLocation(actor), isLimited(actor)]).toEqual([true, false]);
    const other = make({ memberships: two, active_location_id: 'b' });
    expect(other.reach).toEqual(at(['b'], ['d1']));
    expect(other.scope).toEqual(at(['b'], ['d1']));
    expect(isLimited(other)).toBe(true);
  });

  test('has in another of its locations the permissions of that membership, and none elsewhere', () => {
    const actor = make({ memberships: two });
    expect([...permissionsIn(actor, 'b')]).toEqual(['view-devices', 'update-location']);
    expect(permissionsIn(actor, 'c').size).toBe(0);
    expect(permissionsIn(actor)).toBe(actor.permissions);
    expect(allows(actor, 'view-devices', 'b')).toBe(true);
    expect(allows(actor, 'view-devices')).toBe(false);
    expect(allows(actor, 'view-clients', 'b')).toBe(false);
  });

  test('who was removed from the active location sees nothing and works nowhere', () => {
    const actor = make({ memberships: [two[1]!] });
    expect(actor).toMatchObject({ activeLocationId: null, timeZone: 'Europe/Lisbon' });
    expect(actor.scope).toEqual(at([]));
    expect(actor.reach).toEqual(at([]));
    expect(actor.permissions.size).toBe(0);
  });

  test('without an active location sees nothing', () => {
    const actor = make({ memberships: two, active_location_id: null });
    expect([actor.scope, actor.reach]).toEqual([at([]), at([])]);
    expect(actor.permissions.size).toBe(0);
  });
});

describe('an administrator', () => {
  test('sees all of the tenant, and the active location alone where lists are narrowed', () => {
    const actor = make({ role: 'tenant-admin', memberships: [member('a', [], ['d1'])] });
    expect(actor.reach).toEqual({ kind: 'tenant' });
    expect(actor.scope).toEqual(at(['a']));
    expect(actor).toMatchObject({ isTeamAdmin: true, canCreateLocation: true });
    expect([...actor.permissions]).toEqual([...permissions]);
    expect(permissionsIn(actor, 'z')).toBe(actor.permissions);
    expect([inOneLocation(actor), isLimited(actor)]).toEqual([false, false]);
    expect(make({ role: 'tenant-admin', active_location_id: null }).scope).toEqual({ kind: 'tenant' });
  });

  test('has the time zone of the active location, else that of the tenant', () => {
    expect(make({ role: 'tenant-admin' }).timeZone).toBe('Europe/Berlin');
    expect(make({ role: 'tenant-admin', time_zone: null }).timeZone).toBe('Europe/Lisbon');
    expect(make({ role: 'tenant-admin', active_location_id: null }).timeZone).toBe('Europe/Lisbon');
  });
});

test('a reseller sees what it owns, has every permission there, and administers no team', () => {
  const actor = make({ role: 'reseller', active_location_id: null });
  expect(actor.reach).toEqual({ kind: 'owned', userId: 'u' });
  expect(actor.scope).toEqual({ kind: 'owned', userId: 'u' });
  expect(actor).toMatchObject({ isTeamAdmin: false, canCreateLocation: true });
  expect([...actor.permissions]).toEqual([...permissions]);
});

test('an auditor reads all of the tenant, and searches no identities', () => {
  const actor = make({ role: 'auditor', active_location_id: null });
  expect(actor.reach).toEqual({ kind: 'tenant' });
  const reading = permissions.filter(key => key.startsWith('view-') && key !== 'view-identity');
  expect([...actor.permissions]).toEqual(reading);
  expect(actor).toMatchObject({ isTeamAdmin: false, canCreateLocation: false });
});

describe('a personal token', () => {
  const scopes = ['delete-devices', 'view-clients'];

  test('has the permissions that both it and its owner have', () => {
    const all = make({ role: 'tenant-admin', scopes, active_location_id: null });
    expect([...all.permissions]).toEqual(scopes);
    expect([...(all.scopes ?? [])]).toEqual(scopes);
    const auditor = make({ role: 'auditor', scopes, active_location_id: null });
    expect([...auditor.permissions]).toEqual(['view-clients']);
    const some = make({ scopes, memberships: [member('a', ['view-clients', 'view-devices'])] });
    expect([...some.permissions]).toEqual(['view-clients']);
    expect([...permissionsIn(some, 'a')]).toEqual(['view-clients']);
  });

  test('never administers the team, and creates no location', () => {
    for (const role of ['tenant-admin', 'reseller'] as const)
      expect(make({ role, scopes })).toMatchObject({ isTeamAdmin: false, canCreateLocation: false });
  });

  test('for one location reaches that location alone, with all of its devices', () => {
    const actor = make({ role: 'tenant-admin', scopes, memberships: [member('a', [], ['d1'])] });
    expect(actor.onlyLocationId).toBe('a');
    expect([actor.scope, actor.reach]).toEqual([at(['a']), at(['a'])]);
    expect(inOneLocation(actor)).toBe(true);
    const both = [member('a', ['view-clients']), member('b', ['view-clients'])];
    const ofMember = make({ scopes, memberships: both });
    expect(ofMember.memberships.map(it => it.locationId)).toEqual(['a']);
    expect(permissionsIn(ofMember, 'b').size).toBe(0);
  });

  test('for all locations reaches what its owner does', () => {
    const actor = make({ role: 'reseller', scopes, active_location_id: null });
    expect(actor.onlyLocationId).toBeNull();
    expect(actor.reach).toEqual({ kind: 'owned', userId: 'u' });
    expect(inOneLocation(actor)).toBe(false);
  });
});

describe('access to', () => {
  const admin = make({ role: 'tenant-admin' });
  const reseller = make({ role: 'reseller' });
  const auditor = make({ role: 'auditor' });
  const auditorsToken = make({ role: 'auditor', scopes: ['view-clients'], active_location_id: null });
  const guestDesk = make({ memberships: [member('a', ['view-clients'])] });
  const manager = make({ memberships: [member('a', ['update-location'])] });
  const nothing = make({ memberships: [member('a', [])] });
  const everyone = { admin, reseller, auditor, auditorsToken, guestDesk, manager, nothing };
  const who = (access: Parameters<typeof allows>[1]) =>
    Object.entries(everyone)
      .filter(([, actor]) => allows(actor, access))
      .map(([name]) => name);

  test.for([
    ['public', Object.keys(everyone)],
    ['signed-in', Object.keys(everyone)],
    ['tenant-admin', ['admin']],
    ['create-location', ['admin', 'reseller']],
    ['read-tenant', ['admin', 'auditor']],
    ['read-location', ['admin', 'reseller', 'auditor', 'manager']],
    ['read-profiles', ['admin', 'reseller', 'auditor', 'auditorsToken', 'guestDesk', 'manager']],
    ['choose', ['admin', 'reseller', 'auditor', 'manager']],
    ['view-clients', ['admin', 'reseller', 'auditor', 'auditorsToken', 'guestDesk']],
    ['update-location', ['admin', 'reseller', 'manager']],
    ['view-identity', ['admin', 'reseller']],
  ] as const)('%s: %j', ([access, names]) => {
    expect(who(access)).toEqual(names);
  });
});
