import { authApi } from './auth.ts';
import { devicesApi } from './devices.ts';
import { locationsApi } from './locations.ts';
import { portalsApi } from './portals.ts';
import { profilesApi } from './profiles.ts';
import { reportsApi } from './reports.ts';
import { sessionsApi } from './sessions.ts';
import { visitorsApi } from './visitors.ts';

/** Every endpoint of the product, by feature. */
export const api = {
  auth: authApi,
  devices: devicesApi,
  locations: locationsApi,
  portals: portalsApi,
  profiles: profilesApi,
  reports: reportsApi,
  sessions: sessionsApi,
  visitors: visitorsApi,
} as const;
export type Api = typeof api;
