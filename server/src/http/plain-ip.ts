import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { plainAddress } from '#lib/plain-address.ts';

const header = 'x-forwarded-for';
/** `[2001:db8::9]:51034`, `[2001:db8::9]` and `203.0.113.9:51034`. */
const withPort = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

const withoutPort = (entry: string): string => {
  const [, ipv6, ipv4] = withPort.exec(entry) ?? [];
  return ipv6 ?? ipv4 ?? entry;
};

/**
 * Lets `request.ip` be an address that PostgreSQL and the limits know: an IPv4 address where a socket of both families, or a proxy,
 * wrote it as an IPv6 one, and without the port that some proxies add. Where a proxy names no address, such as `unknown`, the
 * nearest proxy with an address counts.
 */
export function usePlainIps(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const chain = request.headers[header];
    // Before the first look at `request.ip`: a proxy with a port would not be among the trusted ones.
    if (typeof chain === 'string' && chain.includes(':'))
      request.headers[header] = chain
        .split(',')
        .map(entry => withoutPort(entry.trim()))
        .join(', ');
    const found = isIP(request.ip) ? request.ip : request.ips?.findLast(it => isIP(it));
    const ip = plainAddress(found ?? request.ip);
    if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip });
    done();
  });
}
