import { permissionScopes, permissions } from '@portico/contract/permissions.ts';
import { describe, expect, test } from 'vitest';
import { everythingOf, sameKeys, withKey } from '#features/team/grant.ts';

describe('a permission that is switched on or off', () => {
  test('brings the permission to view the same thing', () => {
    expect(withKey([], 'update-devices', true)).toEqual(['view-devices', 'update-devices']);
  });

  test('comes alone where nothing is to be viewed', () => {
    expect(withKey([], 'update-location', true)).toEqual(['update-location']);
  });

  test('takes away all others of its scope when it is the one to view', () => {
    const held = withKey(withKey(['view-portals'], 'delete-devices', true), 'store-devices', true);
    expect(withKey(held, 'view-devices', false)).toEqual(['view-portals']);
  });

  test('takes away only itself otherwise', () => {
    expect(withKey(['view-devices', 'update-devices', 'delete-devices'], 'update-devices', false)).toEqual([
      'view-devices',
      'delete-devices',
    ]);
  });
});

describe('a new administrator', () => {
  const role = (id: string, keys: readonly string[]) => ({ id, name: id, permissions: permissionScopes(keys) });

  test('starts with the permissions of the inviting user and the role that equals them', () => {
    const own = ['update-devices', 'view-devices'];
    const roles = [role('all', permissions), role('viewer', ['view-devices']), role('devices', own)];
    expect(everythingOf(own, roles)).toEqual({
      permissions: ['view-devices', 'update-devices'],
      roleIds: ['devices'],
      deviceIds: null,
    });
  });

  test('has no role when none equals those permissions', () => {
    expect(everythingOf(['view-devices'], [role('all', permissions)]).roleIds).toEqual([]);
  });
});

test('two sets of permissions are the same in any order, and only with the same members', () => {
  expect(sameKeys(['a', 'b'], ['b', 'a'])).toBe(true);
  expect(sameKeys(['a'], ['a', 'b'])).toBe(false);
  expect(sameKeys(['a', 'b'], ['a', 'c'])).toBe(false);
});
