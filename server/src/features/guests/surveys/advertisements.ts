import { randomInt } from 'node:crypto';
import type { AdView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { countClick, countViews } from '#features/portals/public.ts';
import { createCallLimit } from '#features/throttle/public.ts';
import { AppError, notFound } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { escapeHtml } from '#lib/html.ts';
import { isId } from '#lib/ids.ts';
import { type Batcher, createBatcher } from '#radius/batcher.ts';
import type { ClientInfo } from '../client-info.ts';
import type { ShownAd } from '../guest-answer.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import type { GuestContext } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import type { Frame } from '../guest-views.ts';
import { isDue } from '../is-due.ts';
import { findOnline } from '../online/online.queries.ts';
import { sessionOf, visitOfBrowser } from '../online/visit-cookie.ts';
import { findAdLink, findEmbedCode } from './advertisements.queries.ts';

type Ad = PortalRow['ads'][number];

export const adView = (
  ad: Ad | undefined,
  { frame = null, link = null, seconds = false }: Partial<Pick<AdView, 'frame' | 'link'>> & { seconds?: boolean } = {},
): AdView | null =>
  ad
    ? {
        id: ad.id,
        name: ad.name,
        images: ad.images,
        frame,
        video: ad.video ?? null,
        seconds: ad.video && seconds ? (ad.seconds ?? null) : null,
        link: ad.link && link,
      }
    : null;

/** One of them by their weights. */
function pick(ads: readonly Ad[]): Ad | undefined {
  const total = ads.reduce((sum, ad) => sum + ad.weight, 0);
  if (!total) return undefined;
  let left = randomInt(total);
  return ads.find(ad => (left -= ad.weight) < 0);
}

/**
 * A random advertisement of those that are due. Embed codes and links lead to other sites, so they appear only once the guest
 * has accepted the agreements and can reach these sites. A sign-in page that is shown again does not wait for a video.
 */
export function chooseAd(
  { language }: Pick<Frame, 'language'>,
  context: GuestContext & { portal: PortalRow },
  { page, mac }: { readonly page: 'sign-in' | 'again' | 'online'; readonly mac: string },
): ShownAd | undefined {
  const isOnline = page === 'online';
  const due = context.portal.ads.filter(
    ad =>
      (ad.type !== 'embed' || isOnline) &&
      !context.capped_ads?.includes(ad.id) &&
      (ad.languages?.includes(language) ?? true) &&
      isDue(ad, context.place.timeZone),
  );
  const ad = pick(due);
  const at = ad && `/w/${context.nas_identifier}/ad/${ad.id}`;
  const view = adView(ad, {
    frame: (ad?.type === 'embed' && at) || null,
    link: isOnline && at ? `${at}/open` : null,
    seconds: page === 'sign-in',
  });
  const { tenantId, location_id: locationId, device_id: deviceId } = context;
  const routerAddress = isOnline ? null : context.public_address;
  return view ? { ad: view, tenantId, locationId, deviceId, mac, routerAddress } : undefined;
}

/** The link of an advertisement. The browser of a guest who is online counts, once a day; the address is the stored one. */
export async function openAd(
  services: GuestServices,
  nas: string,
  adId: string,
  client: ClientInfo & { readonly isReal: boolean },
): Promise<string> {
  const { app } = services;
  const context = isId(adId) ? await services.findContext(nas, { mac: '', ip: '' }) : undefined;
  if (!context) throw notFound();
  const { tenantId, location_id: locationId, device_id: deviceId } = context;
  const open = visitOfBrowser(app, nas, client);
  const found = await app.db.withTenant(tenantId, async tx => {
    const row = await findAdLink(tx, deviceId, adId);
    if (!row || !open || !client.isReal) return row;
    if (await findOnline(tx, deviceId, sessionOf(context, open)))
      await countClick(tx, { adId, mac: open.visit.mac, locationId, deviceId });
    return row;
  });
  if (!found) throw notFound();
  return found.link;
}

/** Views of a tenant that wait to be counted. More than these, while the database is slow, are not counted. */
const maxWaiting = 5000;

/** How a page was asked for. */
export interface Viewer {
  readonly address: string;
  /** No prefetch, and no request for the headers only. */
  readonly isReal: boolean;
}

/**
 * Views of the sign-in page per router and hour, from other networks than the router's. Any person can load that page, so a
 * stranger could make up any number.
 */
const maxElsewhere = 300;
const countElsewhere = createCallLimit('advertisement views elsewhere', 3600);

function logUncounted({ log }: App, tenantId: string, views: number, error: unknown): void {
  log.error({ err: error, tenant: tenantId, views }, 'advertisement views were not counted');
}

async function counts(
  app: App,
  { routerAddress, deviceId, tenantId }: ShownAd,
  { address, isReal }: Viewer,
): Promise<boolean> {
  if (!isReal) return false;
  // Some controllers never report to us, so the networks of their venues are not known.
  if (routerAddress === null || callerNetwork(routerAddress) === callerNetwork(address)) return true;
  try {
    await countElsewhere(app, deviceId, maxElsewhere);
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'too_many')) logUncounted(app, tenantId, 1, error);
    return false;
  }
}

interface Pending {
  readonly shownAd: ShownAd;
  readonly done: () => void;
}

/**
 * Counts the views of advertisements. Simultaneous guests of a tenant are counted in one query, because they update the same
 * row. A guest's page is sent even if counting fails.
 */
export function createViewCounter(app: App): (shownAd: ShownAd, viewer: Viewer) => Promise<void> {
  const count = async (tenantId: string, batch: readonly Pending[]): Promise<void> => {
    const views = batch.map(({ shownAd: { ad, mac, locationId, deviceId } }) => ({
      adId: ad.id,
      mac,
      locationId,
      deviceId,
    }));
    try {
      await app.db.withTenant(tenantId, tx => countViews(tx, views));
    } catch (error) {
      logUncounted(app, tenantId, batch.length, error);
    }
    for (const { done } of batch) done();
  };
  const batchers = new Map<string, Batcher<Pending>>();
  return async (shownAd, viewer) => {
    if (!(await counts(app, shownAd, viewer))) return;
    const { tenantId } = shownAd;
    let batcher = batchers.get(tenantId);
    if (!batcher) {
      const run = (batch: readonly Pending[]) => count(tenantId, batch);
      batcher = createBatcher<Pending>({ size: 500, waitMs: 10, inFlight: 1, capacity: maxWaiting, run });
      batchers.set(tenantId, batcher);
    }
    const { add } = batcher;
    await new Promise<void>(done => {
      if (!add({ shownAd, done })) done();
    });
  };
}

/** The document of an embed code, to be made with the nonce of its response. The code was sanitised when it was saved. */
export async function embedDocument(
  services: GuestServices,
  nas: string,
  adId: string,
): Promise<(nonce: string, language: PortalLanguage) => string> {
  const context = isId(adId) ? await services.findContext(nas, { mac: '', ip: '' }) : undefined;
  const found =
    context && (await services.app.db.readTenant(context.tenantId, tx => findEmbedCode(tx, context.device_id, adId)));
  if (!found) throw notFound();
  return (nonce, language) =>
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(found.name)}</title><style nonce="${nonce}">` +
    'html,body{margin:0;height:100%}body{font:16px/1.5 system-ui,sans-serif}iframe{display:block;width:100%;height:100%;border:0}' +
    `</style></head><body>${found.embed_code}</body></html>`;
}
