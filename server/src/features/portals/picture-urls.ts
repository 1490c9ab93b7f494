import type { Tenant } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';

/**
 * Pictures and videos are stored as paths (`/uploads/{tenant}/{file}`), so that the guest origin can change. The API returns them as
 * URLs.
 */
export interface PictureUrls {
  /** The path to store, or undefined if the URL is not a picture of this tenant. */
  readonly toPath: (url: string) => string | undefined;
  /** As `toPath`, of a video. */
  readonly videoToPath: (url: string) => string | undefined;
  readonly toUrl: (path: string) => string;
  readonly htmlToPaths: (html: string) => string;
  readonly htmlToUrls: (html: string) => string;
}

/** `deleted` lists files that no longer exist; they count as unknown. */
export function pictureUrls(app: App, tenant: Tenant, deleted: ReadonlySet<string> = new Set()): PictureUrls {
  const set = captiveOrigin(app.settings, tenant.slug);
  const origin = tenant.captiveSeen ?? set;
  // A URL may come from another browser, which saw the other origin.
  const origins = [...new Set([origin, set])];
  const folder = `/uploads/${tenant.id}/`;
  const pathOf = (url: string, name: RegExp) => {
    const start = origins.find(it => url.startsWith(`${it}/`)) ?? '';
    const path = url.slice(start.length);
    const file = path.slice(folder.length);
    return path.startsWith(folder) && name.test(file) && !deleted.has(file) ? path : undefined;
  };
  return {
    toPath: url => pathOf(url, /^[a-z0-9-]+\.webp$/),
    videoToPath: url => pathOf(url, /^video-[a-f0-9-]+\.(?:mp4|webm)$/),
    toUrl: path => `${origin}${path}`,
    htmlToPaths: html => origins.reduce((text, it) => text.replaceAll(`src="${it}${folder}`, `src="${folder}`), html),
    htmlToUrls: html => html.replaceAll(`src="${folder}`, `src="${origin}${folder}`),
  };
}
