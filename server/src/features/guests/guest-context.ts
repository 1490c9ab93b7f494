import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { offeredLanguages } from '@portico/contract/portal-page.ts';
import { bisectOnError } from '#db/batches.ts';
import { findDeviceByNas } from '#features/devices/public.ts';
import { allowedProviders } from '#features/integrations/public.ts';
import { type AgentCounter, createAgentCounter } from '#features/statistics/public.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import { createBatcher } from '#radius/batcher.ts';
import type { HotspotDriver, ReadSecret } from '#routers/driver.ts';
import { driverOf, findDriver } from '#routers/drivers.ts';
import {
  type ContextQuery,
  type ContextRow,
  findContent,
  findContexts,
  type PortalRow,
} from './guest-context.queries.ts';
import { type AuthorizeGuest, createAuthorizer } from './sign-in/authorize-guest.ts';

/** The device that a guest came through, its current state, and the portal to show. */
export interface GuestContext extends Omit<ContextRow, 'n' | 'brand' | 'portal_id' | 'portal_revision' | 'available'> {
  readonly tenantId: string;
  readonly driver: HotspotDriver;
  readonly portal: PortalRow | null;
}

export const secretReader =
  ({ secrets }: App, { secret }: GuestContext): ReadSecret =>
  () =>
    secret === null ? undefined : secrets.read(secret);

/** What the guest portal's handlers work with. */
export interface GuestServices {
  readonly app: App;
  readonly agents: AgentCounter;
  readonly authorize: AuthorizeGuest;
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

  const lookUp = createContextBatcher(app);
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

interface Pending {
  readonly query: ContextQuery;
  readonly resolve: (row: ContextRow | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Guests of a tenant who wait to be looked up. More than these are told at once that the database is away. */
const mostWaiting = 1000;

/** Looks up simultaneous guests of a tenant in one query, so that a rush costs few queries. */
function createContextBatcher(app: App) {
  const lookUp = async (tenantId: string, batch: readonly Pending[]): Promise<undefined[]> => {
    const queries = batch.map(it => it.query);
    const rows = await app.db.readTenant(tenantId, tx => findContexts(tx, queries, allowedProviders(app)));
    const byIndex = new Map(rows.map(row => [row.n, row]));
    return batch.map((it, i) => void it.resolve(byIndex.get(i + 1)));
  };
  const batchers = new Map<string, ReturnType<typeof createBatcher<Pending>>>();
  return (tenantId: string, query: ContextQuery): Promise<ContextRow | undefined> => {
    let batcher = batchers.get(tenantId);
    if (!batcher) {
      const run = async (batch: readonly Pending[]): Promise<void> => {
        const find = (part: readonly Pending[]) => lookUp(tenantId, part);
        await bisectOnError(batch, find, (it, error) => void it.reject(error)).catch((error: unknown) => {
          for (const it of batch) it.reject(error);
        });
      };
      batcher = createBatcher<Pending>({ size: 50, waitMs: 2, inFlight: 2, capacity: mostWaiting, run });
      batchers.set(tenantId, batcher);
    }
    const { add } = batcher;
    return new Promise((resolve, reject) => {
      if (!add({ query, resolve, reject })) reject(new AppError('away'));
    });
  };
}

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
