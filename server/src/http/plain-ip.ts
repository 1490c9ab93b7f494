import type { FastifyInstance } from 'fastify';
import { plainAddress } from '#lib/plain-address.ts';

/** Lets `request.ip` be an IPv4 address where a socket of both families, or a proxy, wrote it as an IPv6 one. */
export function usePlainIps(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const ip = plainAddress(request.ip);
    if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip });
    done();
  });
}
