import { isUtf8 } from 'node:buffer';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import { api } from '@portico/contract/api.ts';
import type { Language } from '@portico/contract/errors.ts';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { isUnavailable } from '#db/errors.ts';
import { keepsRights } from '#features/audit/public.ts';
import { authenticate } from '#features/auth/public.ts';
import { reachesLocation } from '#features/locations/public.ts';
import { refuseLeaving } from '#features/moves/public.ts';
import { createTenantFinder } from '#features/tenants/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Context, Tenant } from '#http/call.ts';
import { docsPage, docsScript, docsStyle } from '#http/docs-page.ts';
import { callers, mount, refusalOf } from '#http/mount.ts';
import { refuseTwoHosts } from '#http/one-host.ts';
import { openapi } from '#http/openapi.ts';
import { usePlainIps } from '#http/plain-ip.ts';
import { sendRefusalPage, wantsPage } from '#http/refusal-page.ts';
import { rightsOf } from '#http/rights.ts';
import { withSamples } from '#http/samples.ts';
import { type RefuseMethod, refuseWrongMethods } from '#http/wrong-method.ts';
import { ApartFailed } from '#lib/apart.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { isId } from '#lib/ids.ts';
import { observe } from '#lib/metrics.ts';
import { captiveOrigin, originSeenAt } from '#lib/origins.ts';
import { routes } from './api-routes.ts';
import { serveManual } from './manual.ts';
import { healthRoutes, type Readiness } from './readiness.ts';

const languages = createCache<string, Language>({ maxEntries: 1000 });
/** The caller's preferred language of Turkish and English; English if it accepts neither. */
export function languageOf({ headers }: FastifyRequest): Language {
  const accepted = headers['accept-language'] ?? '';
  const known = languages.get(accepted);
  if (known) return known;
  const language = preferredLanguage(accepted);
  if (accepted.length < 200) languages.set(accepted, language);
  return language;
}

function preferredLanguage(header: string): Language {
  const ranked = header
    .split(',')
    .map(part => {
      const [tag = '', q] = part.trim().split(/;\s*q=/);
      return { tag: tag.slice(0, 2).toLowerCase(), q: q === undefined ? 1 : Number(q) || 0 };
    })
    .filter(({ tag, q }) => q > 0 && (tag === 'tr' || tag === 'en'))
    .sort((a, b) => b.q - a.q);
  return (ranked[0]?.tag as Language | undefined) ?? 'en';
}

/**
 * Headers of a reply that describe its body. A file may fail when its name and compression are known, and before its first byte
 * is sent. The refusal is sent in its place.
 */
const ofBody = ['content-type', 'content-length', 'content-encoding', 'content-disposition', 'etag', 'last-modified'];

