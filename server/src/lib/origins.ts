import type { Settings } from '../settings.ts';

const of = (setting: string, slug: string): string => setting.replaceAll('{tenant}', slug);

/** The panel's origin of a tenant, without a slash at its end: a place `{tenant}` in the setting is its slug. */
export const panelOrigin = ({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>, slug: string): string => of(PUBLIC_URL, slug);

/** The guests' origin of a tenant, likewise. */
export const captiveOrigin = ({ CAPTIVE_URL }: Pick<Settings, 'CAPTIVE_URL'>, slug: string): string =>
  of(CAPTIVE_URL, slug);
