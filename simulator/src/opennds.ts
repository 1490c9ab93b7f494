import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deviceHeader } from './hotspot-pages.ts';
import { createLeases } from './leases.ts';
import type { GuestDevice } from './session.ts';

export interface OpenNdsOptions {
  /** The page to which it sends its guests: the portal's origin with `faspath`. */
  readonly portalUrl: string;
  readonly faskey: string;
  readonly address?: string | undefined;
  readonly network?: string | undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * A gateway with openNDS at level 2: it seals the guest's facts, and the guest's browser carries the permission. After
 * src/http_microhttpd.c of 9.9. `npm run field` tries the real one, at level 3. Use it as the HTTP proxy of a browser.
 */
export const startOpenNds = async (options: OpenNdsOptions) => {
  const { portalUrl, faskey, address = '127.0.0.1', network = '10.5.70' } = options;
  const leases = createLeases(network, () => undefined);
  const sessions = new Map<string, GuestDevice>();
  /** By guest device: what names it here. */
  const tokens = new Map<string, string>();
  let url = '';

  const tokenOf = ({ mac }: GuestDevice): string => {
    const token = tokens.get(mac) ?? randomBytes(4).toString('hex');
    tokens.set(mac, token);
    return token;
  };

  const redirect = (response: ServerResponse, to: string): void => {
    response.writeHead(307, { location: to, 'cache-control': 'no-store' }).end();
  };

  const toPortal = (response: ServerResponse, device: GuestDevice, wanted: string): void => {
    const facts = Object.entries({
      ...{ hid: sha256(tokenOf(device)), clientip: device.ip, clientmac: device.mac.toLowerCase() },
      ...{ client_type: 'cpd_can', gatewayname: 'Guest%20Wi-Fi', gatewayaddress: new URL(url).host },
      ...{ authdir: 'opennds_auth', originurl: encodeURIComponent(wanted), clientif: 'br-lan' },
    });
    const iv = randomBytes(8).toString('hex');
    const key = Buffer.alloc(32);
    key.write(faskey.slice(0, 32));
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    const plain = facts.map(([name, value]) => `${name}=${value}`).join(', ');
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
    redirect(response, `${portalUrl}?${new URLSearchParams({ fas: Buffer.from(sealed).toString('base64'), iv })}`);
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const target = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const device = leases.lease({ mac: String(request.headers[deviceHeader] ?? '02:00:00:00:00:01').toUpperCase() });
    const isOwn = target.origin === url;
    if (isOwn && target.pathname === '/opennds_auth/') {
      const isRight = target.searchParams.get('tok') === sha256(sha256(tokenOf(device)) + faskey);
      if (!isRight) return toPortal(response, device, url);
      sessions.set(device.mac, device);
      return redirect(response, target.searchParams.get('redir') ?? url);
    }
    if (isOwn && target.pathname === '/opennds_deny/') {
      sessions.delete(device.mac);
      tokens.delete(device.mac);
      return redirect(response, `${url}/`);
    }
    if (!sessions.has(device.mac)) return toPortal(response, device, target.href);
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
    session: (mac: string) => sessions.get(mac),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
