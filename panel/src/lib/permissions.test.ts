import type { AuthUser } from '@portico/contract/auth.ts';
import type { Access } from '@portico/contract/permissions.ts';
import { describe, expect, test, vi } from 'vitest';

// The modules behind the user read the address and the storage when they load.
vi.stubGlobal('location', { search: '' });
vi.stubGlobal('localStorage', { getItem: () => null });
const { allows } = await import('#lib/permissions.ts');

type Rights = Pick<AuthUser, 'role' | 'is_team_admin' | 'can_create_location' | 'permissions'>;
const nobody: Rights = { role: 'member', is_team_admin: false, can_create_location: false, permissions: [] };
const may = (rights: Partial<Rights>, access: Access) => allows({ ...nobody, ...rights } as AuthUser, access);

const administrator: Partial<Rights> = { role: 'tenant-admin', is_team_admin: true };
const reseller: Partial<Rights> = { role: 'reseller', can_create_location: true };
const auditor: Partial<Rights> = { role: 'auditor' };
const manager: Partial<Rights> = { permissions: ['update-location'] };
const receptionist: Partial<Rights> = { permissions: ['view-clients'] };
const watcher: Partial<Rights> = { permissions: ['view-devices'] };

describe('access', () => {
  test('to public and signed-in screens needs no permission', () => {
    expect(may({}, 'public')).toBe(true);
    expect(may({}, 'signed-in')).toBe(true);
  });

  test.each<[Access, Record<string, boolean>]>([
    ['tenant-admin', { administrator: true, reseller: false, auditor: false, manager: false, watcher: false }],
    ['create-location', { administrator: false, reseller: true, auditor: false, manager: false, watcher: false }],
    ['read-tenant', { administrator: true, reseller: false, auditor: true, manager: false, watcher: false }],
    ['read-location', { administrator: false, reseller: false, auditor: true, manager: true, watcher: false }],
    ['read-profiles', { administrator: false, reseller: false, auditor: false, manager: true, watcher: false }],
    ['choose', { administrator: false, reseller: false, auditor: true, manager: true, watcher: false }],
    ['update-location', { administrator: false, reseller: false, auditor: false, manager: true, watcher: false }],
    ['view-devices', { administrator: false, reseller: false, auditor: false, manager: false, watcher: true }],
    ['update-devices', { administrator: false, reseller: false, auditor: false, manager: false, watcher: false }],
  ])('of the kind %s is limited to users who have it', (access, expected) => {
    const users = { administrator, reseller, auditor, manager, watcher };
    const allowed = Object.fromEntries(Object.entries(users).map(([name, rights]) => [name, may(rights, access)]));
    expect(allowed).toEqual(expected);
  });

  test('to session profiles is had by those who see guests too, because guests have one', () => {
    expect(may(receptionist, 'read-profiles')).toBe(true);
    expect(may(receptionist, 'read-location')).toBe(false);
  });
});
