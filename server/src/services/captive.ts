import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import rateLimit from '@fastify/rate-limit';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { Renderer } from '@portico/contract/guests.ts';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { isUnavailable } from '#db/errors.ts';
import { offerLastLanguages } from '#features/guests/guest-language.ts';
import { sendPage } from '#features/guests/guest-replies.ts';
import { frameOf, type PageStyle, textOf } from '#features/guests/guest-request.ts';
import { unpackState } from '#features/guests/guest-state.ts';
import { pageLink, problemView } from '#features/guests/guest-views.ts';
import { guestRoutes } from '#features/guests/guests.captive.ts';
import { previewRoutes } from '#features/guests/preview/preview.captive.ts';
import { hotelHookRoutes } from '#features/integrations/public.ts';
import { licencePaymentRoutes } from '#features/licences/public.ts';
import { type Addressed, createPortalFinder } from '#features/moves/public.ts';
import { paymentRoutes } from '#features/packages/packages.captive.ts';
import { readPicture } from '#features/portals/public.ts';
import { menuRoutes } from '#features/qr-menu/menu.captive.ts';
import { AppError, notFound } from '#http/app-error.ts';
import { maxBytesBeforeSignIn } from '#http/body-limits.ts';
import { refuseTwoHosts } from '#http/one-host.ts';
import { usePlainIps } from '#http/plain-ip.ts';
import { refusal } from '#http/refusal.ts';
import { type RefuseMethod, refuseWrongMethods } from '#http/wrong-method.ts';
import type { App } from '#lib/app.ts';
import { readRange } from '#lib/byte-range.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { takesGzip } from '#lib/compressed-template.ts';
import { isId, newId } from '#lib/ids.ts';
import { observe } from '#lib/metrics.ts';
import { maxPartLength, readablePath } from './readable-path.ts';
import { healthRoutes, type Readiness } from './readiness.ts';

// All guests of a venue share one address.
const guestsPerPanelUser = 10;

/** The router or the tenant that an address names: pages of guests, and what payment providers and hotel systems call. */
function addressedTo(url: string): Addressed | undefined {
  const [, nas] = /^\/(?:w|captive)\/([a-z0-9]{8,16})(?=[/?]|$)/.exec(url) ?? [];
  if (nas) return { nas };
  const [, tenantId] = /^\/(?:pay(?:\/[a-z-]+)?|hotel\/hook)\/([0-9a-f-]{36})(?=[/?]|$)/.exec(url) ?? [];
  return tenantId && isId(tenantId) ? { tenantId } : undefined;
}

