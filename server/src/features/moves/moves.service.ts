import type { Tx } from '#db/tenant.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { type Cache, createCache } from '#lib/cache.ts';
import * as queries from './moves.queries.ts';

/** Where a tenant is that leaves this installation or has left it. */
export interface Leaving {
  readonly state: 'frozen' | 'moved';
  /** The panel of the other installation, once it serves the tenant. */
  readonly panelUrl: string | null;
}

/** The move of a tenant that leaves; without one, of the tenant that had this name or host name here. */
export async function findLeaving(
  tx: Tx,
  it: { id: string | null; slug: string | null; host: string | null },
): Promise<Leaving | undefined> {
  const move = await queries.findLeaving(tx, it);
  return move && { state: move.state === 'frozen' ? 'frozen' : 'moved', panelUrl: move.panel_url };
}

/** Throws what a caller is told while the tenant is frozen (changes only) and after it moved. */
export function refuseLeaving(leaving: Leaving, method: string): void {
  if (leaving.state === 'moved') throw new AppError('tenant_moved', { values: { url: leaving.panelUrl ?? '' } });
  if (method !== 'GET' && method !== 'HEAD') throw new AppError('tenant_moving');
}

const ttlMs = 5000;

/** Part of an address of the portal that tells whose it is. */
export type Addressed = { readonly nas: string } | { readonly tenantId: string };

/** Finds the new portal of routers and tenants that have left. Costs one query in five seconds while none has. */
export function createPortalFinder(app: App) {
  const anywhere = createCache<'any', boolean>({ maxEntries: 1, ttlMs });
  const portals: Cache<string, { readonly to: string | undefined }> = createCache({ maxEntries: 20_000, ttlMs });
  return async (it: Addressed): Promise<string | undefined> => {
    let any = anywhere.get('any');
    if (any === undefined) {
      any = await app.db.withSystem(queries.anyLeaving);
      anywhere.set('any', any);
    }
    if (!any) return undefined;
    const key = 'nas' in it ? it.nas : it.tenantId;
    const known = portals.get(key);
    if (known) return known.to;
    const found = await app.db.withSystem(tx =>
      'nas' in it
        ? queries.findLeavingPortal(tx, it.nas)
        : queries.findLeaving(tx, { id: it.tenantId, slug: null, host: null }),
    );
    if (found?.state === 'frozen') throw new AppError('tenant_moving');
    portals.set(key, { to: found?.captive_url ?? undefined });
    return found?.captive_url ?? undefined;
  };
}
