import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/**
 * Answers requests whose path exists with other methods only: OPTIONS with 204, the rest with 405, both with `Allow`. Returns
 * true if it answered. For the handler of unknown paths.
 */
export type RefuseMethod = (request: FastifyRequest, reply: FastifyReply) => boolean;

interface Route {
  readonly parts: readonly string[];
  readonly path: RegExp;
  readonly methods: Set<string>;
}

/** Notes the routes that are added from now on. A path with a wildcard is a folder of files and is left out. */
export function refuseWrongMethods(server: FastifyInstance): RefuseMethod {
  const routes = new Map<string, Route>();
  const meant = new Map<string, readonly Route[]>();
  server.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const path = withoutSlash(url);
    const parts = path.split('/');
    const route = routes.get(path) ?? { parts, path: pattern(parts), methods: new Set<string>() };
    routes.set(path, route);
    for (const name of [method].flat()) route.methods.add(name);
  });
  const refuse = (reply: FastifyReply, { methods }: Route): never => {
    void reply.header('allow', allow(methods));
    throw new AppError('method_not_allowed');
  };
  // The router takes `DELETE …/overview` for `DELETE …/:id`, because the path without a parameter has no DELETE.
  server.addHook('onReady', async () => {
    for (const [path, taken] of routes) {
      const others = [...routes.values()].filter(it => it !== taken && isMeantBefore(it, taken));
      if (others.length > 0)
        meant.set(
          path,
          others.sort((a, b) => (isMeantBefore(a, b) ? -1 : 1)),
        );
    }
  });
  server.addHook('onRequest', async (request, reply) => {
    const others = meant.get(withoutSlash(request.routeOptions.url ?? ''));
    if (!others) return;
    const path = pathOf(request);
    const route = others.find(it => it.path.test(path));
    if (route && !route.methods.has(request.method)) refuse(reply, route);
  });
  return (request, reply) => {
    const path = pathOf(request);
    const [route] = [...routes.values()]
      .filter(it => it.path.test(path))
      .sort((a, b) => (isMeantBefore(a, b) ? -1 : 1));
    if (!route || route.methods.has(request.method)) return false;
    if (request.method !== 'OPTIONS') refuse(reply, route);
    void reply.header('allow', allow(route.methods)).code(204).send();
    return true;
  };
}

const allow = (methods: ReadonlySet<string>): string => [...methods, 'OPTIONS'].sort().join(', ');
const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!;
const withoutSlash = (url: string): string => url.replace(/\/$/, '') || '/';
const isParameter = (part: string | undefined): boolean => part?.startsWith(':') ?? false;

/** Whether one path can be written so that both fit, and the first one names more of it. */
function isMeantBefore(a: Route, b: Route): boolean {
  if (a.parts.length !== b.parts.length) return false;
  const differing = a.parts.findIndex((part, at) => isParameter(part) !== isParameter(b.parts[at]));
  const fit = a.parts.every((part, at) => part === b.parts[at] || isParameter(part) || isParameter(b.parts[at]));
  return fit && differing >= 0 && !isParameter(a.parts[differing]);
}

const pattern = (parts: readonly string[]): RegExp =>
  new RegExp(`^${parts.map(part => (isParameter(part) ? '[^/]+' : RegExp.escape(part))).join('/')}/?$`);
