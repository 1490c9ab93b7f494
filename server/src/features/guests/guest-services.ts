import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { offeredLanguages } from '@portico/contract/portal-page.ts';
import { gatherByTenant, gatherWorks } from '#db/gather.ts';
import type { WithTenant } from '#db/tenant.ts';
import { findDeviceByNas } from '#features/devices/public.ts';
import { allowedProviders } from '#features/integrations/public.ts';
import { type AgentCounter, createAgentCounter } from '#features/statistics/public.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import type { HotspotDriver } from '#routers/driver.ts';
import { driverOf, findDriver } from '#routers/drivers.ts';
import {
  type ContextQuery,
  type ContextRow,
  findContent,
  findContexts,
  type PortalRow,
} from './guest-context.queries.ts';
import type { GuestContext } from './guest-context.ts';
import { type AuthorizeGuest, createAuthorizer } from './sign-in/authorize-guest.ts';
import { createRefusals, type RefusalFor } from './sign-in/refusal.ts';

/** The services that the guest portal's handlers use. */
export interface GuestServices {
  readonly app: App;
  readonly agents: AgentCounter;
  readonly authorize: AuthorizeGuest;
  readonly refusalFor: RefusalFor;
  /** As `db.withTenant`, in one transaction with the guests who are admitted at the same time. */
  readonly withOthers: WithTenant;
  readonly findContext: (
    nas: string,
    guest: { mac: string; ip: string; portal?: string | undefined },
  ) => Promise<GuestContext | undefined>;
  /** The languages of a device's portal, up to some seconds old; undefined without a portal. */
  readonly findLanguages: (nas: string, ip: string, portal?: string) => Promise<readonly PortalLanguage[] | undefined>;
  /** The driver of a device's brand, up to a minute old. */
  readonly findDriver: (nas: string) => Promise<HotspotDriver | undefined>;
}

interface CachedDevice {
  readonly id: string;
  readonly tenantId: string;
  readonly brand: string;
}

export function createGuestServices(app: App): GuestServices {
  const cache = createCache<string, CachedDevice>({ maxEntries: 20_000, ttlMs: 60_000 });

  /** A device keeps its tenant forever, so the result is cached. Unknown names are not, as anyone can make them up. */
  async function findDevice(nas: string): Promise<CachedDevice | undefined> {
    if (!/^[a-z0-9]{8,16}$/.test(nas)) return undefined;
    const hit = cache.get(nas);
    if (hit) return hit;
    const row = await app.db.withSystem(tx => findDeviceByNas(tx, nas));
    if (!row) return undefined;
    const device = { id: row.id, tenantId: row.tenant_id, brand: row.brand };
    cache.set(nas, device);
    return device;
  }

  const lookUp = createLookUp(app);
  const contentOf = createContentCache(app);

  const findContext: GuestServices['findContext'] = async (nas, { mac, ip, portal: begun }) => {
    const device = await findDevice(nas);
    const row = device && (await lookUp(device.tenantId, { deviceId: device.id, mac, ip, portal: begun }));
    if (!row) return undefined;
    const { n: _, brand, portal_id, portal_revision, available, ...rest } = row;
    const content = portal_id && (await contentOf(device.tenantId, portal_id, portal_revision!));
    const portal = content ? { ...content, available: available ?? [] } : null;
    return { ...rest, tenantId: device.tenantId, driver: driverOf(brand), portal };
  };
  const languages = createCache<string, { readonly of: readonly PortalLanguage[] | undefined }>({
    maxEntries: 2000,
    ttlMs: 3000,
  });

  return {
    app,
    agents: createAgentCounter(app),
    authorize: createAuthorizer(app),
    refusalFor: createRefusals(app),
    withOthers: gatherWorks(app.db),
    findContext,
    findLanguages: async (nas, ip, begun) => {
      const key = `${nas} ${ip} ${begun ?? ''}`;
      const hit = languages.get(key);
      if (hit) return hit.of;
      const portal = (await findContext(nas, { mac: '', ip, portal: begun }))?.portal;
      const of = portal ? offeredLanguages(portal.page) : undefined;
      languages.set(key, { of });
      return of;
    },
    findDriver: async nas => {
      const device = await findDevice(nas);
      return device && findDriver(device.brand);
    },
  };
}

/** Looks up simultaneous guests of a tenant in one query. */
const createLookUp = (app: App) =>
  gatherByTenant(async (tenantId, batch: readonly ContextQuery[]): Promise<(ContextRow | undefined)[]> => {
    const rows = await app.db.readTenant(tenantId, tx => findContexts(tx, batch, allowedProviders(app)));
    const byIndex = new Map(rows.map(row => [row.n, row]));
    return batch.map((_, i) => byIndex.get(i + 1));
  });

/** Caches portals' content by revision. The revision comes from the database, so guests always see the current content. */
function createContentCache(app: App) {
  const cache = createCache<string, PortalRow>({ maxEntries: 1000 });
  return async (tenantId: string, portalId: string, revision: string): Promise<PortalRow | undefined> => {
    const hit = cache.get(portalId);
    if (hit?.revision === revision) return hit;
    const found = await app.db.readTenant(tenantId, tx => findContent(tx, portalId));
    cache.delete(portalId);
    if (!found) return undefined;
    const content = { ...found.portal, revision: found.revision };
    cache.set(portalId, content);
    return content;
  };
}
