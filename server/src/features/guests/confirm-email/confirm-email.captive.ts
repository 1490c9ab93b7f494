import { guestConfirmForm, guestMailForm } from '@portico/contract/guest-forms.ts';
import type { FastifyInstance } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import { keepLanguage } from '../guest-language.ts';
import type { AtRouter, GuestReplies } from '../guest-replies.ts';
import { clientOf, frameOf, textOf } from '../guest-request.ts';
import { confirmEmailPage, mailAgain } from './confirm-email.service.ts';

/** The mail that confirms an address, and the page that its link opens. */
export function confirmEmailRoutes(server: FastifyInstance, replies: GuestReplies): void {
  const { services, style, send, sendAfterForm } = replies;
  server.post<AtRouter>('/w/:nas/mail', async (request, reply) => {
    const { lang, email } = guestMailForm.parse(request.body ?? {});
    const frame = frameOf(request, reply, style, lang);
    const typed = unstorable(email) === undefined ? email : '-';
    return sendAfterForm(
      request,
      reply,
      await mailAgain(services, frame, request.params.nas, typed, clientOf(request)),
    );
  });

  server.get<AtRouter>('/w/:nas/confirm-email', async (request, reply) => {
    const { t, lang } = request.query as Record<string, unknown>;
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const asked = { token: textOf(t), confirms: false };
    return send(
      reply,
      await confirmEmailPage(
        services,
        frameOf(request, reply, style, chosen),
        request.params.nas,
        asked,
        clientOf(request),
      ),
    );
  });
  server.post<AtRouter>('/w/:nas/confirm-email', async (request, reply) => {
    const { t: token, lang } = guestConfirmForm.parse(request.body ?? {});
    const frame = frameOf(request, reply, style, lang);
    const asked = { token, confirms: true };
    const answer = await confirmEmailPage(services, frame, request.params.nas, asked, clientOf(request));
    return sendAfterForm(request, reply, answer);
  });
}
