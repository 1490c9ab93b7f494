import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuestSide } from './guest-side.ts';
import { randomMac } from './names.ts';
import type { Random } from './random.ts';
import type { GuestDevice } from './session.ts';

export interface HotspotPagesOptions {
  readonly router: GuestSide;
  readonly address: string;
  readonly port: number;
  readonly captiveUrl: string | undefined;
  readonly random: Random;
  /** The files of the router's html-directory by name, such as `login`. Without one, the page that leads to the portal is implied. */
  readonly files?: ReadonlyMap<string, string> | undefined;
}

/** Names the device of a simulated guest, because all of them connect from one machine. */
export const deviceHeader = 'x-simulated-mac';

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escaped(title)}</title></head><body><h1>${escaped(title)}</h1>${body}</body></html>`;

/** Fills in a file's variables as RouterOS does: `$(name)`, `$(name-esc)` for a URL, and `$(if name)…$(endif)`. */
export const fillIn = (file: string, values: Readonly<Record<string, string>>): string =>
  file
    .replaceAll(/\$\(if ([\w-]+)\)(.*?)\$\(endif\)/gs, (_, name: string, then: string) => (values[name] ? then : ''))
    .replaceAll(/\$\(([\w-]+?)(-esc)?\)/g, (_, name: string, escaped?: string) =>
      escaped ? encodeURIComponent(values[name] ?? '') : (values[name] ?? ''),
    );

export const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 10_000) break;
  }
  return new URLSearchParams(text);
};

/**
 * The hotspot's HTTP server. A browser opens it directly or uses it as its HTTP proxy. Guests who are not signed in are
 * redirected to the portal, whichever page they request.
 */
export const openHotspotPages = async ({ router, address, port, captiveUrl, random, files }: HotspotPagesOptions) => {
  const seats = new Map<string, GuestDevice>();
  let url = '';

  const deviceOf = (request: IncomingMessage): GuestDevice => {
    const named = request.headers[deviceHeader];
    if (typeof named === 'string') return router.lease({ mac: named.toUpperCase() });
    const source = request.socket.remoteAddress ?? '';
    const seated = seats.get('') ?? seats.get(source);
    // Leased again in case the router has released the address.
    if (seated) return router.lease(seated);
    const joined = router.lease({ mac: randomMac(random), name: 'browser' });
    seats.set(source, joined);
    return joined;
  };

  const redirect = (response: ServerResponse, to: string): void => {
    response.writeHead(302, { location: to, 'cache-control': 'no-store' }).end();
  };
  const show = (response: ServerResponse, title: string, body: string, status = 200): void => {
    response
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(page(title, body));
  };

  const portal = `${captiveUrl}/w/${router.nasIdentifier}`;
  const known = ({ mac, ip }: GuestDevice) => ({ mac, ip, login: `${url}/login` });
  /** Answers with a file of the router, if it has one of this name. */
  const showFile = (
    response: ServerResponse,
    name: string,
    { mac, ip }: GuestDevice,
    more: Readonly<Record<string, string>> = {},
  ): boolean => {
    const file = files?.get(name);
    if (file === undefined) return false;
    const page = fillIn(file, { mac, ip, 'link-login-only': `${url}/login`, ...more });
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page);
    return true;
  };
  const toPortal = (response: ServerResponse, device: GuestDevice, orig: string, error = ''): void => {
    if (showFile(response, 'login', device, { 'link-orig': orig, error })) return;
    if (!captiveUrl) return show(response, 'Sign-in needed', `<p>${escaped(error)}</p>`, 511);
    redirect(response, `${portal}?${new URLSearchParams({ ...known(device), orig, v: '3', error })}`);
  };

  const login = async (response: ServerResponse, device: GuestDevice, input: URLSearchParams): Promise<void> => {
    const dst = input.get('dst') ?? '';
    const username = input.get('username');
    if (!username) return toPortal(response, device, dst);
    const result = await router.signIn(device, username, input.get('password') ?? '');
    if (result.outcome === 'rejected') return toPortal(response, device, dst, result.message);
    if (result.outcome === 'no-answer') return toPortal(response, device, dst, 'RADIUS server is not responding');
    if (showFile(response, 'alogin', device)) return;
    redirect(response, /^https?:\/\//.test(dst) ? dst : `${url}/status`);
  };

  const status = (response: ServerResponse, device: GuestDevice): void => {
    const session = router.session(device.mac);
    if (!session) return redirect(response, `${url}/login`);
    if (showFile(response, 'status', device)) return;
    if (captiveUrl) return redirect(response, `${portal}/online`);
    show(
      response,
      'You are online',
      `<p>${escaped(session.userName)} · ${device.ip} · ${device.mac}</p>` +
        `<p>${session.uploadBytes} / ${session.downloadBytes} bytes</p><p><a href="${url}/logout">Sign out</a></p>`,
    );
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A proxy receives complete URLs, a server receives paths.
    const asked = new URL(request.url ?? '/', `http://${request.headers.host ?? 'unknown.invalid'}`);
    const device = deviceOf(request);
    const isOwn = asked.origin === url;
    if (isOwn && asked.pathname === '/login')
      return login(response, device, request.method === 'POST' ? await formOf(request) : asked.searchParams);
    if (isOwn && asked.pathname === '/status') return status(response, device);
    if (isOwn && asked.pathname === '/logout') {
      const ended = router.session(device.mac);
      router.signOut(device);
      if (!ended) return redirect(response, `${url}/login`);
      if (showFile(response, 'logout', device)) return;
      const query = new URLSearchParams({ ...known(device), step: 'logged_out' });
      if (captiveUrl) return redirect(response, `${portal}?${query}`);
      return show(response, 'You are signed out', `<p><a href="${url}/">Sign in again</a></p>`);
    }
    if (!router.session(device.mac)) return toPortal(response, device, asked.href);
    router.use(device, { uploadBytes: 700, downloadBytes: 5000 });
    show(response, 'The internet', `<p>${escaped(asked.href)}</p>`);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  // Port 80 is not part of an origin.
  url = new URL(`http://${address}:${(server.address() as AddressInfo).port}`).origin;

  return {
    url,
    /** Treats every browser without the header as this device. */
    seat: (device: GuestDevice): void => void seats.set('', device),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
