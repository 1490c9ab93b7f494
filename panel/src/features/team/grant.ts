import { type Permission, type PermissionScopes, permissions } from '@portico/contract/permissions.ts';

export type GrantValues = { permissions: Permission[]; roleIds: string[]; deviceIds: string[] | null };

export interface Role {
  id: string;
  name: string;
  permissions: PermissionScopes;
}

export const sameKeys = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(key => b.includes(key));

/** The scopes that lead further: the location with its team, and finding who used an address. They are ticked by hand. */
const furtherScopes = ['location', 'identity'];

/**
 * The first choice of permissions for a new administrator without a role. Document 2 offers all permissions. Two scopes that
 * it does not know are left out (decision 144).
 */
export const firstGrant = (own: readonly string[]): GrantValues => ({
  permissions: permissions.filter(key => own.includes(key) && !furtherScopes.includes(key.slice(key.indexOf('-') + 1))),
  roleIds: [],
  deviceIds: null,
});

/** Document 2: a change of an administrator always grants viewing the basic statistics, if the user may view them too. */
export const withBasicStats = (held: readonly Permission[], own: readonly string[]): Permission[] =>
  permissions.filter(key => held.includes(key) || (key === 'view-basic-stats' && own.includes(key)));

/** Switches a permission. Changing something requires viewing it, so each brings or removes the other. */
export function togglePermission(held: readonly Permission[], key: Permission, on: boolean): Permission[] {
  const scope = key.slice(key.indexOf('-') + 1);
  const view = `view-${scope}` as Permission;
  const next = new Set(held);
  if (on) {
    next.add(key);
    next.add(view);
  } else {
    next.delete(key);
    if (key === view) for (const each of permissions) if (each.endsWith(`-${scope}`)) next.delete(each);
  }
  // A scope without viewing has no such key.
  return permissions.filter(each => next.has(each));
}
