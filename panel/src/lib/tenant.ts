import type { authApi, TenantConfig } from '@portico/contract/auth.ts';
import { useSyncExternalStore } from 'react';
import { address, call } from '#lib/client.ts';
import { accentOn, defaultAccent } from '#lib/colour.ts';
import { dropOverride } from '#lib/session.ts';

/** The tenant's branding, loaded before the first render. */

const config = address<typeof authApi.config>('GET', '/v1/config');

let loaded: TenantConfig | undefined;
const listeners = new Set<() => void>();

export async function loadTenant(): Promise<TenantConfig> {
  const answer = (await call(config)).data;
  if (answer.foreign_host) {
    dropOverride();
    // The page is being replaced; nothing of the other tenant is shown meanwhile.
    return new Promise(() => undefined);
  }
  loaded = answer;
  paint(loaded.brand.primary_color);
  for (const listener of listeners) listener();
  return loaded;
}

/** The tenant's branding. It is loaded at start, so it is always present. */
export function tenant(): TenantConfig {
  if (!loaded) throw new Error('The tenant is read before it is loaded');
  return loaded;
}

/** Reseller hosts show no licence dates, and no licence is given there. */
export const showsLicences = (): boolean => tenant().variant !== 'reseller';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same; the component renders again when the settings change. */
export const useTenant = (): TenantConfig => useSyncExternalStore(subscribe, tenant);

/** Sets the accent of both colour schemes as variables; tokens.css selects those of the active scheme. */
function paint(primary: string): void {
  const root = document.documentElement.style;
  const schemes = {
    light: accentOn(primary || defaultAccent, '#ffffff'),
    dark: accentOn(primary || defaultAccent, '#161b22'),
  };
  for (const [scheme, tones] of Object.entries(schemes))
    for (const [tone, colour] of Object.entries(tones)) root.setProperty(`--${scheme}-accent-${tone}`, colour);
}
