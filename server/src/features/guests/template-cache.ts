import { randomBytes } from 'node:crypto';
import type { Renderer } from '@portico/contract/guests.ts';
import type { FastifyReply } from 'fastify';
import { type PressedPage, press, takesGzip } from '#lib/compressed-template.ts';
import { escapeHtml } from '#lib/html.ts';
import type { Fills, Template } from './arrival/check-arrival.ts';

/** Pages kept at most: a portal has one for each language, location and advertisement. */
const most = 500;

// No operator can guess them, and so none can write one.
const mark = randomBytes(12).toString('hex');
const marks = { nonce: `${mark}n`, nas: `${mark}w`, query: `${mark}q`, state: `${mark}s` };

/**
 * Sends the page that most guests see first. It is drawn and compressed once; each guest's own addresses are put into it.
 * It is kept under everything that it shows, so that a change of anything makes another.
 */
export function createPresses(renderer: Renderer) {
  const kept = new Map<string, PressedPage<keyof Fills>>();

  function pageOf(template: Template): PressedPage<keyof Fills> {
    const view = template.view({ nonce: marks.nonce }, marks);
    const key = template.content + JSON.stringify({ ...view, portal: view.portal?.id });
    const known = kept.get(key);
    if (known) return known;
    const page = press(renderer.render(view), marks);
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(key, page);
    return page;
  }

  return (reply: FastifyReply, template: Template): FastifyReply => {
    const page = pageOf(template);
    const { nas, query, state } = template.fills;
    const fills = { nonce: reply.nonce ?? '', nas, query: escapeHtml(query), state: escapeHtml(state) };
    reply.headers({ 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding' });
    if (!takesGzip(reply.request.headers['accept-encoding'])) return reply.send(page.html(fills));
    return reply.header('content-encoding', 'gzip').send(page.gzip(fills));
  };
}
