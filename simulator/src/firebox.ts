import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deviceHeader } from './hotspot-pages.ts';
import { createLeases } from './leases.ts';
import type { GuestDevice } from './session.ts';

export interface FireboxOptions {
  readonly serialNumber: string;
  readonly secret: string;
  /** The guest portal's address for WatchGuards, such as `http://localhost:8081/wg`. */
  readonly portalUrl: string;
  readonly address?: string | undefined;
  readonly network?: string | undefined;
}

interface FireboxSession {
  readonly device: GuestDevice;
  readonly sessionTimeout: number;
  readonly idleTimeout: number;
}

export interface Firebox {
  readonly hotspotUrl: string;
  readonly lease: (device: { readonly mac: string; readonly name?: string }) => GuestDevice;
  readonly session: (mac: string) => FireboxSession | undefined;
  readonly close: () => Promise<void>;
}

/**
 * A WatchGuard Firebox with external guest authentication. It redirects guests who are not signed in to the portal with a
 * request, which one signed decision answers. Use it as the HTTP proxy of a browser.
 */
export const startFirebox = async (options: FireboxOptions): Promise<Firebox> => {
  const { serialNumber, secret, portalUrl, address = '127.0.0.1', network = '10.5.60' } = options;
  const leases = createLeases(network, () => undefined);
  const sessions = new Map<string, FireboxSession>();
  /** By guest device: the time stamp of its request that has not been answered. */
  const asked = new Map<string, string>();
  let stamps = Math.floor(Date.now() / 1000);
  let url = '';

  const redirect = (response: ServerResponse, to: string): void => {
    response.writeHead(302, { location: to, 'cache-control': 'no-store' }).end();
  };

  const ask = (response: ServerResponse, { mac }: GuestDevice, wanted: string): void => {
    stamps += 1;
    asked.set(mac, String(stamps));
    const request = { xtm: `${url}/wgcgi.cgi`, action: 'hotspot_auth', ts: String(stamps), sn: serialNumber, mac };
    redirect(response, `${portalUrl}?${new URLSearchParams({ ...request, redirect: wanted })}`);
  };

  const decide = (response: ServerResponse, device: GuestDevice, said: URLSearchParams): void => {
    const word = (name: string): string => said.get(name) ?? '';
    const ts = word('ts');
    const { mac } = device;
    const known = asked.get(mac) === ts;
    asked.delete(mac);
    const text = [ts, serialNumber, mac, word('success'), word('sess_timeout'), word('idle_timeout'), secret].join('');
    const genuine = createHash('sha1').update(text).digest('hex') === word('sig');
    if (word('action') !== 'hotspot_auth' || !known || !genuine || word('success') !== '1') {
      const failure = { error: known ? '513' : '512', sn: serialNumber, ts, mac };
      return redirect(response, `${portalUrl}?${new URLSearchParams(failure)}`);
    }
    const session = { device, sessionTimeout: Number(word('sess_timeout')), idleTimeout: Number(word('idle_timeout')) };
    sessions.set(mac, session);
    redirect(response, word('redirect'));
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const target = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const device = leases.lease({ mac: String(request.headers[deviceHeader] ?? '02:00:00:00:00:01').toUpperCase() });
    if (target.origin === url && target.pathname === '/wgcgi.cgi') return decide(response, device, target.searchParams);
    if (!sessions.has(device.mac)) return ask(response, device, target.href);
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
    hotspotUrl: url,
    lease: leases.lease,
    session: mac => sessions.get(mac),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
