import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gatewayRoutes } from '#features/gateways/public.ts';
import { drivers } from '#routers/drivers.ts';
import { statusOf } from '../guest-answer.ts';
import { keepLanguage } from '../guest-language.ts';
import type { AtRouter, GuestReplies } from '../guest-replies.ts';
import { clientOf, frameOf, textOf } from '../guest-request.ts';
import { problemView } from '../guest-views.ts';
import { plainHttpPage } from './addresses.ts';
import { arrive } from './arrival.service.ts';
import { arriveWithPass, dropPass, passOf, showPass } from './pass.service.ts';
import { readArrival, textQuery } from './read-arrival.ts';
import { nasAtHost, readSharedEntry } from './shared-entry.service.ts';

/** Where routers and printed codes lead a guest first. */
export function arrivalRoutes(server: FastifyInstance, replies: GuestReplies): void {
  const { services, style, send } = replies;
  const { app } = services;
  const arriveAt = async (request: FastifyRequest<AtRouter>, reply: FastifyReply) => {
    const { nas } = request.params;
    const client = clientOf(request);
    const arrival = await readArrival(services, nas, request, client);
    keepLanguage(request, reply, arrival.lang);
    const frame = frameOf(request, reply, style, arrival.lang);
    const text = passOf(request);
    // Only one try: a guest whom the router has just refused would loop.
    const passed =
      text && !arrival.error && !arrival.step
        ? await arriveWithPass(services, frame, arrival, { nas, text, client })
        : null;
    if (passed && 'redirect' in passed) reply.header('set-cookie', dropPass(request));
    return send(reply, passed ?? (await arrive(services, frame, nas, arrival, client)));
  };
  server.get<AtRouter>('/w/:nas', arriveAt);
  gatewayRoutes(server, app, arriveAt);

  for (const driver of drivers) {
    const entry = driver.sharedEntry;
    if (!entry) continue;
    server.get(entry.path, async (request, reply) => {
      const { nas, arrival, failed } = await readSharedEntry(app, driver, entry, request.query, request.hostname);
      keepLanguage(request, reply, arrival.lang);
      const frame = frameOf(request, reply, style, arrival.lang);
      if (nas && !failed) return send(reply, await arrive(services, frame, nas, arrival, clientOf(request)));
      const problem = failed ? 'ticket_over' : 'unknown_device';
      // The gateway answers any plain page with a new request.
      const view = problemView(frame, { problem, retry: failed ? plainHttpPage : null });
      return send(reply, { view, status: statusOf(problem) });
    });
  }

  for (const driver of drivers) {
    const entry = driver.hostEntry;
    if (!entry) continue;
    const answer = async (request: FastifyRequest, reply: FastifyReply, named?: string) => {
      const { address, arrival } = entry.read(
        textQuery({ ...(request.query as object), ...(request.params as object) }),
      );
      const isOwn = named !== undefined && (await services.findDriver(named)) === driver;
      const nas = named === undefined ? await nasAtHost(app, driver, address, request.hostname) : isOwn ? named : '';
      keepLanguage(request, reply, arrival.lang);
      const frame = frameOf(request, reply, style, arrival.lang);
      if (nas) return send(reply, await arrive(services, frame, nas, arrival, clientOf(request)));
      return send(reply, {
        view: problemView(frame, { problem: 'unknown_device' }),
        status: statusOf('unknown_device'),
      });
    };
    server.get(entry.path, (request, reply) => answer(request, reply));
    server.get<AtRouter>(`/w/:nas${entry.path}`, (request, reply) => answer(request, reply, request.params.nas));
  }

  // The short address for a browser. The router of a guest who is not online yet leads to the sign-in page.
  server.get<AtRouter>('/o/:nas', async (request, reply) => {
    const { nas } = request.params;
    const context = await services.findContext(nas, { mac: '', ip: '' });
    const redirect = context && (context.driver.signInPage(context) ?? plainHttpPage);
    return send(reply, { redirect: redirect ?? `/w/${encodeURIComponent(nas)}` });
  });

  server.get<{ Params: { code: string } }>('/q/:code', async (request, reply) => {
    const { lang } = request.query as { lang?: unknown };
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    const { answer, cookie } = await showPass(services, frame, request.params.code, request);
    if (cookie) reply.header('set-cookie', cookie);
    return send(reply, answer);
  });
}
