import {
  guestArrival,
  guestDataForm,
  guestMakeRoom,
  guestSignIn,
  guestSurveyForm,
} from '@portico/contract/guest-forms.ts';
import { embedSandbox, type GuestView, type Renderer } from '@portico/contract/guests.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unstorable } from '#http/unstorable.ts';
import type { App } from '#lib/app.ts';
import { captiveApi } from './arrival/captive-api.service.ts';
import { type GuestAnswer, type Guests, type Remembering, statusOf } from './arrival/check-arrival.ts';
import { arriveWithPass, dropPass, passOf, showPass } from './arrival/pass.service.ts';
import { fromFirebox, newRequest } from './arrival/shared-entry.service.ts';
import { createDoorFinder } from './guest-context.ts';
import { guestLanguage, keepLanguage } from './guest-language.ts';
import { type Frame, problemView } from './guest-views.ts';
import { agreement, arrive, logOut, online } from './online/online.service.ts';
import { eraseOwnData, mailOwnData, ownData } from './own-data/own-data.service.ts';
import { makeRoom } from './sign-in/device-limit.service.ts';
import { arriveWithoutScript } from './sign-in/router-form.ts';
import { signIn } from './sign-in/sign-in.service.ts';
import { leaveForSocial, returnFromSocial } from './social/social.service.ts';
import { createViewCounter, embedDocument } from './surveys/advertisements.ts';
import { answerSurvey } from './surveys/surveys.service.ts';
import { createPresses } from './template-cache.ts';

/** What the guest's pages are made with, and where their script lies. */
export interface Look {
  readonly renderer: Renderer;
  readonly script: string;
}

interface AtRouter {
  Params: { nas: string; kind?: 'kvkk' | 'general' };
}

/** What of a page depends on the request. `chosen`: the language just asked for. */
export function frameOf(request: FastifyRequest, reply: FastifyReply, look: Look, chosen?: string): Frame {
  return {
    language: guestLanguage(request, chosen),
    nonce: reply.nonce ?? '',
    script: look.script,
    requestId: request.id,
  };
}

