import { randomInt } from 'node:crypto';
import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { AdView } from '@portico/contract/guests.ts';
import { countViews, type ShownAt } from '#features/portals/public.ts';
import { notFound } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { escapeHtml } from '#lib/html.ts';
import { type Batcher, createBatcher } from '#radius/batcher.ts';
import type { Guests } from '../arrival/check-arrival.ts';
import { findEmbedCode, type PortalRow } from '../guest-context.queries.ts';
import type { Door } from '../guest-context.ts';

/** An advertisement on a guest's page, and where that is counted. */
export interface Showing extends ShownAt {
  readonly tenantId: string;
  readonly ad: AdView;
}

type Ad = PortalRow['ads'][number];

export const adView = (ad: Ad | undefined, frame: string | null = null): AdView | null =>
  ad ? { id: ad.id, name: ad.name, images: ad.images, frame } : null;

/**
 * One of the portal's advertisements, by chance. Embed codes show other people's sites: those wait until the guest has
 * agreed to the terms and can reach them.
 */
export function chooseAd(door: Door & { portal: PortalRow }, page: 'sign-in' | 'online'): Showing | undefined {
  const fitting = door.portal.ads.filter(ad => ad.type === 'image' || page === 'online');
  const ad = fitting.length ? fitting[randomInt(fitting.length)] : undefined;
  const view = adView(ad, ad?.type === 'embed' ? `/w/${door.nas_identifier}/ad/${ad.id}` : null);
  return view
    ? { ad: view, tenantId: door.tenantId, locationId: door.location_id, deviceId: door.device_id }
    : undefined;
}

interface Counting {
  readonly showing: Showing;
  readonly done: () => void;
}

/**
 * Counts what guests are shown. Guests of a tenant who come while others are being counted are counted together: in a rush all of
 * them add to one row. Nobody's page fails because it could not be counted.
 */
export function createViewCounter(app: App): (showing: Showing) => Promise<void> {
  const count = async (tenantId: string, batch: readonly Counting[]): Promise<void> => {
    const shown = batch.map(({ showing: { ad, locationId, deviceId } }) => ({ adId: ad.id, locationId, deviceId }));
    try {
      await app.db.withTenant(tenantId, tx => countViews(tx, shown));
    } catch (error) {
      app.log.error({ err: error, tenant: tenantId, views: batch.length }, 'advertisements were not counted');
    }
    for (const { done } of batch) done();
  };
  const batchers = new Map<string, Batcher<Counting>>();
  return showing => {
    const { tenantId } = showing;
    let batcher = batchers.get(tenantId);
    if (!batcher) {
      const run = (batch: readonly Counting[]) => count(tenantId, batch);
      batcher = createBatcher<Counting>({ size: 500, waitMs: 10, inFlight: 1, capacity: Infinity, run });
      batchers.set(tenantId, batcher);
    }
    const { add } = batcher;
    return new Promise(done => add({ showing, done }));
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The document of an embed code, made with the nonce of its response. It was cleaned when it was saved. */
export async function embedDocument(
  guests: Guests,
  nas: string,
  adId: string,
): Promise<(nonce: string, language: PortalLanguage) => string> {
  const door = uuid.test(adId) ? await guests.findDoor(nas, { mac: '', ip: '' }) : undefined;
  // The portals of a device's networks are as much its own as the location's.
  const found = door && (await guests.app.db.readTenant(door.tenantId, tx => findEmbedCode(tx, door.device_id, adId)));
  if (!found) throw notFound();
  return (nonce, language) =>
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(found.name)}</title><style nonce="${nonce}">` +
    'html,body{margin:0;height:100%}body{font:16px/1.5 system-ui,sans-serif}iframe{display:block;width:100%;height:100%;border:0}' +
    `</style></head><body>${found.embed_code}</body></html>`;
}
