import type { App } from '#lib/app.ts';

/** Where a provider sends guests back to: one address for all of a tenant's, as each must be registered there. */
export const redirectUri = ({ settings }: App, slug: string): string =>
  `${settings.CAPTIVE_URL.replaceAll('{tenant}', slug).replace(/\/+$/, '')}/sign-in/callback`;