/** The panel and the API on one origin. */
export async function createApi(
  app: App,
  options: { panel?: string; manual?: string; readiness?: Readiness } = {},
): Promise<FastifyInstance> {
  const { settings, log } = app;
  const server = Fastify({
    loggerInstance: log.child({ service: 'api' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Each log line of a request contains its id already. A child logger per request would cost more.
    childLoggerFactory: logger => logger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: settings.TRUST_PROXY.length ? [...settings.TRUST_PROXY] : false,
    bodyLimit: 1_048_576,
    requestTimeout: 60_000,
    // A client that stops reading would keep its connection and its answer. Streams send something every 25 s.
    connectionTimeout: 120_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => {
      const { status, body } = refusalOf(error, languageOf(request));
      void (reply as FastifyReply).code(status).send(body);
    },
  });
  usePlainIps(server);
  refuseTwoHosts(server);
  const refuseMethod = refuseWrongMethods(server);
  const findTenant = createTenantFinder(app);

  await server.register(rateLimit, {
    max: settings.RATE_LIMIT,
    timeWindow: 60_000,
    keyGenerator: request => callerNetwork(request.ip),
    errorResponseBuilder: (_request, { ttl }) =>
      Object.assign(new AppError('too_many', { values: { seconds: Math.ceil(ttl / 1000) } })),
  });
  await server.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], brotliOptions: { params: { 1: 4 } } });
  acceptJson(server);
  secure(server, app);
  observe(server, 'api');

  server.setErrorHandler((error, request, reply) => {
    const { status, body, retryAfter } = refusalOf(error, languageOf(request), request.body);
    if (isUnavailable(error)) request.log.warn({ err: error }, 'the database is unavailable');
    else if (error instanceof AppError && error.cause instanceof ApartFailed)
      request.log.warn({ err: error.cause }, 'an uploaded file could not be read');
    else if (status >= 500 && status !== 503)
      request.log.error({ err: error, requestId: request.id }, 'request failed');
    else if (status === 403) logRefused(request);
    // The headers of a stream are set already.
    for (const name of ofBody) reply.removeHeader(name).raw.removeHeader(name);
    if (retryAfter) reply.header('retry-after', String(retryAfter));
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    reply.code(status);
    return wantsPage(request) ? sendRefusalPage(reply, body.message, languageOf(request)) : reply.send(body);
  });

  const context = async (request: FastifyRequest, reply: Context['reply']): Promise<Context> => {
    const header = request.headers['x-tenant'];
    const tenant = await findTenant(typeof header === 'string' ? header : undefined, request.hostname).catch(
      (error: unknown) => {
        // The token of a polling router determines its tenant, which may have left with all its host names.
        if (error instanceof AppError && request.url.startsWith('/v1/device/poll/')) return noTenant;
        // A token is valid only for its own tenant, so an unknown tenant makes it invalid.
        if (error instanceof AppError && request.headers.authorization) throw new AppError('not_signed_in');
        throw error;
      },
    );
    // Routers prove themselves with their own token, and learn the new address.
    if (tenant.leaving && !request.url.startsWith('/v1/device/')) refuseLeaving(tenant.leaving, request.method);
    return {
      app,
      tenant,
      language: languageOf(request),
      inTenant: work => app.db.withTenant(tenant.id, work),
      read: work => app.db.readReplica(tenant.id, work),
      request,
      reply,
    };
  };
  mount(server, api, routes, {
    context,
    actor: authenticate,
    keepsRights: ({ inTenant }, actor) => inTenant(tx => keepsRights(tx, actor.userId, rightsOf(actor))),
    reaches: async ({ inTenant }, actor, id) =>
      isId(id.toLowerCase()) && inTenant(tx => reachesLocation(tx, actor, id)),
    checkReplies: settings.NODE_ENV !== 'production',
  });

  // Made at the first request: at start-up it would take a tenth of the time and of the memory.
  let description: string | undefined;
  let page: string | undefined;
  const describe = () => (description ??= JSON.stringify(withSamples(openapi(api, settings.PUBLIC_URL), api)));
  server.get('/v1/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(describe()));
  server.get('/docs', (_request, reply) => {
    page ??= docsPage(JSON.parse(describe()));
    return reply.type('text/html; charset=utf-8').send(page);
  });
  server.get('/docs/filter.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(docsScript));
  server.get('/docs/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(docsStyle));
  healthRoutes(server, app, options.readiness ?? { process: 'running' });
  if (options.manual) await serveManual(server, options.manual, languageOf);
  await servePanel(server, options.panel, refuseMethod);
  return server;
}

const noTenant: Tenant = { id: '00000000-0000-0000-0000-000000000000', slug: '', variant: 'standard' };

const charsetOf = (type = ''): string => /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';

/**
 * Reads an empty JSON body as an empty object, for clients that POST without a body. JSON is UTF-8 (RFC 8259): bytes of another
 * encoding would be stored as replacement characters.
 */
function acceptJson(server: FastifyInstance): void {
  // A body that is a string would fail validation field by field. Without a parser the answer is 415.
  server.removeContentTypeParser('text/plain');
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = bytes as Buffer;
    if (!['utf-8', 'utf8'].includes(charsetOf(request.headers['content-type'])))
      done(new AppError('unsupported_media'));
    else if (!isUtf8(body)) done(new AppError('bad_request'));
    else if (body.length === 0) done(null, {});
    else void parse(request, body.toString(), done);
  });
}

