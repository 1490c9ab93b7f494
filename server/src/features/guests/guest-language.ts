import { type PortalLanguage, portalLanguages } from '@portico/contract/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookie = 'portico_language';

/** Whether a text names a language of portals. */
export const isLanguage = (text: string | undefined): text is PortalLanguage =>
  (portalLanguages as readonly string[]).includes(text ?? '');

/** The preferred portal language of an Accept-Language header. */
function preferred(header: string): PortalLanguage | undefined {
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
    .find(isLanguage);
}

/** A guest's language: the one just chosen, else the one in the cookie, else the browser's, else English. */
export function guestLanguage(request: FastifyRequest, chosen?: string): PortalLanguage {
  if (isLanguage(chosen)) return chosen;
  const stored = new RegExp(`(?:^|;\\s*)${cookie}=([a-z]{2})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
  return isLanguage(stored) ? stored : (preferred(request.headers['accept-language'] ?? '') ?? 'en');
}

/** Stores a chosen language in a cookie for a year. */
export function keepLanguage(request: FastifyRequest, reply: FastifyReply, chosen: string): void {
  if (!isLanguage(chosen)) return;
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${cookie}=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${secure}`);
}
