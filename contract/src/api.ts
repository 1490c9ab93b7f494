import { authApi } from './auth.ts';
import { locationsApi } from './locations.ts';
import { profilesApi } from './profiles.ts';

/** Every endpoint of the product, by feature. */
export const api = {
  auth: authApi,
  locations: locationsApi,
  profiles: profilesApi,
} as const;
export type Api = typeof api;
