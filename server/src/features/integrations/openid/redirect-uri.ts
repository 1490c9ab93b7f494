import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';

/** The redirect address: one for the whole tenant, because each must be registered at the provider. */
export const redirectUri = ({ settings }: App, slug: string): string =>
  `${captiveOrigin(settings, slug)}/sign-in/callback`;
