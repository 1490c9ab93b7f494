import { isIP } from 'node:net';
import type { TenantConfig } from '@portico/contract/auth.ts';
import type { Tx } from '#db/tenant.ts';
import { findLeavingTenant, refuseLeaving } from '#features/moves/public.ts';
import { pictureUrls } from '#features/portals/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Tenant } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { type Cache, createCache } from '#lib/cache.ts';
import { mayBeRebound } from '#lib/dns-rebinding.ts';
import { newId } from '#lib/ids.ts';
import { captiveOrigin, originSeenAt } from '#lib/origins.ts';
import type { Settings } from '../../settings.ts';
import { builtInRoles } from './built-in-roles.ts';
import { findProvider } from './sso.queries.ts';
import {
  findTenantByHost,
  findTenantBySlug,
  getTenant,
  hasDomain,
  insertRole,
  insertTenant,
} from './tenants.queries.ts';

/** Creates a tenant with its roles. Runs under withSystem. */
export async function createTenant(tx: Tx, slug: string, name: string): Promise<string> {
  const id = newId();
  await insertTenant(tx, { id, slug, name });
  for (const [builtIn, role] of Object.entries(builtInRoles))
    await insertRole(tx, id, { id: newId(), builtIn, ...role });
  return id;
}

/** Whether a host name is the installation's own, or below it. */
export const isOwnHost = (settings: Settings, host: string): boolean =>
  isHostOf(settings.PUBLIC_URL, host) || isHostOf(settings.CAPTIVE_URL, host);

function isHostOf(url: string, host: string): boolean {
  const own = new URL(url.replaceAll('{tenant}.', '').replaceAll('{tenant}', 'x')).hostname;
  return host === own || (!isIP(own) && host.endsWith(`.${own}`));
}

/** Whether the panel of the current tenant is served under a host name: the installation's, or a proven domain. */
export const servesPanel = async (tx: Tx, settings: Settings, host: string): Promise<boolean> =>
  isHostOf(settings.PUBLIC_URL, host) || (await hasDomain(tx, host));

/** The rule for registration: the stricter of the installation's setting and the tenant's. */
export async function registrationMode(tx: Tx, settings: Settings): Promise<TenantConfig['registration']> {
  // With enforced single sign-on, the password of a new account would be useless.
  if (settings.REGISTRATION === 'invitation' || (await findProvider(tx))?.enforced) return 'invitation';
  return (await getTenant(tx)).registration;
}

/** Names that a stranger cannot register (RFC 2606, 6761, 6762, 8375): those without a dot, for tests, examples and local networks. */
const unregistered =
  /^[^.]+$|(^|\.)(localhost|test|example|invalid|local|lan|internal|home\.arpa|example\.(com|net|org))$/;

/** The account of the demo is known, so a stranger's page must not reach it. */
const isForeign = ({ DEMO, HOST }: Settings, host: string): boolean => DEMO && mayBeRebound(HOST, host, unregistered);

const maxRefusedNames = 100;
const finders = new Set<Cache<string, Tenant>>();

/**
 * Finds the tenant of a request: `X-Tenant`, else the host name, else its first label, else `panel`. Below the
 * installation's own host the first label comes first, so that no domain can take another tenant's name there. A header
 * that names no tenant is a 404. A result is cached for ten seconds.
 */
export function createTenantFinder({ db, settings, log }: Pick<App, 'db' | 'settings' | 'log'>) {
  const refused = new Set<string>();
  /** The reader of the log is the one who can change the setting. A stranger's names must not fill the log. */
  function refuseName(host: string): never {
    if (refused.size < maxRefusedNames && !refused.has(host))
      log.warn({ host }, 'a demo answers under no foreign name: set PUBLIC_URL to use this one');
    if (refused.size < maxRefusedNames) refused.add(host);
    throw new AppError('host_refused', { values: { host } });
  }
  const cache = createCache<string, Tenant>({ maxEntries: 10_000, ttlMs: 10_000 });
  finders.add(cache);

  async function lookUp(header: string | undefined, host: string): Promise<Tenant | undefined> {
    return db.withSystem(async tx => {
      const label = isIP(host) ? 'panel' : (host.split('.')[0] ?? 'panel');
      const slug = await findTenantBySlug(tx, label);
      const isOwn = isOwnHost(settings, host);
      const domain = slug && isOwn ? undefined : await findTenantByHost(tx, host);
      if (!domain && !isOwn && isForeign(settings, host)) refuseName(host);
      const variant = domain?.variant ?? 'standard';
      const row = header
        ? await findTenantBySlug(tx, header)
        : (domain ?? slug ?? (await findTenantBySlug(tx, 'panel')));
      const leaving = await findLeavingTenant(tx, {
        id: row?.id ?? null,
        // Another tenant may have the name or the host by now.
        slug: row ? null : (header ?? label),
        host: header || domain ? null : host,
      });
      if (!row) {
        if (leaving) refuseLeaving(leaving, 'GET');
        return undefined;
      }
      // Without {tenant} in the address, all tenants are at one host, and links to the others name them.
      const owner = domain ?? (isOwn && settings.PUBLIC_URL.includes('{tenant}') ? slug : undefined);
      const captive = captiveOrigin(settings, row.slug);
      const captiveSeen = originSeenAt(captive, host);
      const found = {
        id: row.id,
        slug: row.slug,
        ...(captiveSeen !== captive && { captiveSeen }),
        variant: !header || domain?.id === row.id ? variant : ('standard' as const),
        onForeignHost: owner !== undefined && owner.id !== row.id,
      };
      return { ...found, ...(leaving && { leaving }) };
    });
  }

  return async (header: string | undefined, hostHeader: string): Promise<Tenant> => {
    const slug = header?.trim().toLowerCase().slice(0, 64) || undefined;
    // A name may end with the dot of the root, and is the same name then.
    const host = hostHeader
      .toLowerCase()
      .replace(/\.?(:\d+)?$/, '')
      .slice(0, 255);
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
  const provider = await findProvider(tx);
  const { toUrl } = pictureUrls(app, tenant);
  const url = (path: string | null) => path && toUrl(path);
  return {
    slug: row.slug,
    variant: tenant.variant,
    foreign_host: tenant.onForeignHost === true,
    captive_url: tenant.captiveSeen ?? captiveOrigin(app.settings, row.slug),
    languages: ['tr', 'en'],
    password_min: Math.max(row.password_min, app.settings.PASSWORD_MIN),
    registration: await registrationMode(tx, app.settings),
    sso: provider?.enabled ? provider.label : null,
    brand: { name: row.brand_name, long_name: row.brand_long_name, primary_color: row.primary_color },
    landing: {
      logo: { src: url(row.landing_logo) },
      title: row.landing_title,
      description: row.landing_slogan,
      background: row.landing_background,
      bottom: { image: { src: url(row.landing_bottom_image) }, copyright: row.landing_copyright },
    },
    login: {
      image: { src: url(row.landing_background_image) },
      title: row.landing_title,
      description: row.landing_slogan,
    },
  };
}
