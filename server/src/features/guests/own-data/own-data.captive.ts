import { guestDataForm, guestMarketingForm } from '@portico/contract/guest-forms.ts';
import type { FastifyInstance } from 'fastify';
import type { AtRouter, GuestReplies } from '../guest-replies.ts';
import { clientOf, frameOf, textOf } from '../guest-request.ts';
import { changeMarketing, dataGone, eraseOwnData, mailOwnData, openMailedLink, ownData } from './own-data.service.ts';
import { ownDataFile } from './own-data-file.ts';

/** The page on which guests see, change and delete their data. */
export function ownDataRoutes(server: FastifyInstance, replies: GuestReplies): void {
  const { services, style, send, sendAfterForm } = replies;
  server.get<AtRouter>('/w/:nas/my-data', async (request, reply) => {
    const { s, lang, mailed, saved } = request.query as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(lang));
    const { nas } = request.params;
    if (s !== undefined) return send(reply, await openMailedLink(services, frame, nas, textOf(s)));
    return send(
      reply,
      await ownData(services, frame, nas, clientOf(request), { mailed: mailed === '1', saved: saved === '1' }),
    );
  });
  server.get<AtRouter>('/w/:nas/my-data/file', async (request, reply) => {
    const frame = frameOf(request, reply, style);
    const answer = await ownData(services, frame, request.params.nas, clientOf(request));
    if (!('view' in answer) || answer.view.page !== 'data') return send(reply, answer);
    return reply
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .type('application/json; charset=utf-8')
      .send(ownDataFile(answer.view));
  });
  server.get<AtRouter>('/w/:nas/my-data/gone', async (request, reply) => {
    const { lang, account } = request.query as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(lang));
    return send(reply, await dataGone(services, frame, request.params.nas, { accountStays: account === '1' }));
  });
  server.post<AtRouter>('/w/:nas/my-data/marketing', async (request, reply) => {
    const form = guestMarketingForm.parse(request.body ?? {});
    const frame = frameOf(request, reply, style, form.lang);
    const answer = await changeMarketing(services, frame, request.params.nas, clientOf(request), form);
    return sendAfterForm(request, reply, answer);
  });
  for (const [what, act] of [
    ['mail', mailOwnData],
    ['delete', eraseOwnData],
  ] as const)
    server.post<AtRouter>(`/w/:nas/my-data/${what}`, async (request, reply) => {
      const form = guestDataForm.safeParse(request.body ?? {});
      const frame = frameOf(request, reply, style, form.data?.lang ?? '');
      return sendAfterForm(request, reply, await act(services, frame, request.params.nas, clientOf(request)));
    });
}
