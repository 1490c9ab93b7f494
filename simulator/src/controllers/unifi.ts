import { randomBytes } from 'node:crypto';
import { type Asked, openTlsJson, type Said } from './tls-json-server.ts';

/*
 * A UniFi controller on UniFi OS, or one that runs on its own: its own interface after Art-of-WiFi's UniFi-API-client, and the
 * official one with an API key after "External Hotspot API for Authorization" (help.ui.com) and its reference
 * (developer.ui.com/network, v10.1.68). The clients node-unifi and unifi-client admit and end guests at it. It can also be the
 * cloud that passes requests on to a console. None was compared with Ubiquiti's own. In particular these could not be checked:
 * the texts of errors, and where the official interface reports use.
 */

interface UnifiGuest {
  readonly mac: string;
  readonly minutes: number;
  readonly upKbps: number | undefined;
  readonly downKbps: number | undefined;
  readonly megabytes: number | undefined;
  uploadBytes: number;
  downloadBytes: number;
  authorized: boolean;
}

interface UnifiOptions {
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly site?: string;
  /** False: a Network Application that runs on its own, on port 8443. */
  readonly unifiOs?: boolean;
  /** Ubiquiti's cloud in front of these consoles, by name. The controller answers for all of them. */
  readonly consoles?: readonly { readonly id: string; readonly name: string }[];
}

