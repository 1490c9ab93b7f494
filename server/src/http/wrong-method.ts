import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/** Sets `Allow` and throws 405 if the path of a request exists with other methods. For the handler of unknown paths. */
export type RefuseMethod = (request: FastifyRequest, reply: FastifyReply) => void;

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
    if (allowed.size === 0 || allowed.has(request.method)) return;
    void reply.header('allow', [...allowed].sort().join(', '));
    throw new AppError('method_not_allowed');
  };
}

const pattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('/')
      .map(part => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
      .join('/')}/?$`,
  );
