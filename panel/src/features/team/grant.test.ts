import { permissionScopes, permissions } from '@portico/contract/permissions.ts';
import { describe, expect, test } from 'vitest';
import { fullGrant, sameKeys, togglePermission, withBasicStats } from '#features/team/grant.ts';

describe('switching a permission', () => {
  test('on also grants viewing the same scope', () => {
    expect(togglePermission([], 'update-devices', true)).toEqual(['view-devices', 'update-devices']);
  });

  test('on grants nothing else in a scope without viewing', () => {
    expect(togglePermission([], 'update-location', true)).toEqual(['update-location']);
  });

  test('to view off also removes the others of its scope', () => {
    const held = togglePermission(togglePermission(['view-portals'], 'delete-devices', true), 'store-devices', true);
    expect(togglePermission(held, 'view-devices', false)).toEqual(['view-portals']);
  });

  test('off otherwise removes nothing else', () => {
    expect(togglePermission(['view-devices', 'update-devices', 'delete-devices'], 'update-devices', false)).toEqual([
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
    expect(fullGrant(own, roles)).toEqual({
      permissions: ['view-devices', 'update-devices'],
      roleIds: ['devices'],
      deviceIds: null,
    });
  });

  test('has no role when none equals those permissions', () => {
    expect(fullGrant(['view-devices'], [role('all', permissions)]).roleIds).toEqual([]);
  });
});

test('a change grants viewing the basic statistics, if the user may view them', () => {
  expect(withBasicStats(['view-devices'], ['view-basic-stats', 'view-devices'])).toEqual(
    permissions.filter(key => key === 'view-basic-stats' || key === 'view-devices'),
  );
  expect(withBasicStats(['view-devices'], ['view-devices', 'update-devices'])).toEqual(['view-devices']);
  expect(withBasicStats(['view-basic-stats'], [])).toEqual(['view-basic-stats']);
});

test('sets of permissions are equal regardless of order', () => {
  expect(sameKeys(['a', 'b'], ['b', 'a'])).toBe(true);
  expect(sameKeys(['a'], ['a', 'b'])).toBe(false);
  expect(sameKeys(['a', 'b'], ['a', 'c'])).toBe(false);
});
