import { isIP } from 'node:net';
import {
  guestConfirmForm,
  guestDataForm,
  guestExtendForm,
  guestMailForm,
  guestMakeRoom,
  guestMarketingForm,
  guestSignIn,
  guestSurveyForm,
} from '@portico/contract/guest-forms.ts';
import { embedSandbox, type GuestView } from '@portico/contract/guests.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gatewayRoutes } from '#features/gateways/public.ts';
import { unstorable } from '#http/unstorable.ts';
import type { App } from '#lib/app.ts';
import { isPrefetch } from '#lib/prefetch.ts';
import { drivers } from '#routers/drivers.ts';
import { plainHttpPage } from './arrival/addresses.ts';
import { arrive } from './arrival/arrival.service.ts';
import { captiveApi } from './arrival/captive-api.service.ts';
import { arriveWithPass, dropPass, passOf, showPass } from './arrival/pass.service.ts';
import { parseArrival, readArrival, textQuery } from './arrival/read-arrival.ts';
import { nasAtHost, readSharedEntry } from './arrival/shared-entry.service.ts';
import { buyRoutes } from './buy/buy.captive.ts';
import { confirmEmailPage, mailAgain } from './confirm-email/confirm-email.service.ts';
import type { Cookie } from './cookie.ts';
import { extend } from './extend/extend.service.ts';
import { switchGuest } from './extend/switch.service.ts';
import { formProblem } from './form-problem.service.ts';
import { type GuestAnswer, statusOf, withCookies } from './guest-answer.ts';
import { guestLanguage, keepLanguage, offerLanguages } from './guest-language.ts';
import { clientOf, frameOf, type PageStyle, textOf } from './guest-request.ts';
import { createGuestServices } from './guest-services.ts';
import { readPlace } from './guest-state.ts';
import { type Frame, problemView } from './guest-views.ts';
import { dropKeptPage, keptPageCookie, keptPageOf } from './kept-page.ts';
import { logOut, logOutAgain } from './online/log-out.service.ts';
import { online } from './online/online.service.ts';
import { visitOfBrowser } from './online/visit-cookie.ts';
import {
  changeMarketing,
  dataGone,
  eraseOwnData,
  mailOwnData,
  openMailedLink,
  ownData,
} from './own-data/own-data.service.ts';
import { agreement } from './sign-in/agreement.service.ts';
import { choiceAgain, makeRoom } from './sign-in/device-limit.service.ts';
import { keepTyped } from './sign-in/keep-typed.service.ts';
import { signIn } from './sign-in/sign-in.service.ts';
import { awayAgain, leaveForSocial, returnFromSocial } from './social/social.service.ts';
import { createViewCounter, embedDocument, openAd } from './surveys/advertisements.ts';
import { surveyAgain } from './surveys/portal-rules.service.ts';
import { surveyOfBlock } from './surveys/survey-blocks.service.ts';
import { answerSurvey } from './surveys/surveys.service.ts';
import { createTemplateCache } from './template-cache.ts';

interface AtRouter {
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
  if (view.page === 'online' && view.ad?.frame) reply.header(policyHeader, `${policy}; frame-src 'self'`);
  if (view.page === 'hand-over' && formTarget) reply.header(policyHeader, `${policy}; frame-src ${formTarget}`);
  return reply.type('text/html; charset=utf-8').send(style.renderer.render(view));
}

