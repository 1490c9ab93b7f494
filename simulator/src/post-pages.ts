import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuestSide } from './guest-side.ts';
import { deviceHeader } from './hotspot-pages.ts';
import { type PostBrand, type PostBrandName, postBrands } from './post-brands.ts';
import type { GuestDevice } from './session.ts';

export interface PostPagesOptions {
  readonly router: GuestSide;
  readonly address: string;
  readonly port: number;
  readonly brand: PostBrandName;
  readonly portalUrl: string;
  /** The page that the operator uploaded, for gateways that show a page in place of a redirect. */
  readonly page?: string | undefined;
}

const longestForm = 20_000;

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > longestForm) throw new Error('the form is too long');
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'));
}

/**
 * The HTTP server of such a gateway. It tells its guests the vendor's usual host, which a browser has to find here. A visit's
 * secret is valid until it is used.
 */
export const openPostPages = async ({ router, address, port, brand: name, portalUrl, page = '' }: PostPagesOptions) => {
  const brand: PostBrand = postBrands[name];
  const visits = new Map<string, string>();
  let seated: GuestDevice | undefined;

  const redirect = (response: ServerResponse, location: string): void => {
    response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
  };
  const toPortal = (response: ServerResponse, device: GuestDevice, wanted: string, refused = false): void => {
    const visit = randomBytes(12).toString('hex');
    visits.set(device.mac, visit);
    const arrival = { device, host: brand.host, wanted, visit, refused };
    if (typeof brand.arrival === 'object')
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
        .end(brand.arrival.shows(page, arrival));
    redirect(response, `${portalUrl}?${new URLSearchParams(brand.arrival(arrival))}`);
  };

  const signIn = async (
    response: ServerResponse,
    device: GuestDevice,
    query: URLSearchParams,
    fields: URLSearchParams,
  ): Promise<void> => {
    const form = brand.read(fields, query, visits.get(device.mac) ?? '');
    if (!form) return toPortal(response, device, '');
    const result = await router.signIn(device, form.username, form.password);
    if (result.outcome === 'accepted') return redirect(response, form.next || `${portalUrl}/online?new=1`);
    toPortal(response, device, form.next, true);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const named = request.headers[deviceHeader];
    const device = typeof named === 'string' ? router.lease({ mac: named.toUpperCase() }) : seated;
    if (!device) return void response.writeHead(400).end();
    if (request.method === 'POST' && asked.pathname === brand.signIn)
      return signIn(response, device, asked.searchParams, await formOf(request));
    if (brand.signOut && (asked.pathname + asked.search).startsWith(brand.signOut)) {
      router.signOut(device);
      return toPortal(response, device, '');
    }
    if (!router.session(device.mac)) return toPortal(response, device, asked.href);
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

  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
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
