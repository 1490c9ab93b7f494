import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';

/** Where a provider sends guests back to: one address for all of a tenant's, as each must be registered there. */
export const redirectUri = ({ settings }: App, slug: string): string =>
  `${captiveOrigin(settings, slug)}/sign-in/callback`;
