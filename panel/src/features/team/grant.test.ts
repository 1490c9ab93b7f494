import { permissions } from '@portico/contract/permissions.ts';
import { describe, expect, test } from 'vitest';
import { firstGrant, sameKeys, togglePermission, withBasicStats } from '#features/team/grant.ts';

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
  test('is offered what the inviting user has, but neither a role nor the team and the search for a person', () => {
    expect(permissions).toContain('store-vouchers');
    const usual = permissions.filter(key => !/-(location|identity)$/.test(key));
    expect(firstGrant(permissions)).toEqual({ permissions: usual, roleIds: [], deviceIds: null });
    expect(firstGrant(['update-devices', 'view-devices', 'view-identity']).permissions).toEqual([
      'view-devices',
      'update-devices',
    ]);
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
