import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuestSide } from './guest-side.ts';
import { deviceHeader, formOf } from './hotspot-pages.ts';
import type { GuestDevice } from './session.ts';

export interface SophosPagesOptions {
  readonly router: GuestSide;
  readonly address: string;
  readonly port: number;
  /** The template of the captive portal. */
  readonly page: string;
}

/**
 * The captive portal of a Sophos firewall. It shows its page to guests who are not signed in, and signs in by /login.xml.
 * Use it as the HTTP proxy of a browser. Its answers must not be framed by other origins.
 */
export const openSophosPages = async ({ router, address, port, page }: SophosPagesOptions) => {
  let seated: GuestDevice | undefined;
  let url = '';

  const send = (response: ServerResponse, type: string, body: string): void => {
    response
      .writeHead(200, {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-store',
        'x-frame-options': 'SAMEORIGIN',
      })
      .end(body);
  };
  const say = (response: ServerResponse, status: 'LIVE' | 'LOGIN', message: string): void => {
    const words = `<status><![CDATA[${status}]]></status><message><![CDATA[${message}]]></message>`;
    send(response, 'text/xml', `<?xml version='1.0' ?><requestresponse>${words}</requestresponse>`);
  };

  const login = async (request: IncomingMessage, response: ServerResponse, device: GuestDevice): Promise<void> => {
    const form = await formOf(request);
    const result = await router.signIn(device, form.get('username') ?? '', form.get('password') ?? '');
    const done = form.get('mode') === '191' && result.outcome === 'accepted';
    if (done) say(response, 'LIVE', 'You are signed in as {username}');
    else say(response, 'LOGIN', 'Login failed. Invalid user name/password. Please contact the administrator.');
  };

  const logout = async (request: IncomingMessage, response: ServerResponse, device: GuestDevice): Promise<void> => {
    const form = await formOf(request);
    const own = router.session(device.mac)?.userName;
    if (form.get('mode') === '193' && own && form.get('username') === own) router.signOut(device);
    say(response, 'LOGIN', "You've signed out");
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const named = request.headers[deviceHeader];
    const device = typeof named === 'string' ? router.lease({ mac: named.toUpperCase() }) : seated;
    if (!device) return void response.writeHead(400).end();
    if (asked.origin === url) {
      if (asked.pathname.endsWith('.xml') && request.method !== 'POST') return void response.writeHead(405).end();
      if (asked.pathname === '/login.xml') return login(request, response, device);
      if (asked.pathname === '/logout.xml') return logout(request, response, device);
      return send(response, 'text/html', page);
    }
    if (router.session(device.mac))
      return send(
        response,
        'text/html',
        '<!doctype html><html lang="en"><title>Web</title><h1>The internet</h1></html>',
      );
    response.writeHead(302, { location: `${url}/?${new URLSearchParams({ url: asked.href })}` }).end();
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