/** The guest portal on its own origin. `renderer` is the folder of the built pages. */
export async function createCaptive(
  app: App,
  options: { renderer: string; readiness?: Readiness },
): Promise<FastifyInstance> {
  const { settings, log } = app;
  const { style, scripts } = await loadPages(options.renderer);
  const server = Fastify({
    loggerInstance: log.child({ service: 'captive' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    requestIdHeader: false,
    trustProxy: settings.TRUST_PROXY.length ? [...settings.TRUST_PROXY] : false,
    bodyLimit: maxBytesBeforeSignIn,
    requestTimeout: 30_000,
    // A client that stops reading would keep its answer in memory.
    connectionTimeout: 60_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxPartLength },
    rewriteUrl: ({ url = '/' }) => readablePath(url),
  });
  usePlainIps(server);
  refuseTwoHosts(server);
  const refuseMethod = refuseWrongMethods(server);
  await server.register(rateLimit, {
    max: settings.RATE_LIMIT * guestsPerPanelUser,
    timeWindow: 60_000,
    keyGenerator: request => callerNetwork(request.ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many', { values: { seconds: Math.ceil(ttl / 1000) } }),
  });
  squeeze(server);
  acceptForms(server);
  secure(server, settings.CAPTIVE_URL.startsWith('https:'));
  observe(server, 'captive');
  answerErrors(server, app, style, refuseMethod);

  const portalElsewhere = createPortalFinder(app);
  // After the body is read: the page about an outage takes the guest's language and way back from it.
  server.addHook('preHandler', async (request, reply) => {
    // A process died under a form, which must not be sent twice. The proxy asks for a page that says so (deploy/nginx.conf).
    if (request.headers['portico-unanswered']) throw new AppError('away');
    const it = addressedTo(request.url);
    const to = it && (await portalElsewhere(it));
    // 307 keeps what a form sent.
    if (to) return reply.redirect(`${to}${request.url}`, 307);
  });
  guestRoutes(server, app, style);
  previewRoutes(server, app, style);
  menuRoutes(server, app, { renderer: style.renderer, script: style.menuScript });
  paymentRoutes(server, app);
  hotelHookRoutes(server, app);
  licencePaymentRoutes(server, app);
  serveScripts(server, scripts);
  serveAssets(server, path.join(options.renderer, 'client/assets'));
  serveUploads(server, app);
  server.get('/', (request, reply) =>
    sendPage(reply, style, problemView(frameOf(request, reply, style), { problem: 'not_from_router' })),
  );
  // Browsers request an icon; an empty answer is the shortest.
  server.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').code(204).send(),
  );
  healthRoutes(server, app, options.readiness ?? { process: 'running' });
  return server;
}

/** The renderer and the scripts of the pages, as built by Vite. */
async function loadPages(folder: string) {
  const file = path.join(folder, 'server/render.js');
  if (!existsSync(file)) throw new Error('The guest portal is not built: run npm run build');
  const renderer = (await import(pathToFileURL(file).href)) as Renderer;
  const scripts = new Map(
    ['guest.js', 'preview.js', 'menu.js'].map(name => [name, readFileSync(path.join(folder, 'client', name), 'utf8')]),
  );
  // The URL changes with the content, so browsers may cache it forever.
  const addressOf = (name: string) =>
    `/${name}?v=${createHash('sha256').update(scripts.get(name)!).digest('base64url').slice(0, 8)}`;
  const style: PageStyle & { previewScript: string; menuScript: string } = {
    renderer,
    script: addressOf('guest.js'),
    previewScript: addressOf('preview.js'),
    menuScript: addressOf('menu.js'),
  };
  return { style, scripts };
}

/** Compresses pages synchronously: they are small, so a stream would cost more than it saves. */
function squeeze(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < 1024) return payload;
    reply.header('vary', 'accept-encoding');
    if (!takesGzip(request.headers['accept-encoding'])) return payload;
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return gzipSync(payload, { level: 3, memLevel: 7 });
  });
}

/** Parses the forms of pages without script; of a repeated field the first value counts. */
function acceptForms(server: FastifyInstance): void {
  // A body that is a string would reach handlers that expect fields.
  server.removeContentTypeParser('text/plain');
  const type = 'application/x-www-form-urlencoded';
  server.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => {
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const [name, value] of new URLSearchParams(body as string)) fields[name] ??= value;
    done(null, fields);
  });
}

function secure(server: FastifyInstance, https: boolean): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.nonce = randomBytes(16).toString('base64');
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // The URLs of these pages contain MAC addresses of guests.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      'content-security-policy': [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "script-src 'self'",
        `style-src 'nonce-${reply.nonce}'`,
        "img-src 'self'",
        "media-src 'self'",
        "font-src 'self'",
      ].join('; '),
    });
    if (https) reply.header('strict-transport-security', 'max-age=31536000');
  });
}

const problemOf = (status: number): GuestProblem =>
  status === 404 || status === 403 || status === 405
    ? 'not_found'
    : status === 429
      ? 'too_many'
      : status === 503
        ? 'away'
        : status >= 500
          ? 'broken'
          : status === 413
            ? 'too_long'
            : 'page_expired';

