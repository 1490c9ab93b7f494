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
  const origin = captiveOrigin(app.settings, tenant.slug);
  const folder = `/uploads/${tenant.id}/`;
  const pathOf = (url: string, name: RegExp) => {
    const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    const file = path.slice(folder.length);
    return path.startsWith(folder) && name.test(file) && !deleted.has(file) ? path : undefined;
  };
  return {
    toPath: url => pathOf(url, /^[a-z0-9-]+\.webp$/),
    videoToPath: url => pathOf(url, /^video-[a-f0-9-]+\.(?:mp4|webm)$/),
    toUrl: path => `${origin}${path}`,
    htmlToPaths: html => html.replaceAll(`src="${origin}${folder}`, `src="${folder}`),
    htmlToUrls: html => html.replaceAll(`src="${folder}`, `src="${origin}${folder}`),
  };
}
