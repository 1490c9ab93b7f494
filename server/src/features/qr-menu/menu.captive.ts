import type { Renderer } from '@portico/contract/guests.ts';
import { type MenuLanguage, menuLanguages } from '@portico/contract/menu-view.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { guestLanguage, keepLanguage } from '#features/guests/public.ts';
import { unstorable } from '#http/unstorable.ts';
import type { App } from '#lib/app.ts';
import { isRealView } from '#lib/prefetch.ts';
import { menuView } from './menu.service.ts';

interface AtDesk {
  Params: { code: string; number?: string };
  Querystring: Record<string, unknown>;
}

const lookCookie = 'portico_look';
const colorSchemes = ['light', 'dark'] as const;
type ColorScheme = (typeof colorSchemes)[number];

/** The public QR menu: `{captive}/m/{code}/{desk number}`. Works without script and without being online. */
export function menuRoutes(server: FastifyInstance, app: App, it: { renderer: Renderer; script: string }): void {
  server.get<AtDesk>('/m/:code/:number?', async (request, reply) => {
    const asked = (name: string) => {
      const value = request.query[name];
      return typeof value === 'string' && value.length <= 100 && unstorable(value) === undefined ? value.trim() : '';
    };
    keepLanguage(request, reply, asked('lang'));
    const chosenScheme = colorSchemeOf(asked('look'));
    if (chosenScheme)
      reply.header('set-cookie', `${lookCookie}=${chosenScheme}; Path=/m/; Max-Age=31536000; SameSite=Lax`);
    const view = await menuView(app, {
      ...request.params,
      number: request.params.number || undefined,
      language: languageOf(request, asked('lang')),
      look: chosenScheme ?? colorSchemeOf(cookieOf(request)),
      nonce: reply.nonce ?? '',
      script: it.script,
      category: asked('c'),
      search: asked('q'),
      scanned: Object.keys(request.query).length === 0 && isRealView(request),
    });
    return reply.type('text/html; charset=utf-8').send(it.renderer.renderMenu(view));
  });
}

/** Menus are in Turkish and English. Guests with another language get English. */
const languageOf = (request: FastifyRequest, chosen: string): MenuLanguage => {
  const language = guestLanguage(request, chosen);
  return menuLanguages.find(it => it === language) ?? 'en';
};

const colorSchemeOf = (text: string | undefined): ColorScheme | null => colorSchemes.find(it => it === text) ?? null;
const cookieOf = (request: FastifyRequest) =>
  new RegExp(`(?:^|;\\s*)${lookCookie}=(\\w+)`).exec(request.headers.cookie ?? '')?.[1];
