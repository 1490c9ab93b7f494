import { guestBuyForm, guestRestoreForm } from '@portico/contract/guest-forms.ts';
import type { FastifyInstance } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import { parseArrival } from '../arrival/read-arrival.ts';
import { keepLanguage } from '../guest-language.ts';
import type { AtRouter, GuestReplies } from '../guest-replies.ts';
import { clientOf, frameOf, textOf } from '../guest-request.ts';
import { buy } from './buy.service.ts';
import { keepPurchase } from './keep-purchase.service.ts';
import { showOffers } from './offers.service.ts';
import { payPage } from './pay.service.ts';
import { restore, showRestore } from './restore.service.ts';

/** The pages on which guests buy access. */
export function buyRoutes(
  server: FastifyInstance,
  { services, style, send, sendAfterForm, sendAfterSignIn, expired }: GuestReplies,
): void {
  server.get<AtRouter>('/w/:nas/buy', async (request, reply) => {
    const arrival = parseArrival(request.query);
    keepLanguage(request, reply, arrival.lang);
    const frame = frameOf(request, reply, style, arrival.lang);
    return send(
      reply,
      await showOffers(services, frame, request.params.nas, arrival, request.query, clientOf(request)),
    );
  });
  server.get<AtRouter>('/w/:nas/restore', async (request, reply) => {
    const arrival = parseArrival(request.query);
    keepLanguage(request, reply, arrival.lang);
    const frame = frameOf(request, reply, style, arrival.lang);
    const { sent } = request.query as { sent?: unknown };
    const last = { sent: sent === '1', client: clientOf(request) };
    return send(reply, await showRestore(services, frame, request.params.nas, arrival, last));
  });
  server.get<AtRouter>('/w/:nas/pay', async (request, reply) => {
    const { lang, check, declined } = request.query as Record<string, unknown>;
    keepLanguage(request, reply, textOf(lang));
    const frame = frameOf(request, reply, style, textOf(lang));
    const said = { asks: check === '1', isDeclined: declined === '1' };
    return send(reply, await payPage(services, frame, request.params.nas, said, clientOf(request)));
  });

  server.post<AtRouter>('/w/:nas/buy', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    if (body['go'] !== undefined && unstorable(body) === undefined)
      return sendAfterForm(
        request,
        reply,
        await keepPurchase(services, frame, request.params.nas, body, clientOf(request)),
      );
    const form = guestBuyForm.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) return sendAfterForm(request, reply, expired(frame));
    return sendAfterSignIn(
      request,
      reply,
      await buy(services, frame, request.params.nas, form.data, clientOf(request)),
    );
  });
  server.post<AtRouter>('/w/:nas/restore', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    const form = guestRestoreForm.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) return sendAfterForm(request, reply, expired(frame));
    return sendAfterSignIn(
      request,
      reply,
      await restore(services, frame, request.params.nas, form.data, clientOf(request)),
    );
  });
}
