import { randomInt } from 'node:crypto';
import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { AdView } from '@portico/contract/guests.ts';
import { countViews, type ShownAt } from '#features/portals/public.ts';
import { notFound } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { escapeHtml } from '#lib/html.ts';
import { type Batcher, createBatcher } from '#radius/batcher.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import type { GuestContext, GuestServices } from '../guest-context.ts';
import { findEmbedCode } from './advertisements.queries.ts';

/** An advertisement on a guest's page, and where the view is counted. */
export interface ShownAd extends ShownAt {
  readonly tenantId: string;
  readonly ad: AdView;
}

type Ad = PortalRow['ads'][number];

export const adView = (ad: Ad | undefined, frame: string | null = null): AdView | null =>
  ad ? { id: ad.id, name: ad.name, images: ad.images, frame } : null;

/**
 * A random advertisement of the portal. Embed codes load other sites, so they appear only once the guest has accepted the
 * agreements and can reach these sites.
 */
export function chooseAd(
  context: GuestContext & { portal: PortalRow },
  page: 'sign-in' | 'online',
): ShownAd | undefined {
  const candidates = context.portal.ads.filter(ad => ad.type === 'image' || page === 'online');
  const ad = candidates.length ? candidates[randomInt(candidates.length)] : undefined;
  const view = adView(ad, ad?.type === 'embed' ? `/w/${context.nas_identifier}/ad/${ad.id}` : null);
  return view
    ? { ad: view, tenantId: context.tenantId, locationId: context.location_id, deviceId: context.device_id }
    : undefined;
}

interface Pending {
  readonly shownAd: ShownAd;
  readonly done: () => void;
}

/**
 * Counts the views of advertisements. Simultaneous guests of a tenant are counted in one query, because they update the same
 * row. A guest's page is sent even if counting fails.
 */
export function createViewCounter(app: App): (shownAd: ShownAd) => Promise<void> {
  const count = async (tenantId: string, batch: readonly Pending[]): Promise<void> => {
    const views = batch.map(({ shownAd: { ad, locationId, deviceId } }) => ({ adId: ad.id, locationId, deviceId }));
    try {
      await app.db.withTenant(tenantId, tx => countViews(tx, views));
    } catch (error) {
      app.log.error({ err: error, tenant: tenantId, views: batch.length }, 'advertisement views were not counted');
    }
    for (const { done } of batch) done();
  };
  const batchers = new Map<string, Batcher<Pending>>();
  return shownAd => {
    const { tenantId } = shownAd;
    let batcher = batchers.get(tenantId);
    if (!batcher) {
      const run = (batch: readonly Pending[]) => count(tenantId, batch);
      batcher = createBatcher<Pending>({ size: 500, waitMs: 10, inFlight: 1, capacity: Infinity, run });
      batchers.set(tenantId, batcher);
    }
    const { add } = batcher;
    return new Promise(done => add({ shownAd, done }));
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The document of an embed code, to be made with the nonce of its response. The code was sanitised when it was saved. */
export async function embedDocument(
  services: GuestServices,
  nas: string,
  adId: string,
): Promise<(nonce: string, language: PortalLanguage) => string> {
  const context = uuid.test(adId) ? await services.findContext(nas, { mac: '', ip: '' }) : undefined;
  const found =
    context && (await services.app.db.readTenant(context.tenantId, tx => findEmbedCode(tx, context.device_id, adId)));
  if (!found) throw notFound();
  return (nonce, language) =>
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(found.name)}</title><style nonce="${nonce}">` +
    'html,body{margin:0;height:100%}body{font:16px/1.5 system-ui,sans-serif}iframe{display:block;width:100%;height:100%;border:0}' +
    `</style></head><body>${found.embed_code}</body></html>`;
}
