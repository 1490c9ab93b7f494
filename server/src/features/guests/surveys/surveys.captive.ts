import { guestSurveyForm } from '@portico/contract/guest-forms.ts';
import { embedSandbox } from '@portico/contract/guests.ts';
import type { FastifyInstance } from 'fastify';
import { maxBytesOfSurvey } from '#http/body-limits.ts';
import { unstorable } from '#http/unstorable.ts';
import { isRealView } from '#lib/prefetch.ts';
import { guestLanguage, keepLanguage } from '../guest-language.ts';
import type { AtRouter, GuestReplies } from '../guest-replies.ts';
import { clientOf, frameOf, textOf } from '../guest-request.ts';
import { embedDocument, openAd } from './advertisements.ts';
import { surveyOfBlock } from './survey-blocks.service.ts';
import { answerSurvey } from './surveys.service.ts';

/** Surveys, and what advertisements show and lead to. */
export function surveyRoutes(server: FastifyInstance, replies: GuestReplies): void {
  const { services, style, send, sendAfterForm, expired } = replies;
  server.get<{ Params: { nas: string; survey: string } }>('/w/:nas/survey/:survey', async (request, reply) => {
    const { lang } = request.query as { lang?: unknown };
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    return send(reply, await surveyOfBlock(services, frame, request.params, clientOf(request)));
  });
  server.post<AtRouter>('/w/:nas/survey', { bodyLimit: maxBytesOfSurvey }, async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    const form = guestSurveyForm.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) return sendAfterForm(request, reply, expired(frame));
    const answer = await answerSurvey(services, frame, request.params.nas, form.data, request.ip);
    return sendAfterForm(request, reply, answer);
  });

  // An embed code has a document of its own. No script runs in it; only the frames in it load other sites.
  server.get<AtRouter & { Params: { ad: string } }>('/w/:nas/ad/:ad', async (request, reply) => {
    const html = await embedDocument(services, request.params.nas, request.params.ad);
    return reply
      .headers({
        'x-frame-options': 'SAMEORIGIN',
        'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; frame-src https:; style-src 'nonce-${reply.nonce}'; sandbox ${embedSandbox}`,
        // Players want the origin of the page; the full address contains the guest's MAC.
        'referrer-policy': 'strict-origin',
      })
      .type('text/html; charset=utf-8')
      .send(html(reply.nonce ?? '', guestLanguage(request)));
  });

  // Leads only to the stored address of an advertisement of this router's portals.
  server.get<AtRouter & { Params: { ad: string } }>('/w/:nas/ad/:ad/open', async (request, reply) => {
    const isReal = isRealView(request);
    const to = await openAd(services, request.params.nas, request.params.ad, { ...clientOf(request), isReal });
    return reply
      .headers({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
      .redirect(URL.parse(to)?.href ?? to, 303);
  });
}
