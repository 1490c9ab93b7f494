import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuestSide } from './guest-side.ts';
import { deviceHeader } from './hotspot-pages.ts';
import type { GuestDevice } from './session.ts';

export interface UamPagesOptions {
  readonly router: GuestSide;
  readonly address: string;
  readonly port: number;
  readonly portalUrl: string;
  readonly secret: string;
}

const md5 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * The HTTP server of a gateway that speaks UAM, after CoovaChilli 1.8 (src/redir.c). `npm run field` tries the real one.
 * Use it as the HTTP proxy of a browser. Unlike CoovaChilli, a challenge lasts until it is used.
 */
export const openUamPages = async ({ router, address, port, portalUrl, secret }: UamPagesOptions) => {
  let seated: GuestDevice | undefined;
  let own = '';
  const challenges = new Map<string, Buffer>();

  const toPortal = (
    response: ServerResponse,
    device: GuestDevice,
    res: string,
    more: Record<string, string> = {},
  ): void => {
    const challenge = randomBytes(16);
    challenges.set(device.mac, challenge);
    const { hostname: uamip, port: uamport } = new URL(own);
    const values = {
      ...{ res, uamip, uamport, challenge: challenge.toString('hex'), called: '02-00-00-00-99-01' },
      ...{ mac: device.mac.replaceAll(':', '-'), ip: device.ip, nasid: router.nasIdentifier, ...more },
    };
    const url = `${portalUrl}?${Object.entries(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')}`;
    const location = `${url}&md=${md5(url, secret).toString('hex').toUpperCase()}`;
    response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
  };

  const logon = async (response: ServerResponse, device: GuestDevice, query: URLSearchParams): Promise<void> => {
    const userurl = query.get('userurl') ?? '';
    const sent = challenges.get(device.mac);
    challenges.delete(device.mac);
    if (!sent) return toPortal(response, device, 'failed', { userurl });
    const result = await router.signIn(device, query.get('username') ?? '', {
      challenge: md5(sent, secret),
      response: Buffer.from(query.get('response') ?? '', 'hex'),
    });
    if (result.outcome === 'accepted') return toPortal(response, device, 'success', { userurl });
    if (result.outcome === 'no-answer') return toPortal(response, device, 'failed', { reason: 'timeout', userurl });
    return toPortal(response, device, 'failed', { reason: 'reject', reply: result.message, userurl });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const named = request.headers[deviceHeader];
    const device = typeof named === 'string' ? router.lease({ mac: named.toUpperCase() }) : seated;
    if (!device) return void response.writeHead(400).end();
    if (asked.origin === own) {
      if (asked.pathname === '/logon') return logon(response, device, asked.searchParams);
      if (asked.pathname === '/logoff') {
        router.signOut(device);
        return toPortal(response, device, 'logoff');
      }
      return toPortal(response, device, router.session(device.mac) ? 'already' : 'notyet');
    }
    if (!router.session(device.mac)) return toPortal(response, device, 'notyet', { userurl: asked.href });
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><html lang="en"><title>Web</title><h1>The internet</h1></html>');
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  own = `http://${address}:${(server.address() as AddressInfo).port}`;

  return {
    url: own,
    /** Treats every browser without the header as this device. */
    seat: (device: GuestDevice): void => {
      seated = device;
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
