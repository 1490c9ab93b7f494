import { guestExtendForm } from '@portico/contract/guest-forms.ts';
import type { FastifyInstance } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import { captiveApi } from '../arrival/captive-api.service.ts';
import { extend } from '../extend/extend.service.ts';
import { switchGuest } from '../extend/switch.service.ts';
import { keepLanguage } from '../guest-language.ts';
import type { AtRouter, GuestReplies } from '../guest-replies.ts';
import { clientOf, frameOf, textOf } from '../guest-request.ts';
import { logOut } from './log-out.service.ts';
import { online } from './online.service.ts';
import { onlineState } from './online-state.service.ts';
import { waitLeft } from './wait.ts';

/** The pages of a connected guest, and what phones ask about the network. */
export function onlineRoutes(server: FastifyInstance, replies: GuestReplies): void {
  const { services, style, send, sendAfterForm } = replies;
  server.get<AtRouter>('/w/:nas/online', async (request, reply) => {
    const { lang, new: isNew, n, g, to, mail, code, until, over, again } = request.query as Record<string, unknown>;
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    const at = {
      isNew: isNew === '1',
      tries: /^\d$/.test(String(n)) ? Number(n) : 0,
      grant: textOf(g),
      bring: textOf(to),
      mail: textOf(mail),
      code: textOf(code),
      seconds: waitLeft(until),
      over: over === '1',
      again: again === '1',
    };
    return send(reply, await online(services, frame, request.params.nas, at, clientOf(request)));
  });

  server.get<AtRouter>('/w/:nas/online/state', async (request, reply) => {
    const { lang, has, of } = request.query as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(lang));
    const at = { has: textOf(has), of: textOf(of), language: frame.language };
    return reply.send(await onlineState(services, request.params.nas, at, clientOf(request)));
  });

  // The cookie keeps forms of other sites out, as at the log-out.
  server.post<AtRouter>('/w/:nas/extend', async (request, reply) => {
    const { lang, voucher } = guestExtendForm.parse(request.body ?? {});
    const frame = frameOf(request, reply, style, lang);
    const typed = unstorable(voucher) === undefined ? voucher : '-';
    return sendAfterForm(request, reply, await extend(services, frame, request.params.nas, typed, clientOf(request)));
  });

  server.get<AtRouter>('/w/:nas/switch', async (request, reply) => {
    const { n, lang } = request.query as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(lang));
    const tries = /^\d$/.test(String(n)) ? Number(n) : 0;
    return send(reply, await switchGuest(services, frame, request.params.nas, tries, clientOf(request)));
  });

  // The cookie is not sent with a form of another site, so no other site can log a guest out.
  server.post<AtRouter>('/w/:nas/log-out', async (request, reply) => {
    const { lang } = (request.body ?? {}) as { lang?: unknown };
    const frame = frameOf(request, reply, style, textOf(lang));
    return sendAfterForm(request, reply, await logOut(services, frame, request.params.nas, clientOf(request)));
  });

  server.get<AtRouter>('/captive/:nas', async (request, reply) => {
    const { mac = '', ip = '' } = request.query as Record<string, unknown>;
    const asked = { mac: String(mac).slice(0, 64), ip: String(ip).slice(0, 64) };
    const client = unstorable(asked) === undefined ? asked : { mac: '', ip: '' };
    const answer = await captiveApi(services, request.params.nas, client, clientOf(request));
    // RFC 8908, sections 4 and 5: the media type, and no shared caching.
    return reply
      .headers({ 'content-type': 'application/captive+json', 'cache-control': 'private, no-store' })
      .send(Buffer.from(JSON.stringify(answer)));
  });
}
