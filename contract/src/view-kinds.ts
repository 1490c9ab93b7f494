// Without zod, so that a screen can use them without the schemas.

/** The lists that can have saved views. */
export const viewLists = [
  'visitors',
  'online',
  'history',
  'imported-sessions',
  'multiple-sessions',
  'devices',
  'vouchers',
  'batch-vouchers',
  'locations',
  'customers',
  'portals',
  'sales',
  'purchases',
  'consents',
  'audit',
  'deliveries',
  'messages',
  'charges',
] as const;
export type ViewList = (typeof viewLists)[number];

/** The readers of a saved view: its owner, the members of a location, or everyone in the tenant. */
export const viewAudiences = ['own', 'location', 'tenant'] as const;
export type ViewAudience = (typeof viewAudiences)[number];