/** Logs the ids of a refused caller. Many refusals mean that someone looks for a way in. */
function logRefused(request: FastifyRequest): void {
  const { tenantId: tenant, userId: user, tokenId: token } = callers.get(request) ?? {};
  const { method, id: requestId, routeOptions } = request;
  request.log.warn({ requestId, method, route: routeOptions.url, tenant, user, token }, 'not allowed');
}

declare module 'fastify' {
  interface FastifyReply {
    nonce?: string;
  }
}

function secure(server: FastifyInstance, { settings }: App): void {
  const captive = new URL(captiveOrigin(settings, 'any'));
  const guest = settings.CAPTIVE_URL.includes('{tenant}')
    ? `${captive.protocol}//*.${captive.host.split('.').slice(1).join('.')}`
    : captive.origin;
  const https = settings.PUBLIC_URL.startsWith('https:');
  // A callback, because a promise per request is measurable here.
  server.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'same-origin');
    reply.header('cross-origin-opener-policy', 'same-origin');
    reply.header('cross-origin-resource-policy', 'same-origin');
    reply.header('x-frame-options', 'DENY');
    if (https) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (request.url.startsWith('/v1/')) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
      reply.header('cache-control', 'no-store');
      next();
      return;
    }
    const seen = originSeenAt(guest, request.hostname);
    reply.nonce = randomBytes(16).toString('base64');
    reply.header(
      'content-security-policy',
      [
        "default-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${reply.nonce}'`,
        `img-src 'self' data: blob: ${seen}`,
        `media-src ${seen}`,
        `frame-src ${seen}`,
      ].join('; '),
    );
    next();
  });
}

/** Files of the panel that a browser loads only as part of a page. */
const partOfPage = /\.(js|css|woff2)(\.br|\.gz)?$/;

/** These say nothing about parts of a page, and were a third of a first view: a screen loads dozens of small files. */
const ofDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
  'x-frame-options',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
];

/** Serves the built panel. Paths other than files get index.html, with the CSP nonce for the theme's styles. */
async function servePanel(
  server: FastifyInstance,
  root: string | undefined,
  refuseMethod: RefuseMethod,
): Promise<void> {
  const notFound = (request: FastifyRequest, reply: FastifyReply) => {
    if (refuseMethod(request, reply)) return reply;
    throw new AppError('not_found');
  };
  const index = root && path.join(root, 'index.html');
  if (!root || !index || !existsSync(index)) {
    server.setNotFoundHandler(notFound);
    return;
  }
  const page = readFileSync(index, 'utf8');
  const options: FastifyStaticOptions = {
    root,
    index: false,
    preCompressed: true,
    // The build manifest stays private.
    dotfiles: 'ignore',
    acceptRanges: false,
    lastModified: false,
    setHeaders: (reply, file) => {
      const hashed = file.includes(`${path.sep}assets${path.sep}`);
      void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      if (partOfPage.test(file)) for (const name of ofDocuments) reply.removeHeader(name);
      // A file whose name has its hash never changes, so no browser asks whether it did.
      if (hashed) reply.removeHeader('etag');
    },
  };
  await server.register(fastifyStatic, {
    ...options,
    wildcard: true,
    // Otherwise a request for `/` without compression gets 403 instead of the page.
    allowedPath: pathname => !pathname.endsWith('/'),
  });
  await server.register(async assets => {
    await assets.register(fastifyStatic, { ...options, root: path.join(root, 'assets'), serve: false });
    // The plugin's own route reads the folder for each request, to compare upper and lower case. This folder has 1,500 files.
    assets.get<{ Params: { '*': string } }>('/assets/*', ({ params: { '*': name } }, reply) =>
      name ? reply.sendFile(name) : reply.callNotFound(),
    );
  });
  server.setNotFoundHandler((request, reply) => {
    const asked = request.method === 'GET' || request.method === 'HEAD';
    const pathname = request.url.split('?')[0]!;
    const screen = asked && !`${pathname}/`.startsWith('/v1/') && !path.extname(pathname);
    if (!screen) return notFound(request, reply);
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__CSP_NONCE__', reply.nonce ?? ''));
  });
}
