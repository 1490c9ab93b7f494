import { languageTag } from '@portico/contract/language-tag.ts';
import { type PortalLanguage, portalLanguages } from '@portico/contract/portal-languages.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCache } from '#lib/cache.ts';

const cookie = 'portico_language';

/** Whether a text is the tag of a language, and may be one of a portal. */
export const isLanguage = (text: string | undefined): text is PortalLanguage => languageTag.safeParse(text).success;

// Set before the handler runs, because the address names the device and so the portal.
const offered = new WeakMap<FastifyRequest, readonly PortalLanguage[]>();
export const offerLanguages = (request: FastifyRequest, languages: readonly PortalLanguage[]): void => {
  offered.set(request, languages);
  const nas = nasOf(request);
  if (nas) lastOffered.set(nas, languages);
};

/** By router, for the pages that are shown while the database is away. */
const lastOffered = createCache<string, readonly PortalLanguage[]>({ maxEntries: 20_000 });
const nasOf = (request: FastifyRequest): string => (request.params as { nas?: string } | null)?.nas ?? '';

/** Offers a request the languages that the guests of its router were offered last, if nothing better is known. */
export function offerLastLanguages(request: FastifyRequest): void {
  const languages = offered.has(request) ? undefined : lastOffered.get(nasOf(request));
  if (languages) offered.set(request, languages);
}

const offersOf = (request: FastifyRequest): readonly PortalLanguage[] => offered.get(request) ?? portalLanguages;

/** The best of the languages for an Accept-Language header. */
function preferred(header: string, languages: readonly PortalLanguage[]): PortalLanguage | undefined {
  return header
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', q] = part.trim().split(/;\s*q=/);
      return { tag: tag.toLowerCase(), q: q === undefined ? 1 : Number(q) || 0 };
    })
    .filter(it => it.q > 0)
    .sort((a, b) => b.q - a.q)
    .map(it => bestOf(it.tag, languages))
    .find(it => it !== undefined);
}

/** The offered language that a wanted one means: the same, else one that is more general, else another of the same language. */
function bestOf(wanted: string, languages: readonly PortalLanguage[]): PortalLanguage | undefined {
  const parts = wanted.split('-');
  for (let kept = parts.length; kept > 0; kept -= 1) {
    const prefix = parts.slice(0, kept).join('-');
    const found = languages.find(it => it.toLowerCase() === prefix);
    if (found) return found;
  }
  return languages.find(it => it.toLowerCase().startsWith(`${parts[0]}-`));
}

/** A guest's language: the one just chosen, else the one in the cookie, else the browser's, else the portal's default. */
export function guestLanguage(request: FastifyRequest, chosen?: string): PortalLanguage {
  const languages = offersOf(request);
  const isOffered = (text: string | undefined): text is PortalLanguage => isLanguage(text) && languages.includes(text);
  if (isOffered(chosen)) return chosen;
  const stored = new RegExp(`(?:^|;\\s*)${cookie}=([A-Za-z0-9-]{2,25})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
  if (isOffered(stored)) return stored;
  const fallback = offered.get(request)?.[0] ?? 'en';
  return preferred(request.headers['accept-language'] ?? '', languages) ?? fallback;
}

/** Stores a chosen language in a cookie for a year, if it is one of those that this request is offered. */
export function keepLanguage(request: FastifyRequest, reply: FastifyReply, chosen: string): void {
  if (!offersOf(request).includes(chosen)) return;
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${cookie}=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${secure}`);
}
