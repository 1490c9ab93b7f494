/** The permissions of a member of a location, as scopes and verbs (document 2, section 6). */
export const scopes = {
  devices: ['view', 'store', 'update', 'delete'],
  portals: ['view', 'store', 'update', 'delete'],
  clients: ['view', 'store', 'update', 'delete'],
  integrations: ['view', 'store', 'update', 'delete'],
  'basic-stats': ['view'],
  /** The location itself: its settings, session profiles and administrators. */
  location: ['update'],
  /** Finds who used an address at some time, for the answer to an authority. */
  identity: ['view'],
} as const;

export type Scope = keyof typeof scopes;
export type Permission = { [S in Scope]: `${(typeof scopes)[S][number]}-${S}` }[Scope];

/** Every permission key, such as `store-clients`. */
export const permissions = Object.entries(scopes).flatMap(([scope, verbs]) =>
  verbs.map(verb => `${verb}-${scope}` as Permission),
);

/**
 * Who may call an endpoint: anyone; anyone signed in; a tenant administrator; one who may create locations (a tenant
 * administrator or reseller); or one with a permission in the active team. `read-tenant` and `read-location` are for what
 * their managers may look at, and auditors too: tenant administrators, and those with `update-location`.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'tenant-admin'
  | 'create-location'
  | 'read-tenant'
  | 'read-location'
  | Permission;

/** Permissions in the API: the verbs of each scope. */
export type PermissionScopes = { [S in Scope]?: (typeof scopes)[S][number][] };

/** `['view-devices', 'update-devices']` as `{devices: ['view', 'update'], portals: [], …}`, every scope named. */
export function permissionScopes(keys: Iterable<string>): Required<PermissionScopes> {
  const held = new Set(keys);
  return Object.fromEntries(
    Object.entries(scopes).map(([scope, verbs]) => [scope, verbs.filter(verb => held.has(`${verb}-${scope}`))]),
  ) as Required<PermissionScopes>;
}

/** The reverse of permissionScopes, in the order of `permissions`. */
export function permissionKeys(byScope: PermissionScopes): Permission[] {
  return permissions.filter(key => {
    const [verb, scope] = [key.slice(0, key.indexOf('-')), key.slice(key.indexOf('-') + 1)];
    return (byScope[scope as Scope] as readonly string[] | undefined)?.includes(verb);
  });
}
