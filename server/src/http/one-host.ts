import type { FastifyInstance } from 'fastify';
import { AppError } from './app-error.ts';

/**
 * Refuses a request with two Host headers (RFC 9112, section 3.2). The host chooses the tenant and the portal, and a proxy may have
 * judged the other one.
 */
export function refuseTwoHosts(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { rawHeaders } }, reply, done) => {
    let hosts = 0;
    for (let i = 0; i < rawHeaders.length; i += 2)
      if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
    if (hosts <= 1) return done();
    reply.header('connection', 'close');
    done(new AppError('bad_request'));
  });
}
