import { guestMakeRoom, guestSignIn } from '@portico/contract/guest-forms.ts';
import type { FastifyInstance } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import { parseArrival } from '../arrival/read-arrival.ts';
import { formProblem } from '../form-problem.service.ts';
import { keepLanguage } from '../guest-language.ts';
import type { AtRouter, GuestReplies } from '../guest-replies.ts';
import { clientOf, frameOf, textOf } from '../guest-request.ts';
import { logOutAgain } from '../online/log-out.service.ts';
import { awayAgain, leaveForSocial, returnFromSocial } from '../social/social.service.ts';
import { surveyAgain } from '../surveys/portal-rules.service.ts';
import { agreement } from './agreement.service.ts';
import { connect } from './connect.service.ts';
import { choiceAgain, makeRoom } from './device-limit.service.ts';
import { keepTyped } from './keep-typed.service.ts';
import { signIn } from './sign-in.service.ts';

/** The forms of the sign-in page, and the pages that they lead to. */
export function signInRoutes(server: FastifyInstance, replies: GuestReplies): void {
  const { services, style, send, sendAfterForm, sendAfterSignIn, expired } = replies;
  server.post<AtRouter>('/w/:nas/sign-in', async (request, reply) => {
    const { nas } = request.params;
    const body = (request.body ?? {}) as Record<string, unknown>;
    const chosen = textOf(body['lang']);
    const frame = frameOf(request, reply, style, chosen);
    if (unstorable(body) !== undefined) return sendAfterForm(request, reply, expired(frame));
    if (body['go'] !== undefined)
      return sendAfterForm(request, reply, await keepTyped(services, frame, nas, body, clientOf(request)));
    const form = guestSignIn.safeParse(body);
    if (!form.success) return sendAfterForm(request, reply, expired(frame));
    return sendAfterSignIn(request, reply, await signIn(services, frame, nas, form.data, clientOf(request)));
  });

  server.post<AtRouter>('/w/:nas/social', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    const { nas } = request.params;
    if (unstorable(body) !== undefined) return sendAfterForm(request, reply, expired(frame));
    if (body['go'] !== undefined)
      return sendAfterForm(request, reply, await keepTyped(services, frame, nas, body, clientOf(request)));
    const { answer, cookie } = await leaveForSocial(services, frame, nas, request);
    if (cookie) reply.header('set-cookie', cookie);
    return sendAfterForm(request, reply, answer);
  });

  // The pages that a form has led to.
  for (const [path, page] of [
    ['social', awayAgain],
    ['survey', surveyAgain],
    ['devices', choiceAgain],
    ['log-out', logOutAgain],
  ] as const)
    server.get<AtRouter>(`/w/:nas/${path}`, async (request, reply) => {
      const { lang } = request.query as { lang?: unknown };
      const chosen = textOf(lang);
      keepLanguage(request, reply, chosen);
      const frame = frameOf(request, reply, style, chosen);
      const arrival = parseArrival(request.query);
      return send(reply, await page(services, frame, request.params.nas, clientOf(request), arrival));
    });
  server.get<AtRouter>('/w/:nas/problem', async (request, reply) => {
    const { lang, is } = request.query as Record<string, unknown>;
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    return send(reply, await formProblem(services, frame, request.params.nas, textOf(is), clientOf(request)));
  });

  server.get<AtRouter>('/w/:nas/connect', async (request, reply) => {
    const { lang, n, form, to } = request.query as Record<string, unknown>;
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    const turn = /^\d{1,4}$/.test(textOf(n)) ? Number(n) : 1;
    const asked = { turn, toForm: form === '1', lead: textOf(to) };
    return send(reply, await connect(services, frame, request.params.nas, asked, clientOf(request)));
  });

  server.get('/sign-in/callback', async (request, reply) => {
    const frame = frameOf(request, reply, style);
    const { answer, cookie } = await returnFromSocial(services, frame, request, clientOf(request));
    if (cookie) reply.header('set-cookie', cookie);
    return send(reply, answer);
  });

  server.post<AtRouter>('/w/:nas/make-room', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    const form = guestMakeRoom.safeParse(body);
    if (!form.success) return sendAfterForm(request, reply, expired(frame));
    const answer = await makeRoom(services, frame, request.params.nas, form.data, clientOf(request));
    return sendAfterSignIn(request, reply, answer);
  });

  server.get<AtRouter>('/w/:nas/agreement/:kind(^kvkk|general$)', async (request, reply) => {
    const arrival = parseArrival(request.query);
    keepLanguage(request, reply, arrival.lang);
    const { nas, kind } = request.params;
    return send(
      reply,
      await agreement(services, frameOf(request, reply, style, arrival.lang), nas, kind!, arrival, request.query),
    );
  });
}
