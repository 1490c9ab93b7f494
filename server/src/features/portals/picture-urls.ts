import type { Tenant } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';

/**
 * Pictures are stored as paths (`/uploads/{tenant}/{file}`), so that the guest origin can change. The API returns them as
 * URLs.
 */
export interface PictureUrls {
  /** The path to store, or undefined if the URL is not a picture of this tenant. */
  readonly toPath: (url: string) => string | undefined;
  readonly toUrl: (path: string) => string;
  readonly htmlToPaths: (html: string) => string;
  readonly htmlToUrls: (html: string) => string;
}

/** `deleted` lists files that no longer exist; they count as unknown. */
export function pictureUrls(app: App, tenant: Tenant, deleted: ReadonlySet<string> = new Set()): PictureUrls {
  const origin = captiveOrigin(app.settings, tenant.slug);
  const folder = `/uploads/${tenant.id}/`;
  const isOwn = (path: string) => {
    const file = path.slice(folder.length);
    return path.startsWith(folder) && /^[a-z0-9-]+\.webp$/.test(file) && !deleted.has(file);
  };
  const toPath = (url: string) => {
    const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    return isOwn(path) ? path : undefined;
  };
  return {
    toPath,
    toUrl: path => `${origin}${path}`,
    htmlToPaths: html => html.replaceAll(`src="${origin}${folder}`, `src="${folder}`),
    htmlToUrls: html => html.replaceAll(`src="${folder}`, `src="${origin}${folder}`),
  };
}
