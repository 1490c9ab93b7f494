import type { Settings } from '../settings.ts';

/** The guests' origin of a tenant, without a slash at its end: a place `{tenant}` in the setting is its slug. */
export const captiveOrigin = (settings: Pick<Settings, 'CAPTIVE_URL'>, slug: string): string =>
  settings.CAPTIVE_URL.replaceAll('{tenant}', slug);
