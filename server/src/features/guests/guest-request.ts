import type { Renderer } from '@portico/contract/guests.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRealView } from '#lib/prefetch.ts';
import type { ClientInfo } from './client-info.ts';
import { guestLanguage } from './guest-language.ts';
import type { Frame } from './guest-views.ts';
import { captiveWindowOf } from './social/captive-window.ts';

/** Helpers that the handlers of guests' requests share. */

/** The renderer of the guest's pages, and the address of their script. */
export interface PageStyle {
  readonly renderer: Renderer;
  readonly script: string;
}

/** The parts of a page that depend on the request. `chosen`: the language that the request asks for. */
export function frameOf(request: FastifyRequest, reply: FastifyReply, style: PageStyle, chosen?: string): Frame {
  return {
    language: guestLanguage(request, chosen),
    nonce: reply.nonce ?? '',
    script: style.script,
    requestId: request.id,
    captiveWindow: captiveWindowOf(request.headers['user-agent'] ?? ''),
    isReal: isRealView(request),
    plain: isForm(request.body) && request.body.plain === '1',
    takesCookies: /(?:^|;\s*)portico_/.test(request.headers.cookie ?? ''),
    client: clientOf(request),
  };
}

const isForm = (body: unknown): body is { readonly plain?: unknown } => typeof body === 'object' && body !== null;

/** A text parameter of a query or form; empty if it is missing or repeated. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const clientOf = (request: FastifyRequest): ClientInfo => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  cookies: request.headers.cookie ?? '',
  kept: textOf((request.query as { kept?: unknown } | null)?.kept),
  referrer: request.headers.referer ?? '',
});