function allowForm(reply: FastifyReply, to: string | undefined): void {
  const policy = String(reply.getHeader('content-security-policy'));
  if (to) reply.header('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${to}`));
}

/** Draws a page; `to` is where its form may lead besides this origin. */
export function sendPage(reply: FastifyReply, look: Look, view: GuestView, to?: string): FastifyReply {
  const framing = view.page === 'online' && view.ad?.frame;
  allowForm(reply, to);
  const policy = String(reply.getHeader('content-security-policy'));
  if (framing) reply.header('content-security-policy', `${policy}; frame-src 'self'`);
  if (view.page === 'hand-over' && to) reply.header('content-security-policy', `${policy}; frame-src ${to}`);
  return reply.type('text/html; charset=utf-8').send(look.renderer.render(view));
}

function keepCookie(reply: FastifyReply, { name, value, seconds }: Remembering): void {
  const secure = reply.request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax; HttpOnly${secure}`);
}

/** The pages between a router and the internet. */
export function guestRoutes(server: FastifyInstance, app: App, look: Look): void {
  const guests: Guests = { app, findDoor: createDoorFinder(app) };
  const pressed = createPresses(look.renderer);
  const countView = createViewCounter(app);

  const send = async (reply: FastifyReply, answer: GuestAnswer) => {
    if ('redirect' in answer) {
      if (answer.remembering) keepCookie(reply, answer.remembering);
      return reply.redirect(answer.redirect, 303);
    }
    if (answer.remembering) keepCookie(reply, answer.remembering);
    if (answer.showing) await countView(answer.showing);
    if ('template' in answer) {
      allowForm(reply.code(answer.status), answer.formTarget);
      return pressed(reply, answer.template);
    }
    if (answer.retryAfter) reply.header('retry-after', String(answer.retryAfter));
    return sendPage(reply.code(answer.status), look, answer.view, answer.formTarget);
  };
  /** Characters that cannot be stored are a request that no router makes. */
  const arrivalOf = (request: FastifyRequest) => {
    const read = guestArrival.parse(request.query);
    return unstorable(read) === undefined ? read : guestArrival.parse({});
  };

  const fromOf = (request: FastifyRequest) => ({
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    cookies: request.headers.cookie ?? '',
    referrer: request.headers.referer ?? '',
  });

  server.get<AtRouter>('/w/:nas', async (request, reply) => {
    const { nas } = request.params;
    const arrival = await arriveWithoutScript(guests, nas, arrivalOf(request), fromOf(request));
    keepLanguage(request, reply, arrival.lang);
    const frame = frameOf(request, reply, look, arrival.lang);
    const text = passOf(request);
    // One try: had the router refused it a moment ago, sending it back again would never end.
    const passed =
      text && !arrival.error && !arrival.step
        ? await arriveWithPass(guests, frame, arrival, { nas, text, from: fromOf(request) })
        : null;
    if (passed && 'redirect' in passed) reply.header('set-cookie', dropPass(request));
    return send(reply, passed ?? (await arrive(guests, frame, nas, arrival, fromOf(request))));
  });

  server.get('/wg', async (request, reply) => {
    const { nas, arrival, failed } = await fromFirebox(app, request.query as Record<string, unknown>, request.hostname);
    keepLanguage(request, reply, arrival.lang);
    const frame = frameOf(request, reply, look, arrival.lang);
    if (nas && !failed) return send(reply, await arrive(guests, frame, nas, arrival, fromOf(request)));
    const problem = failed ? 'ticket_over' : 'unknown_device';
    const view = problemView(frame, { problem, retry: failed ? newRequest : null });
    return send(reply, { view, status: statusOf(problem) });
  });

  server.get<{ Params: { code: string } }>('/q/:code', async (request, reply) => {
    const { lang } = request.query as { lang?: unknown };
    const chosen = typeof lang === 'string' ? lang : '';
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, look, chosen);
    const { answer, cookie } = await showPass(guests, frame, request.params.code, request);
    if (cookie) reply.header('set-cookie', cookie);
    return send(reply, answer);
  });

  server.post<AtRouter>('/w/:nas/sign-in', async (request, reply) => {
    const { nas } = request.params;
    const body = (request.body ?? {}) as Record<string, unknown>;
    const chosen = typeof body['lang'] === 'string' ? body['lang'] : '';
    const frame = frameOf(request, reply, look, chosen);
    const form = guestSignIn.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) {
      return send(reply, { view: problemView(frame, { problem: 'page_expired' }), status: 400 });
    }
    return send(reply, await signIn(guests, frame, nas, form.data, fromOf(request)));
  });

  server.post<AtRouter>('/w/:nas/social', async (request, reply) => {
    const { lang } = (request.body ?? {}) as { lang?: unknown };
    const frame = frameOf(request, reply, look, typeof lang === 'string' ? lang : '');
    const { answer, cookie } = await leaveForSocial(guests, frame, request.params.nas, request);
    if (cookie) reply.header('set-cookie', cookie);
    return send(reply, answer);
  });

  server.get('/sign-in/callback', async (request, reply) => {
    const frame = frameOf(request, reply, look);
    const { answer, cookie } = await returnFromSocial(guests, frame, request, fromOf(request));
    if (cookie) reply.header('set-cookie', cookie);
    return send(reply, answer);
  });

  server.get<AtRouter>('/w/:nas/online', async (request, reply) => {
    const { s, lang, new: isNew, n } = request.query as Record<string, unknown>;
    const chosen = typeof lang === 'string' ? lang : '';
    keepLanguage(request, reply, chosen);
    const at = {
      packed: typeof s === 'string' ? s : '',
      isNew: isNew === '1',
      tries: /^\d$/.test(String(n)) ? Number(n) : 0,
    };
    return send(reply, await online(guests, frameOf(request, reply, look, chosen), request.params.nas, at));
  });

  server.get<AtRouter>('/w/:nas/log-out', async (request, reply) => {
    const { s } = request.query as { s?: unknown };
    const packed = typeof s === 'string' ? s : '';
    return send(reply, await logOut(guests, frameOf(request, reply, look), request.params.nas, packed));
  });

  server.post<AtRouter>('/w/:nas/survey', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, look, typeof body['lang'] === 'string' ? body['lang'] : '');
    const form = guestSurveyForm.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) {
      return send(reply, { view: problemView(frame, { problem: 'page_expired' }), status: 400 });
    }
    return send(reply, await answerSurvey(guests, frame, request.params.nas, form.data, request.ip));
  });

  server.post<AtRouter>('/w/:nas/make-room', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, look, typeof body['lang'] === 'string' ? body['lang'] : '');
    const form = guestMakeRoom.safeParse(body);
    if (!form.success) return send(reply, { view: problemView(frame, { problem: 'page_expired' }), status: 400 });
    return send(reply, await makeRoom(guests, frame, request.params.nas, form.data, fromOf(request)));
  });

  server.get<AtRouter>('/w/:nas/my-data', async (request, reply) => {
    const { s, lang } = request.query as { s?: unknown; lang?: unknown };
    const frame = frameOf(request, reply, look, typeof lang === 'string' ? lang : '');
    return send(reply, await ownData(guests, frame, request.params.nas, typeof s === 'string' ? s : ''));
  });
  server.get<AtRouter>('/w/:nas/my-data/gone', async (request, reply) => {
    const { lang } = request.query as { lang?: unknown };
    const frame = frameOf(request, reply, look, typeof lang === 'string' ? lang : '');
    return send(reply, { view: problemView(frame, { problem: 'data_gone' }), status: 200 });
  });
  for (const [what, act] of [
    ['mail', mailOwnData],
    ['delete', eraseOwnData],
  ] as const)
    server.post<AtRouter>(`/w/:nas/my-data/${what}`, async (request, reply) => {
      const form = guestDataForm.safeParse(request.body ?? {});
      const frame = frameOf(request, reply, look, form.data?.lang ?? '');
      return send(reply, await act(guests, frame, request.params.nas, form.data?.state ?? ''));
    });

  server.get<AtRouter>('/captive/:nas', async (request, reply) => {
    const { mac = '', ip = '' } = request.query as Record<string, unknown>;
    const asked = { mac: String(mac).slice(0, 64), ip: String(ip).slice(0, 64) };
    const client = unstorable(asked) === undefined ? asked : { mac: '', ip: '' };
    const answer = await captiveApi(guests, request.params.nas, client, fromOf(request));
    // RFC 8908, sections 4 and 5: the type, and what no cache may give to another.
    return reply
      .headers({ 'content-type': 'application/captive+json', 'cache-control': 'private, no-store' })
      .send(Buffer.from(JSON.stringify(answer)));
  });

  // An embed code has a document of its own, in which no script of ours or its own can run: only what it frames is another's.
  server.get<AtRouter & { Params: { ad: string } }>('/w/:nas/ad/:ad', async (request, reply) => {
    const html = await embedDocument(guests, request.params.nas, request.params.ad);
    return reply
      .headers({
        'x-frame-options': 'SAMEORIGIN',
        'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; frame-src https:; style-src 'nonce-${reply.nonce}'; sandbox ${embedSandbox}`,
        // Players ask which site shows them; the address names the guest's device.
        'referrer-policy': 'strict-origin',
      })
      .type('text/html; charset=utf-8')
      .send(html(reply.nonce ?? '', guestLanguage(request)));
  });

  server.get<AtRouter>('/w/:nas/agreement/:kind(^kvkk|general$)', async (request, reply) => {
    const arrival = arrivalOf(request);
    keepLanguage(request, reply, arrival.lang);
    const { nas, kind } = request.params;
    return send(reply, await agreement(guests, frameOf(request, reply, look, arrival.lang), nas, kind!, arrival));
  });
}
