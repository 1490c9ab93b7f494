import type { Api } from '@portico/contract/api.ts';
import { authRoutes } from '#features/auth/auth.routes.ts';
import { devicesRoutes } from '#features/devices/devices.routes.ts';
import { locationsRoutes } from '#features/locations/locations.routes.ts';
import { portalsRoutes } from '#features/portals/portals.routes.ts';
import { profilesRoutes } from '#features/profiles/profiles.routes.ts';
import { reportsRoutes } from '#features/reports/reports.routes.ts';
import { sessionsRoutes } from '#features/sessions/sessions.routes.ts';
import { visitorsRoutes } from '#features/visitors/visitors.routes.ts';
import type { Handlers } from '#http/call.ts';

/** Which functions answer which endpoints. */
export const routes: Handlers<Api> = {
  auth: authRoutes,
  devices: devicesRoutes,
  locations: locationsRoutes,
  portals: portalsRoutes,
  profiles: profilesRoutes,
  reports: reportsRoutes,
  sessions: sessionsRoutes,
  visitors: visitorsRoutes,
};
