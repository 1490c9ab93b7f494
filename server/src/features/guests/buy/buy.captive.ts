import { guestBuyForm, guestRestoreForm } from '@portico/contract/guest-forms.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import { parseArrival } from '../arrival/read-arrival.ts';
import type { GuestAnswer } from '../guest-answer.ts';
import { keepLanguage } from '../guest-language.ts';
import { clientOf, frameOf, type PageStyle, textOf } from '../guest-request.ts';
import type { GuestServices } from '../guest-services.ts';
import { type Frame, problemView } from '../guest-views.ts';
import { buy } from './buy.service.ts';
import { keepPurchase } from './keep-purchase.service.ts';
import { showOffers } from './offers.service.ts';
import { payPage } from './pay.service.ts';
import { restore, showRestore } from './restore.service.ts';

interface AtRouter {
  Params: { nas: string };
}

const expired = (frame: Frame): GuestAnswer => ({ view: problemView(frame, { problem: 'page_expired' }), status: 400 });

/** The pages on which guests buy access. */
export function buyRoutes(
  server: FastifyInstance,
  services: GuestServices,
  style: PageStyle,
  send: (reply: FastifyReply, answer: GuestAnswer) => Promise<FastifyReply>,
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
    return send(reply, await showRestore(services, frame, request.params.nas, arrival));
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
      return send(reply, await keepPurchase(services, frame, request.params.nas, body, clientOf(request)));
    const form = guestBuyForm.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) return send(reply, expired(frame));
    return send(reply, await buy(services, frame, request.params.nas, form.data, clientOf(request)));
  });
  server.post<AtRouter>('/w/:nas/restore', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    const form = guestRestoreForm.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) return send(reply, expired(frame));
    return send(reply, await restore(services, frame, request.params.nas, form.data, clientOf(request)));
  });
}
