import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/**
 * Answers requests whose path exists with other methods only: OPTIONS with 204, the rest with 405, both with `Allow`. Returns
 * true if it answered. For the handler of unknown paths.
 */
export type RefuseMethod = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** Notes the routes that are added from now on. A path with a wildcard is a folder of files and is left out. */
export function refuseWrongMethods(server: FastifyInstance): RefuseMethod {
  const routes = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>();
  server.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const path = url.replace(/\/$/, '') || '/';
    const route = routes.get(path) ?? { path: pattern(path), methods: new Set<string>() };
    routes.set(path, route);
    for (const name of [method].flat()) route.methods.add(name);
  });
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = new Set<string>();
    for (const route of routes.values()) if (route.path.test(path)) for (const it of route.methods) allowed.add(it);
    if (allowed.size === 0 || allowed.has(request.method)) return false;
    void reply.header('allow', [...allowed, 'OPTIONS'].sort().join(', '));
    if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed');
    void reply.code(204).send();
    return true;
  };
}

const pattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('/')
      .map(part => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
      .join('/')}/?$`,
  );
