import type { Tenant } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';

/**
 * Pictures are kept as paths of the guest origin (`/uploads/{tenant}/{file}`), so that its address can change, and told
 * as whole addresses.
 */
export interface PictureUrls {
  /** The path to keep, or undefined for anything that is not a picture of this tenant. */
  readonly toPath: (url: string) => string | undefined;
  readonly toUrl: (path: string) => string;
  readonly htmlToPaths: (html: string) => string;
  readonly htmlToUrls: (html: string) => string;
}

/** `gone`: files that are there no more, and can't be named any longer. */
export function pictureUrls(app: App, tenant: Tenant, gone: ReadonlySet<string> = new Set()): PictureUrls {
  const origin = captiveOrigin(app.settings, tenant.slug);
  const folder = `/uploads/${tenant.id}/`;
  const isOwn = (path: string) => {
    const file = path.slice(folder.length);
    return path.startsWith(folder) && /^[a-z0-9-]+\.webp$/.test(file) && !gone.has(file);
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