/** The shape of the session of UniFi OS: clients read when it ends. */
const jsonWebToken = (claims: object): string =>
  [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(randomBytes(32).toString('base64url'))
    .join('.');

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export const openUnifiController = async (options: UnifiOptions) => {
  const { username, password, apiKey, site = 'default', unifiOs = true, consoles } = options;
  const cookie = unifiOs
    ? `TOKEN=${jsonWebToken({ userId: username, exp: Math.floor(Date.now() / 1000) + 7200 })}`
    : `unifises=${randomBytes(16).toString('hex')}`;
  const csrf = randomBytes(16).toString('hex');
  const siteId = '88f7af54-98f8-306a-a1c7-c9349722b1f6';
  const guests = new Map<string, UnifiGuest>();
  /** Devices that are joined to the Wi-Fi, by MAC in lower case. */
  const joined = new Set<string>();
  const idOf = (mac: string) => `client-${mac.replaceAll(':', '')}`;

  const authorize = (mac: string, it: Omit<UnifiGuest, 'mac' | 'uploadBytes' | 'downloadBytes' | 'authorized'>): void =>
    void guests.set(mac, { mac, ...it, uploadBytes: 0, downloadBytes: 0, authorized: true });

  const ok = (data: unknown[] = []): Said => ({ body: { meta: { rc: 'ok' }, data } });
  const error = (status: number, msg: string): Said => ({ status, body: { meta: { rc: 'error', msg }, data: [] } });

  const own = ({ method, url, body }: Asked): Said => {
    const path = url.pathname.replace('/proxy/network', '');
    if (path === '/api/self') return ok([{ name: username }]);
    if (path === '/api/self/sites') return ok([{ name: site, desc: 'Default' }]);
    if (path === '/api/s/default/stat/sysinfo') return ok([{ name: 'UDM', version: '9.1.120' }]);
    if (path === `/api/s/${site}/stat/guest`)
      return ok(
        [...guests.values()].map(it => ({
          ...{ mac: it.mac, expired: !it.authorized, rx_bytes: it.uploadBytes, tx_bytes: it.downloadBytes },
        })),
      );
    if (path !== `/api/s/${site}/cmd/stamgr` || method !== 'POST') return error(404, 'api.err.NotFound');
    const mac = String(body['mac']);
    if (body['cmd'] === 'authorize-guest') {
      if (mac !== mac.toLowerCase() || !number(body['minutes'])) return error(400, 'api.err.Invalid');
      authorize(mac, {
        ...{ minutes: body['minutes'] as number, upKbps: number(body['up']), downKbps: number(body['down']) },
        megabytes: number(body['bytes']),
      });
      return ok([{ mac, authorized_by: 'api', ap_mac: body['ap_mac'] }]);
    }
    const guest = guests.get(mac);
    if (body['cmd'] === 'unauthorize-guest' && guest) guest.authorized = false;
    return ok();
  };

  const official = ({ method, url, body }: Asked): Said => {
    const path = url.pathname.replace('/proxy/network/integration/v1', '');
    const page = (data: readonly unknown[]): Said => {
      const asked = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise);
      const [offset, limit] = [asked('offset', 0), Math.min(200, asked('limit', 25))];
      const shown = data.slice(offset, offset + limit);
      return { body: { offset, limit, count: shown.length, totalCount: data.length, data: shown } };
    };
    if (path === '/info') return { body: { applicationVersion: '9.1.120' } };
    if (path === '/sites') return page([{ id: siteId, internalReference: site, name: 'Default' }]);
    const filter = url.searchParams.get('filter') ?? '';
    if (path === `/sites/${siteId}/clients`) {
      const mac = /^macAddress\.eq\('([0-9a-f:]{17})'\)$/.exec(filter)?.[1];
      const shown = [...joined].filter(each => mac === undefined || each === mac);
      return page(
        shown.map(each => {
          const guest = guests.get(each);
          const usage = { rxBytes: guest?.downloadBytes ?? 0, txBytes: guest?.uploadBytes ?? 0 };
          const access = { type: 'GUEST', authorized: guest?.authorized ?? false, authorization: { usage } };
          return { id: idOf(each), macAddress: each, access };
        }),
      );
    }
    const acting = /^\/sites\/[^/]+\/clients\/([^/]+)\/actions$/.exec(path)?.[1];
    const mac = [...joined].find(each => idOf(each) === acting);
    if (method !== 'POST' || !mac) return { status: 404, body: { statusCode: 404, message: 'not found' } };
    const guest = guests.get(mac);
    if (body['action'] === 'UNAUTHORIZE_GUEST_ACCESS' && guest) guest.authorized = false;
    if (body['action'] === 'AUTHORIZE_GUEST_ACCESS')
      authorize(mac, {
        minutes: number(body['timeLimitMinutes']) ?? 0,
        ...{ upKbps: number(body['txRateLimitKbps']), downKbps: number(body['rxRateLimitKbps']) },
        megabytes: number(body['dataUsageLimitMBytes']),
      });
    return { body: { action: body['action'] } };
  };

  const isSignedIn = ({ method, headers }: Asked): boolean =>
    (headers['cookie'] ?? '').split('; ').includes(cookie) &&
    (!unifiOs || method === 'GET' || headers['x-csrf-token'] === csrf);
  const signIn = ({ body }: Asked): Said =>
    body['username'] === username && body['password'] === password
      ? {
          headers: unifiOs
            ? { 'set-cookie': `${cookie}; path=/; HttpOnly; Secure`, 'x-csrf-token': csrf }
            : { 'set-cookie': [`${cookie}; Path=/; Secure; HttpOnly`, `csrf_token=${csrf}; Path=/; Secure`] },
          body: unifiOs ? { username } : { meta: { rc: 'ok' }, data: [] },
        }
      : error(unifiOs ? 401 : 400, 'api.err.Invalid');

  const onUnifiOs = (asked: Asked): Said => {
    const { pathname } = asked.url;
    // Clients tell UniFi OS from a controller on its own by this page.
    if (pathname === '/') return { body: {} };
    if (pathname === '/api/auth/login') return signIn(asked);
    if (pathname.startsWith('/proxy/network/integration/'))
      return asked.headers['x-api-key'] === apiKey
        ? official(asked)
        : { status: 401, body: { statusCode: 401, message: 'Unauthorized' } };
    if (!isSignedIn(asked)) return error(401, 'api.err.LoginRequired');
    if (pathname === '/api/users/self') return { body: { username } };
    if (pathname === '/api/auth/logout') return { body: {} };
    return pathname.startsWith('/proxy/network/') ? own(asked) : error(404, 'api.err.NotFound');
  };
  const inTheCloud = (asked: Asked): Said => {
    const said = (status: number, message: string): Said => ({ status, body: { httpStatusCode: status, message } });
    if (asked.headers['x-api-key'] !== apiKey) return said(401, 'unauthorized');
    const { pathname, searchParams } = asked.url;
    if (pathname === '/v1/hosts') {
      // One console a page, so that a client has to read all pages.
      const at = Number(searchParams.get('nextToken') || 0);
      const data = consoles!
        .slice(at, at + 1)
        .map(({ id, name }) => ({ id, type: 'console', reportedState: { name } }));
      return { body: { data, httpStatusCode: 200, ...(at + 1 < consoles!.length && { nextToken: String(at + 1) }) } };
    }
    const [, id, path] = /^\/v1\/connector\/consoles\/([^/]+)(\/proxy\/network\/integration\/.+)$/.exec(pathname) ?? [];
    if (!consoles!.some(it => id && it.id === decodeURIComponent(id))) return said(404, `thing not found: ${id}`);
    const url = new URL(asked.url);
    url.pathname = path!;
    return official({ ...asked, url });
  };
  const onItsOwn = (asked: Asked): Said => {
    const { pathname } = asked.url;
    if (pathname === '/') return { status: 302, headers: { location: '/manage' } };
    if (pathname === '/api/login') return signIn(asked);
    if (pathname === '/logout' || pathname === '/api/logout') return ok();
    return isSignedIn(asked) ? own(asked) : error(401, 'api.err.LoginRequired');
  };
  const server = consoles
    ? await openTlsJson('api.ui.com', inTheCloud)
    : await openTlsJson('unifi.local', unifiOs ? onUnifiOs : onItsOwn);

  return {
    ...server,
    site,
    /** A guest device joins the Wi-Fi. */
    join: (mac: string): void => void joined.add(mac.toLowerCase()),
    /** It sleeps or goes away. It stays admitted. */
    leave: (mac: string): void => void joined.delete(mac.toLowerCase()),
    guest: (mac: string): UnifiGuest | undefined => guests.get(mac.toLowerCase()),
    /** The query with which the controller sends a guest to the portal. */
    arrival: (mac: string) =>
      new URLSearchParams({
        ...{ ap: '94:2a:6f:d0:30:57', id: mac.toLowerCase(), t: String(Math.floor(Date.now() / 1000)) },
        ...{ url: 'http://example.com/', ssid: 'guest' },
      }),
  };
};
