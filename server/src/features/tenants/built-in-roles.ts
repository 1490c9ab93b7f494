import { permissions } from '@portico/contract/permissions.ts';

const only = (...keys: string[]) => permissions.filter(key => keys.some(k => key === k || key.endsWith(`-${k}`)));

/** The roles of a new tenant, by the key with which each is reset. */
export const builtInRoles = {
  manager: { name: 'Manager', permissions },
  reception: {
    name: 'Reception desk',
    permissions: only('clients', 'view-devices', 'view-portals', 'basic-stats'),
  },
  technician: {
    name: 'Technician',
    permissions: only('devices', 'view-clients', 'view-portals', 'integrations', 'basic-stats'),
  },
  viewer: {
    name: 'Viewer',
    permissions: permissions.filter(key => key.startsWith('view-') && key !== 'view-identity'),
  },
} as const;