function setCookie(reply: FastifyReply, { name, value, seconds, path = '/' }: Cookie): void {
  const secure = reply.request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${name}=${value}; Path=${path}; Max-Age=${seconds}; SameSite=Lax; HttpOnly${secure}`);
}

/** The address of the guest as the page says it, and its portal. Neither is proven; they decide only about the languages that are offered. */
function placeOf(app: App, nas: string, request: FastifyRequest): { ip: string; portal?: string | undefined } {
  const [query, body] = [request.query, request.body] as ({ ip?: unknown; state?: unknown } | undefined)[];
  const { ip: stated, portal = keptPageOf(app, nas, clientOf(request))?.portal } = readPlace(body?.state);
  const said = typeof query?.ip === 'string' ? query.ip : stated;
  const ip = said ?? visitOfBrowser(app, nas, clientOf(request))?.visit.ip ?? '';
  return { ip: isIP(ip) ? ip : '', portal };
}

/** The pages between a router and the internet. */
export function guestRoutes(server: FastifyInstance, app: App, style: PageStyle): void {
  const services = createGuestServices(app);
  server.addHook('onClose', services.agents.close);
  const sendTemplate = createTemplateCache(style.renderer);
  const countView = createViewCounter(app);
  server.addHook('preHandler', async request => {
    const { nas } = (request.params ?? {}) as Partial<AtRouter['Params']>;
    const { ip, portal } = nas ? placeOf(app, nas, request) : { ip: '' };
    const languages = nas ? await services.findLanguages(nas, ip, portal) : undefined;
    if (languages) offerLanguages(request, languages);
  });

  const send = async (reply: FastifyReply, answer: GuestAnswer) => {
    for (const cookie of answer.cookies ?? []) setCookie(reply, cookie);
    if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
    if (answer.shownAd) await countView(answer.shownAd);
    if ('template' in answer) {
      allowFormTarget(reply.code(answer.status), answer.formTarget);
      return sendTemplate(reply, answer.template);
    }
    if (answer.retryAfter) reply.header('retry-after', String(answer.retryAfter));
    return sendPage(reply.code(answer.status), style, answer.view, answer.formTarget);
  };

  /** Answers a form: by a redirect to the page, so that the browser can load it again. */
  const sendAfterForm = async (request: FastifyRequest<AtRouter>, reply: FastifyReply, answer: GuestAnswer) => {
    const { nas } = request.params;
    if ('redirect' in answer) return send(reply, answer);
    const { language } = 'view' in answer ? answer.view : frameOf(request, reply, style);
    const path =
      answer.address?.path ??
      ('view' in answer && answer.view.page === 'problem' ? `/w/${nas}/problem?is=${answer.view.problem}&` : undefined);
    if (path === undefined) return send(reply, answer);
    const { kept } = answer.address ?? {};
    const cookies = [...(answer.cookies ?? []), ...(kept ? [keptPageCookie(app, nas, kept)] : [])];
    return send(reply, { redirect: `${path}${/[?&]$/.test(path) ? '' : '&'}lang=${language}`, cookies });
  };
  /** As sendAfterForm; a guest who is let in needs no kept page any more. */
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

  buyRoutes(server, services, style, send);

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
      return send(reply, await page(services, frame, request.params.nas, clientOf(request)));
    });
  server.get<{ Params: { nas: string; survey: string } }>('/w/:nas/survey/:survey', async (request, reply) => {
    const { lang } = request.query as { lang?: unknown };
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    return send(reply, await surveyOfBlock(services, frame, request.params, clientOf(request)));
  });
  server.get<AtRouter>('/w/:nas/problem', async (request, reply) => {
    const { lang, is } = request.query as Record<string, unknown>;
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    return send(reply, await formProblem(services, frame, request.params.nas, textOf(is), clientOf(request)));
  });

  server.get('/sign-in/callback', async (request, reply) => {
    const frame = frameOf(request, reply, style);
    const { answer, cookie } = await returnFromSocial(services, frame, request, clientOf(request));
    if (cookie) reply.header('set-cookie', cookie);
    return send(reply, answer);
  });

  server.get<AtRouter>('/w/:nas/online', async (request, reply) => {
    const { lang, new: isNew, n, g, mail, code, s } = request.query as Record<string, unknown>;
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const frame = frameOf(request, reply, style, chosen);
    const at = {
      isNew: isNew === '1',
      tries: /^\d$/.test(String(n)) ? Number(n) : 0,
      grant: textOf(g),
      mail: textOf(mail),
      code: textOf(code),
      seconds: /^\d{1,5}$/.test(String(s)) ? Number(s) : 0,
    };
    return send(reply, await online(services, frame, request.params.nas, at, clientOf(request)));
  });

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

  // As for the log-out, the cookie keeps forms of other sites out.
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

  server.get<AtRouter>('/w/:nas/confirm-email', async (request, reply) => {
    const { t, lang } = request.query as Record<string, unknown>;
    const chosen = textOf(lang);
    keepLanguage(request, reply, chosen);
    const asked = { token: textOf(t), confirms: false };
    return send(
      reply,
      await confirmEmailPage(services, frameOf(request, reply, style, chosen), request.params.nas, asked),
    );
  });
  server.post<AtRouter>('/w/:nas/confirm-email', async (request, reply) => {
    const { t: token, lang } = guestConfirmForm.parse(request.body ?? {});
    const frame = frameOf(request, reply, style, lang);
    const answer = await confirmEmailPage(services, frame, request.params.nas, { token, confirms: true });
    return sendAfterForm(request, reply, answer);
  });

  // The cookie is not sent with a form of another site, so no other site can log a guest out.
  server.post<AtRouter>('/w/:nas/log-out', async (request, reply) => {
    const { lang } = (request.body ?? {}) as { lang?: unknown };
    const frame = frameOf(request, reply, style, textOf(lang));
    return sendAfterForm(request, reply, await logOut(services, frame, request.params.nas, clientOf(request)));
  });

  server.post<AtRouter>('/w/:nas/survey', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    const form = guestSurveyForm.safeParse(body);
    if (!form.success || unstorable(form.data) !== undefined) return sendAfterForm(request, reply, expired(frame));
    const answer = await answerSurvey(services, frame, request.params.nas, form.data, request.ip);
    return sendAfterForm(request, reply, answer);
  });

  server.post<AtRouter>('/w/:nas/make-room', async (request, reply) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const frame = frameOf(request, reply, style, textOf(body['lang']));
    const form = guestMakeRoom.safeParse(body);
    if (!form.success) return sendAfterForm(request, reply, expired(frame));
    const answer = await makeRoom(services, frame, request.params.nas, form.data, clientOf(request));
    return sendAfterSignIn(request, reply, answer);
  });

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
  server.get<AtRouter>('/w/:nas/my-data/gone', async (request, reply) => {
    const { lang } = request.query as { lang?: unknown };
    const frame = frameOf(request, reply, style, textOf(lang));
    return send(reply, await dataGone(services, frame, request.params.nas));
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
    const isReal = request.method === 'GET' && !isPrefetch(request.headers);
    const to = await openAd(services, request.params.nas, request.params.ad, { ...clientOf(request), isReal });
    return reply
      .headers({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
      .redirect(URL.parse(to)?.href ?? to, 303);
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
