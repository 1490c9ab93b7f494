/** The permissions of a member of a location, as scopes and verbs (document 2, section 6). */
export const scopes = {
  devices: ['view', 'store', 'update', 'delete'],
  portals: ['view', 'store', 'update', 'delete'],
  clients: ['view', 'store', 'update', 'delete'],
  integrations: ['view', 'store', 'update', 'delete'],
  'basic-stats': ['view'],
  /** With `store` alone a member works at the desk: hands vouchers out, and sees those of today. */
  vouchers: ['view', 'store', 'update'],
  /** The location itself: its settings, session profiles and administrators. */
  location: ['update'],
  /** Finding who used an address at a time, for requests of authorities. */
  identity: ['view'],
} as const;

export type Scope = keyof typeof scopes;
export type Permission = { [S in Scope]: `${(typeof scopes)[S][number]}-${S}` }[Scope];

/** Every permission key, such as `store-clients`. */
export const permissions = Object.entries(scopes).flatMap(([scope, verbs]) =>
  verbs.map(verb => `${verb}-${scope}` as Permission),
);

/**
 * Who may call an endpoint: everyone, signed-in users, tenant administrators, users who may create locations, or users with a
 * permission in the active team. Tenant administrators and resellers may create locations. `read-tenant` allows tenant
 * administrators and auditors, `read-location` auditors and users with `update-location`, `read-profiles` users with
 * `view-clients` or `update-location`. `choose` allows auditors and users with a permission that does more than view: their
 * forms refer to records that they may perhaps not open.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'tenant-admin'
  | 'create-location'
  | 'read-tenant'
  | 'read-location'
  | 'read-profiles'
  | 'choose'
  | Permission;

/** Whether a permission does more than view, as `store-devices` does. */
export const isChanging = (key: string): boolean => !key.startsWith('view-');

/** The granted verbs of every scope. */
export type AllScopes = { [S in Scope]: (typeof scopes)[S][number][] };
/** Permissions in the API: the verbs of each scope. */
export type PermissionScopes = { [S in Scope]?: AllScopes[S] | undefined };

/** `['view-devices', 'update-devices']` as `{devices: ['view', 'update'], portals: [], …}`, with every scope. */
export function permissionScopes(keys: Iterable<string>): AllScopes {
  const held = new Set(keys);
  return Object.fromEntries(
    Object.entries(scopes).map(([scope, verbs]) => [scope, verbs.filter(verb => held.has(`${verb}-${scope}`))]),
  ) as AllScopes;
}

/** A change of permissions: the new keys of some scopes, or of all (null). */
export interface PermissionsChange {
  readonly keys: readonly Permission[];
  readonly scopes: readonly Scope[] | null;
}

/** The permissions after a change. Scopes that it does not name keep theirs. */
export function changedPermissions(before: readonly string[], { keys, scopes }: PermissionsChange): string[] {
  const named = new Set<string>(scopes ?? []);
  const kept = scopes === null ? [] : before.filter(key => !named.has(key.slice(key.indexOf('-') + 1)));
  return [...new Set<string>([...kept, ...keys])];
}

/** The reverse of permissionScopes, in the order of `permissions`. */
export function permissionKeys(byScope: PermissionScopes): Permission[] {
  return permissions.filter(key => {
    const [verb, scope] = [key.slice(0, key.indexOf('-')), key.slice(key.indexOf('-') + 1)];
    return (byScope[scope as Scope] as readonly string[] | undefined)?.includes(verb);
  });
}
