import { isIP } from 'node:net';
import type { TenantConfig } from '@portico/contract/auth.ts';
import type { Database, Tx } from '#db/tenant.ts';
import { pictureUrls } from '#features/portals/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Tenant } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { type Cache, createCache } from '#lib/cache.ts';
import { newId } from '#lib/ids.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { readyRoles } from './ready-roles.ts';
import { findTenantByHost, findTenantBySlug, getTenant, insertRole, insertTenant } from './tenants.queries.ts';

/** Makes a tenant with its roles; runs under withSystem. */
export async function createTenant(tx: Tx, slug: string, name: string): Promise<string> {
  const id = newId();
  await insertTenant(tx, { id, slug, name });
  for (const [readyMade, role] of Object.entries(readyRoles))
    await insertRole(tx, id, { id: newId(), readyMade, ...role });
  return id;
}

const finders = new Set<Cache<string, Tenant>>();

/**
 * Finds the tenant of a request: `X-Tenant`, else the whole host name, else its first label, else `panel`. A header that
 * names no tenant is a 404. A result is cached for ten seconds.
 */
export function createTenantFinder(db: Database) {
  const cache = createCache<string, Tenant>({ maxEntries: 10_000, ttlMs: 10_000 });
  finders.add(cache);

  async function lookUp(header: string | undefined, host: string): Promise<Tenant | undefined> {
    return db.withSystem(async tx => {
      const domain = await findTenantByHost(tx, host);
      const variant = domain?.variant ?? 'standard';
      const label = isIP(host) ? 'panel' : (host.split('.')[0] ?? 'panel');
      const row = header
        ? await findTenantBySlug(tx, header)
        : (domain ?? (await findTenantBySlug(tx, label)) ?? (await findTenantBySlug(tx, 'panel')));
      return row && { id: row.id, slug: row.slug, variant: !header || domain?.id === row.id ? variant : 'standard' };
    });
  }

  return async (header: string | undefined, hostHeader: string): Promise<Tenant> => {
    const slug = header?.trim().toLowerCase().slice(0, 64) || undefined;
    const host = hostHeader.toLowerCase().replace(/:\d+$/, '').slice(0, 255);
    const key = `${slug ?? ''}|${host}`;
    const known = cache.get(key);
    if (known) return known;
    const tenant = await lookUp(slug, host);
    if (!tenant) throw new AppError('not_found');
    cache.set(key, tenant);
    return tenant;
  };
}

/** Clears the cached results, so that a change of domains applies at once in this process. */
export const forgetTenants = (): void => {
  for (const cache of finders) cache.clear();
};

/** The public configuration of the tenant (document 1, section 3). */
export async function tenantConfig(tx: Tx, app: App, tenant: Tenant): Promise<TenantConfig> {
  const row = await getTenant(tx);
  const { toUrl } = pictureUrls(app, tenant);
  const url = (path: string | null) => path && toUrl(path);
  return {
    slug: row.slug,
    variant: tenant.variant,
    captive_url: captiveOrigin(app.settings, row.slug),
    languages: ['tr', 'en'],
    password_min: Math.max(row.password_min, app.settings.PASSWORD_MIN),
    brand: { name: row.brand_name, long_name: row.brand_long_name, primary_color: row.primary_color },
    landing: {
      logo: { src: url(row.landing_logo) },
      title: row.landing_title,
      description: row.landing_slogan,
      background: row.landing_background,
      bottom: { image: { src: null }, copyright: row.landing_copyright },
    },
    login: {
      image: { src: url(row.landing_background_image) },
      title: row.landing_title,
      description: row.landing_slogan,
    },
  };
}
