import type { GuestView } from '@portico/contract/guests.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRealView } from '#lib/prefetch.ts';
import type { ClientInfo } from './client-info.ts';
import type { Cookie } from './cookie.ts';
import { type GuestAnswer, withCookies } from './guest-answer.ts';
import { clientOf, frameOf, type PageStyle } from './guest-request.ts';
import type { GuestServices } from './guest-services.ts';
import { type Frame, problemView } from './guest-views.ts';
import { dropKeptPage, keptPageCookie, keptPageText } from './kept-page.ts';
import { createViewCounter, type Viewer } from './surveys/advertisements.ts';
import { createTemplateCache } from './template-cache.ts';

export interface AtRouter {
  Params: { nas: string; kind?: 'kvkk' | 'general' };
}

const policyHeader = 'content-security-policy';

/** Adds a form target to the Content-Security-Policy. */
function allowFormTarget(reply: FastifyReply, target: string | undefined): void {
  const policy = String(reply.getHeader(policyHeader));
  if (target) reply.header(policyHeader, policy.replace("form-action 'self'", `form-action 'self' ${target}`));
}

/** Renders a page. `formTarget`: where its forms may lead besides this origin. */
export function sendPage(reply: FastifyReply, style: PageStyle, view: GuestView, formTarget?: string): FastifyReply {
  allowFormTarget(reply, formTarget);
  const policy = String(reply.getHeader(policyHeader));
  const watch = view.page === 'online' && view.watch ? "; connect-src 'self'" : '';
  const frame = view.page === 'online' && view.ad?.frame ? "; frame-src 'self'" : '';
  if (watch || frame) reply.header(policyHeader, policy + watch + frame);
  if (view.page === 'hand-over' && formTarget) reply.header(policyHeader, `${policy}; frame-src ${formTarget}`);
  return reply.type('text/html; charset=utf-8').send(style.renderer.render(view));
}

function setCookie(reply: FastifyReply, { name, value, seconds, path = '/' }: Cookie): void {
  const secure = reply.request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${name}=${value}; Path=${path}; Max-Age=${seconds}; SameSite=Lax; HttpOnly${secure}`);
}

/** The page in another language, for a browser that may refuse cookies: its links keep the page in the address. */
function withKept<V extends GuestView>(view: V, { kept }: ClientInfo): V {
  if (!view.languageLink || !/^[\w-]{1,6000}$/.test(kept)) return view;
  return { ...view, languageLink: `${view.languageLink}&kept=${kept}` };
}

export type GuestReplies = ReturnType<typeof createReplies>;

const viewerOf = (request: FastifyRequest): Viewer => ({ address: request.ip, isReal: isRealView(request) });

/** How the routes of guests answer. */
export function createReplies(services: GuestServices, style: PageStyle) {
  const { app } = services;
  const sendTemplate = createTemplateCache(style.renderer);
  const countView = createViewCounter(app);

  const send = async (reply: FastifyReply, answer: GuestAnswer) => {
    for (const cookie of answer.cookies ?? []) setCookie(reply, cookie);
    if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
    if (answer.shownAd) await countView(answer.shownAd, viewerOf(reply.request));
    if ('template' in answer) {
      allowFormTarget(reply.code(answer.status), answer.formTarget);
      return sendTemplate(reply, answer.template);
    }
    if (answer.retryAfter) reply.header('retry-after', String(answer.retryAfter));
    const view = withKept(answer.view, clientOf(reply.request));
    return sendPage(reply.code(answer.status), style, view, answer.formTarget);
  };

  /** Answers a form: by a redirect to the page, so that the browser can load it again. */
  const sendAfterForm = async (request: FastifyRequest<AtRouter>, reply: FastifyReply, answer: GuestAnswer) => {
    const { nas } = request.params;
    if ('redirect' in answer) return send(reply, answer);
    const frame = frameOf(request, reply, style);
    const { language } = 'view' in answer ? answer.view : frame;
    const path =
      answer.address?.path ??
      ('view' in answer && answer.view.page === 'problem' ? `/w/${nas}/problem?is=${answer.view.problem}&` : undefined);
    if (path === undefined) return send(reply, answer);
    const { kept } = answer.address ?? {};
    const cookies = [...(answer.cookies ?? []), ...(kept ? [keptPageCookie(app, nas, kept)] : [])];
    const text = kept && !frame.takesCookies ? keptPageText(app, nas, kept, frame.client) : undefined;
    const more = text ? `&kept=${text}` : '';
    return send(reply, { redirect: `${path}${/[?&]$/.test(path) ? '' : '&'}lang=${language}${more}`, cookies });
  };
  /** Like sendAfterForm, but a guest who is let in needs no kept page any more. */
  const sendAfterSignIn = (request: FastifyRequest<AtRouter>, reply: FastifyReply, answer: GuestAnswer) =>
    sendAfterForm(
      request,
      reply,
      'redirect' in answer ? withCookies(answer, ...dropKeptPage(request.params.nas, clientOf(request))) : answer,
    );
  const expired = (frame: Frame): GuestAnswer => ({
    view: problemView(frame, { problem: 'page_expired' }),
    status: 400,
  });
  return { services, style, send, sendAfterForm, sendAfterSignIn, expired };
}
