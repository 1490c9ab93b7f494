import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, notFound } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { arrivalRoutes } from './arrival/arrival.captive.ts';
import { buyRoutes } from './buy/buy.captive.ts';
import { confirmEmailRoutes } from './confirm-email/confirm-email.captive.ts';
import { offerLanguages } from './guest-language.ts';
import { type AtRouter, createReplies } from './guest-replies.ts';
import { clientOf, type PageStyle } from './guest-request.ts';
import { createGuestServices } from './guest-services.ts';
import { readPlace } from './guest-state.ts';
import { keptPageOf } from './kept-page.ts';
import { onlineRoutes } from './online/online.captive.ts';
import { visitOfBrowser } from './online/visit-cookie.ts';
import { ownDataRoutes } from './own-data/own-data.captive.ts';
import { signInRoutes } from './sign-in/sign-in.captive.ts';
import { surveyRoutes } from './surveys/surveys.captive.ts';

/** The address of the guest as the page says it, and its portal. Neither is proven; they decide only about the languages that are offered. */
function placeOf(app: App, nas: string, request: FastifyRequest): { ip: string; portal?: string | undefined } {
  const [query, body] = [request.query, request.body] as ({ ip?: unknown; state?: unknown } | undefined)[];
  const { ip: stated, portal = keptPageOf(app, nas, clientOf(request))?.portal } = readPlace(body?.state);
  const said = typeof query?.ip === 'string' ? query.ip : stated;
  const ip = said ?? visitOfBrowser(app, nas, clientOf(request))?.visit.ip ?? '';
  return { ip: isIP(ip) ? ip : '', portal };
}

/** Refuses a malformed router name, and a body without fields. Neither routers nor our forms send them. */
function refuseUnreadable(nas: string, { routeOptions, body }: FastifyRequest): void {
  // Redirects contain the name, and a header takes no other letters. The arrival has a page for unknown routers.
  if (!/^[\w-]+$/.test(nas) && routeOptions.url !== '/w/:nas') throw notFound();
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw new AppError('bad_request');
}

/** The pages between a router and the internet. */
export function guestRoutes(server: FastifyInstance, app: App, style: PageStyle): void {
  const services = createGuestServices(app);
  server.addHook('onClose', services.agents.close);
  server.addHook('preHandler', async request => {
    const { nas, token } = (request.params ?? {}) as Partial<AtRouter['Params']> & { token?: string };
    // A gateway has a token in its address, and sends plain text.
    if (nas !== undefined && token === undefined) refuseUnreadable(nas, request);
    const { ip, portal } = nas ? placeOf(app, nas, request) : { ip: '' };
    const languages = nas ? await services.findLanguages(nas, ip, portal) : undefined;
    if (languages) offerLanguages(request, languages);
  });
  const replies = createReplies(services, style);
  arrivalRoutes(server, replies);
  buyRoutes(server, replies);
  signInRoutes(server, replies);
  onlineRoutes(server, replies);
  confirmEmailRoutes(server, replies);
  surveyRoutes(server, replies);
  ownDataRoutes(server, replies);
}
