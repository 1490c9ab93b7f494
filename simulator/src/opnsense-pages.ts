import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuestSide } from './guest-side.ts';
import { deviceHeader, formOf } from './hotspot-pages.ts';
import type { GuestDevice } from './session.ts';

interface OpnsensePagesOptions {
  readonly router: GuestSide;
  readonly address: string;
  readonly port: number;
  /** The `index.html` of the template. */
  readonly page: string;
}

/**
 * The captive portal of an OPNsense firewall: its template, and the interface of
 * src/opnsense/mvc/app/controllers/OPNsense/CaptivePortal/Api/AccessController.php (2026). Use it as the HTTP proxy of a
 * browser. A guest that asks for another site is sent to the template with `redirurl`, which has no scheme. It was not compared
 * with a firewall.
 */
export const openOpnsensePages = async ({ router, address, port, page }: OpnsensePagesOptions) => {
  let seated: GuestDevice | undefined;
  let url = '';

  const access = async (request: IncomingMessage, device: GuestDevice, action: string): Promise<object> => {
    const session = router.session(device.mac);
    const known = session && { clientState: 'AUTHORIZED', sessionId: session.id, userName: session.userName };
    const stranger = { clientState: 'NOT_AUTHORIZED', ipAddress: device.ip };
    if (action === 'status') return known ?? { ...stranger, authType: 'normal' };
    if (request.method !== 'POST') return { clientState: 'UNKNOWN', ipAddress: device.ip };
    if (action === 'logoff') {
      router.signOut(device);
      return known ? { terminateCause: 'User-Request' } : { clientState: 'UNKNOWN', ipAddress: device.ip };
    }
    const form = await formOf(request);
    const result = await router.signIn(device, form.get('user') ?? '', form.get('password') ?? '');
    // Why RADIUS refused is not said.
    if (result.outcome !== 'accepted') return stranger;
    return { clientState: 'AUTHORIZED', sessionId: result.session.id, userName: result.session.userName };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const named = request.headers[deviceHeader];
    const device = typeof named === 'string' ? router.lease({ mac: named.toUpperCase() }) : seated;
    if (!device) return void response.writeHead(400).end();
    const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    const action = /^\/api\/captiveportal\/access\/(status|logon|logoff)\/$/.exec(asked.pathname)?.[1];
    if (asked.origin === url && action)
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end(JSON.stringify(await access(request, device, action)));
    if (asked.origin === url) return void response.writeHead(200, html).end(page);
    if (router.session(device.mac))
      return void response
        .writeHead(200, html)
        .end('<!doctype html><html lang="en"><title>Web</title><h1>The internet</h1></html>');
    const location = `${url}/index.html?redirurl=${asked.host}${asked.pathname}`;
    response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  url = `http://${address}:${(server.address() as AddressInfo).port}`;

  return {
    url,
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
