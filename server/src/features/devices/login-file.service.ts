import { notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin, panelOrigin } from '#lib/origins.ts';
import { findDriver } from '#routers/drivers.ts';

const linkHours = 24;

interface LoginFile {
  readonly nas: string;
  readonly brand: string;
  /** Unix time in seconds. */
  readonly until: number;
}

const signed = ({ secrets }: App, { nas, brand, until }: LoginFile): string =>
  `${nas}.${brand}.${until}.${secrets.signBriefly(`login-file ${nas} ${brand} ${until}`).slice(0, 32)}`;

/** Where a router fetches its pages for a day; it appends `?page=` and a name. */
export function loginFileUrl(app: App, slug: string, it: Pick<LoginFile, 'nas' | 'brand'>): string {
  const until = Math.floor(Date.now() / 1000) + linkHours * 3600;
  return `${panelOrigin(app.settings, slug)}/v1/device/login-file/${signed(app, { ...it, until })}`;
}

export function asFile(call: Pick<Context, 'reply'>, html: string, name = 'login'): string {
  void call.reply.header('content-disposition', `attachment; filename="${name}.html"`);
  return html;
}

/** A page that a router fetches by a signed link. */
export function loginFile(call: Context, token: string, page: string): string {
  const [nas = '', brand = '', until = ''] = token.split('.');
  const isGenuine =
    token === signed(call.app, { nas, brand, until: Number(until) }) && Number(until) * 1000 > Date.now();
  const own = captiveOrigin(call.app.settings, call.tenant.slug);
  const html = isGenuine ? findDriver(brand)?.setup.page?.(page, { portalUrl: `${own}/w/${nas}` }) : undefined;
  if (html === undefined) throw notFound();
  return asFile(call, html, page);
}
