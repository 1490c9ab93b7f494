/** What a member of a location may be allowed to do, as scopes and verbs (document 2, section 6). */
export const scopes = {
  devices: ['view', 'store', 'update', 'delete'],
  portals: ['view', 'store', 'update', 'delete'],
  clients: ['view', 'store', 'update', 'delete'],
  integrations: ['view', 'store', 'update', 'delete'],
  'basic-stats': ['view'],
  /** The location itself: its settings, session profiles and administrators. */
  location: ['update'],
} as const;

export type Scope = keyof typeof scopes;
export type Permission = { [S in Scope]: `${(typeof scopes)[S][number]}-${S}` }[Scope];

/** Every permission key, such as `store-clients`. */
export const permissions = Object.entries(scopes).flatMap(([scope, verbs]) =>
  verbs.map(verb => `${verb}-${scope}` as Permission),
);

/**
 * Who may call an endpoint: anyone; anyone signed in; a tenant administrator; one who may create locations (a tenant
 * administrator or reseller); or one with a permission in the active team.
 */
export type Access = 'public' | 'signed-in' | 'tenant-admin' | 'create-location' | Permission;
