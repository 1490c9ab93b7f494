import { type PortalLanguage, portalLanguages } from '@portico/contract/portal-languages.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookie = 'portico_language';

/** Whether a text names a language of portals. */
export const isLanguage = (text: string | undefined): text is PortalLanguage =>
  (portalLanguages as readonly string[]).includes(text ?? '');

// Set before the handler runs, because the address names the device and so the portal.
const offered = new WeakMap<FastifyRequest, readonly PortalLanguage[]>();
export const offerLanguages = (request: FastifyRequest, languages: readonly PortalLanguage[]): void => {
  offered.set(request, languages);
};

/** The best of the languages for an Accept-Language header. */
function preferred(header: string, languages: readonly PortalLanguage[]): PortalLanguage | undefined {
  return header
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', q] = part.trim().split(/;\s*q=/);
      return { tag: tag.split('-')[0]!.toLowerCase(), q: q === undefined ? 1 : Number(q) || 0 };
    })
    .filter(it => it.q > 0)
    .sort((a, b) => b.q - a.q)
    .map(it => it.tag)
    .find((tag): tag is PortalLanguage => (languages as readonly string[]).includes(tag));
}

/** A guest's language: the one just chosen, else the one in the cookie, else the browser's, else the portal's default. */
export function guestLanguage(request: FastifyRequest, chosen?: string): PortalLanguage {
  const languages = offered.get(request) ?? portalLanguages;
  const isOffered = (text: string | undefined): text is PortalLanguage => isLanguage(text) && languages.includes(text);
  if (isOffered(chosen)) return chosen;
  const stored = new RegExp(`(?:^|;\\s*)${cookie}=([a-z]{2})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
  if (isOffered(stored)) return stored;
  const fallback = offered.get(request)?.[0] ?? 'en';
  return preferred(request.headers['accept-language'] ?? '', languages) ?? fallback;
}

/** Stores a chosen language in a cookie for a year. */
export function keepLanguage(request: FastifyRequest, reply: FastifyReply, chosen: string): void {
  if (!isLanguage(chosen)) return;
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${cookie}=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${secure}`);
}