/** Answers every error with a page for the guest; the script of the preview gets a status only. */
function answerErrors(server: FastifyInstance, { secrets }: App, style: PageStyle, refuseMethod: RefuseMethod): void {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status, retryAfter } = refusal(error, 'en');
    if (isUnavailable(error)) request.log.warn({ err: error }, 'the database is unavailable');
    else if (status >= 500 && status !== 503)
      request.log.error({ err: error, requestId: request.id }, 'request failed');
    if (retryAfter) reply.header('retry-after', String(retryAfter));
    reply.header('cache-control', 'no-store');
    const again = request.method === 'GET' && (status === 503 || status === 429 || status >= 500);
    const form = (request.body ?? {}) as Record<string, unknown>;
    offerLastLanguages(request);
    const chosen = textOf((request.query as Record<string, unknown> | null)?.['lang']) || textOf(form['lang']);
    const frame = frameOf(request, reply, style, chosen);
    // Loading the page of an unanswered form again would ask the guest to send it twice.
    const visit = again ? undefined : unpackState(secrets, 'sign-in', textOf(form['state']))?.visit;
    // A form that was too long is not read, so only the router can lead its guest to the sign-in page.
    const { nas } = (request.params ?? {}) as { nas?: string };
    const throughRouter = status === 413 && nas ? `/o/${encodeURIComponent(nas)}` : null;
    const view = problemView(frame, {
      problem: problemOf(status),
      values: {
        ...(retryAfter && { seconds: retryAfter }),
        ...(status === 413 && { kilobytes: request.routeOptions.bodyLimit / 1024 }),
      },
      retry: again ? request.url : null,
      form: visit ? pageLink(`/w/${visit.nas}`, visit, `step=form&lang=${frame.language}`) : throughRouter,
    });
    try {
      return sendPage(reply.code(status), style, view);
    } catch (fault) {
      // Rendering itself may have failed; the details are in the log only.
      request.log.error({ err: fault, requestId: request.id }, 'the error page could not be rendered');
      return reply.code(status).type('text/plain; charset=utf-8').send(`${status} ${request.id}`);
    }
  };
  server.setErrorHandler(answer);
  server.setNotFoundHandler((request, reply) => {
    if (refuseMethod(request, reply)) return reply;
    throw notFound();
  });
}

function serveScripts(server: FastifyInstance, scripts: ReadonlyMap<string, string>): void {
  for (const [name, text] of scripts) {
    server.get(`/${name}`, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('text/javascript; charset=utf-8')
        .send(text),
    );
  }
}

/** Serves the fonts and drawings of the pages. The panel shows the drawings too. */
function serveAssets(server: FastifyInstance, folder: string): void {
  const types: Record<string, string> = { '.woff2': 'font/woff2', '.svg': 'image/svg+xml' };
  for (const name of readdirSync(folder)) {
    const type = types[path.extname(name)];
    if (!type) continue;
    const content = readFileSync(path.join(folder, name));
    // Text, because a drawing is compressed on its way out.
    const body = type === 'font/woff2' ? content : content.toString();
    server.get(`/assets/${name}`, (_request, reply) =>
      reply
        .headers({
          'cache-control': 'public, max-age=2592000',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'cross-origin',
        })
        .type(type)
        .send(body),
    );
  }
}

/** Serves uploaded pictures, which the upload converted to WebP, and videos. The panel shows them too. */
function serveUploads(server: FastifyInstance, app: App): void {
  server.get<{ Params: { tenant: string; file: string } }>('/uploads/:tenant/:file', async (request, reply) => {
    const { tenant, file } = request.params;
    const [, kind] = /^[a-z]+-[0-9a-f-]{36}\.(webp|mp4|webm)$/.exec(file) ?? [];
    if (!isId(tenant) || !kind) throw notFound();
    const content = await readPicture(app, tenant, file);
    if (!content) throw notFound();
    reply.headers(uploadHeaders(file));
    if (request.headers['if-none-match'] === `"${file}"`) return reply.code(304).send();
    if (kind !== 'webp') return sendVideo(request, reply.type(`video/${kind}`), { file, content });
    return reply.type('image/webp').send(content);
  });
}

/** The content of a name never changes. */
const uploadHeaders = (file: string) => ({
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  etag: `"${file}"`,
});

/** Sends a video or the part that the browser asks for. Safari plays nothing from a server without ranges. */
function sendVideo(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { file, content }: { readonly file: string; readonly content: Buffer },
): FastifyReply {
  reply.header('accept-ranges', 'bytes');
  // A condition that fails asks for the whole (RFC 9110, section 13.1.5).
  const condition = headers['if-range'];
  const isCurrent = condition === undefined || condition === `"${file}"`;
  const part = isCurrent ? readRange(headers.range, content.length) : undefined;
  if (part === undefined) return reply.send(content);
  if (part === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${content.length}`).send();
  const { from, to } = part;
  return reply
    .code(206)
    .header('content-range', `bytes ${from}-${to}/${content.length}`)
    .send(content.subarray(from, to + 1));
}
