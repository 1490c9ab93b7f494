import type { Api } from '@portico/contract/api.ts';
import { authRoutes } from '#features/auth/auth.routes.ts';
import { locationsRoutes } from '#features/locations/locations.routes.ts';
import { profilesRoutes } from '#features/profiles/profiles.routes.ts';
import type { Handlers } from '#http/call.ts';

/** Which functions answer which endpoints. */
export const routes: Handlers<Api> = {
  auth: authRoutes,
  locations: locationsRoutes,
  profiles: profilesRoutes,
};
