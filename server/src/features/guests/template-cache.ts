import { randomBytes } from 'node:crypto';
import type { Renderer } from '@portico/contract/guests.ts';
import type { FastifyReply } from 'fastify';
import { createCache } from '#lib/cache.ts';
import { type CompressedTemplate, compressTemplate, takesGzip } from '#lib/compressed-template.ts';
import { escapeHtml } from '#lib/html.ts';
import type { GuestValues, SignInTemplate } from './guest-answer.ts';

type Name = 'nonce' | keyof GuestValues;

// Random, so that no operator's text can contain a placeholder.
const prefix = randomBytes(12).toString('hex');
const placeholders: Record<Name, string> = {
  nonce: `${prefix}n`,
  nas: `${prefix}w`,
  query: `${prefix}q`,
  state: `${prefix}s`,
};

/**
 * Sends the page that most guests see first. It is rendered and compressed once, and each guest's values are inserted. The
 * cache key contains everything that the page shows, so any change gives a new entry.
 */
export function createTemplateCache(renderer: Renderer) {
  // A portal has one page for each language, location and advertisement.
  const cache = createCache<string, CompressedTemplate<Name>>({ maxEntries: 500 });

  function templateOf({ content, view: viewOf }: SignInTemplate): CompressedTemplate<Name> {
    const view = viewOf(placeholders.nonce, placeholders);
    const key = content + JSON.stringify({ ...view, portal: view.portal?.id });
    const hit = cache.get(key);
    if (hit) return hit;
    const template = compressTemplate(renderer.render(view), placeholders);
    cache.set(key, template);
    return template;
  }

  return (reply: FastifyReply, template: SignInTemplate): FastifyReply => {
    const page = templateOf(template);
    const { nas, query, state } = template.values;
    const values = { nonce: reply.nonce ?? '', nas, query: escapeHtml(query), state: escapeHtml(state) };
    reply.headers({ 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding' });
    if (!takesGzip(reply.request.headers['accept-encoding'])) return reply.send(page.html(values));
    return reply.header('content-encoding', 'gzip').send(page.gzip(values));
  };
}
