import { captiveOrigin, panelOrigin } from '#lib/origins.ts';
import type { Settings } from '../settings.ts';

/**
 * The complete address of a screen in a tenant's panel. If the host name does not identify the tenant, the query does.
 */
export function panelLink(settings: Settings, slug: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, panelOrigin(settings, slug));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (!settings.PUBLIC_URL.includes('{tenant}') && slug !== 'panel') url.searchParams.set('tenant', slug);
  return url.href;
}

/** The complete address of an uploaded picture, which is stored as a path of the guest origin. */
export const pictureLink = (settings: Settings, slug: string, path: string | null): string | null =>
  path && new URL(path, captiveOrigin(settings, slug)).href;
