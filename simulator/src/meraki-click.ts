import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deviceHeader } from './hotspot-pages.ts';
import { createLeases } from './leases.ts';
import type { GuestDevice } from './session.ts';

const day = 86_400;

interface MerakiClickOptions {
  readonly portalUrl: string;
  readonly address?: string | undefined;
  readonly network?: string | undefined;
}

/**
 * A Meraki access point with click-through splash, and the part of Meraki's cloud that takes the grant, after "Captive Portal
 * with Click-through API" (developer.cisco.com). Portals that others published take the same way. It was not compared with one. `host` is the cloud's, which a browser has to
 * find here.
 */
export const startMerakiClick = async ({
  portalUrl,
  address = '127.0.0.1',
  network = '10.5.80',
}: MerakiClickOptions) => {
  const host = 'n143.network-auth.com';
  const leases = createLeases(network, () => undefined);
  const sessions = new Map<string, { readonly device: GuestDevice; readonly seconds: number }>();
  let url = '';

  const redirect = (response: ServerResponse, location: string): void => {
    response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const asked = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const device = leases.lease({ mac: String(request.headers[deviceHeader] ?? '02:00:00:00:00:01').toUpperCase() });
    if (asked.pathname === '/splash/grant') {
      // Published portals leave the duration out.
      const [next, seconds] = [
        asked.searchParams.get('continue_url'),
        Number(asked.searchParams.get('duration') ?? day),
      ];
      if (!next || !(seconds > 0)) return void response.writeHead(400).end();
      sessions.set(device.mac, { device, seconds });
      return redirect(response, next);
    }
    if (!sessions.has(device.mac)) {
      const query = {
        ...{
          base_grant_url: `https://${host}/splash/grant`,
          user_continue_url: asked.href,
          node_id: '149624921787028',
        },
        ...{ node_mac: '88:15:44:50:0a:94', gateway_id: '149624921787028', client_ip: device.ip },
        ...{ client_mac: device.mac.toLowerCase(), splashclick_time: randomBytes(4).toString('hex') },
      };
      return redirect(response, `${portalUrl}?${new URLSearchParams(query)}`);
    }
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end('<!doctype html><html lang="en"><title>The internet</title><h1>The internet</h1></html>');
  };

  const server = createServer((request, response) => {
    try {
      handle(request, response);
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  url = `http://${address}:${(server.address() as AddressInfo).port}`;

  return {
    host,
    hotspotUrl: url,
    lease: leases.lease,
    session: (mac: string) => sessions.get(mac),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
