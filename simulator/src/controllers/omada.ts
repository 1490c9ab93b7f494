import { randomBytes } from 'node:crypto';
import { openTlsJson, type Said } from './tls-json-server.ts';

/*
 * An Omada controller, after TP-Link's "API and Code Sample for External Portal Server (Omada Controller 5.0.15 or above)"
 * (FAQ 3231). Published portals for Omada admit guests at it. It was not compared with a controller. In particular the unit of
 * `time` and the codes of errors could not be checked: published samples differ.
 */

interface OmadaGuest {
  readonly mac: string;
  readonly site: string;
  readonly seconds: number;
  readonly at: 'access point' | 'gateway';
}

export const openOmadaController = async (operator: { readonly name: string; readonly password: string }) => {
  const id = randomBytes(16).toString('hex');
  const token = randomBytes(16).toString('hex');
  const cookie = `TPOMADA_SESSIONID=${randomBytes(16).toString('hex')}`;
  const guests = new Map<string, OmadaGuest>();
  const ok = (result: unknown): Said => ({ body: { errorCode: 0, msg: 'Success.', result } });
  const refused = (errorCode: number, msg: string): Said => ({ body: { errorCode, msg } });

  const server = await openTlsJson('omada.local', ({ method, url, headers, body }) => {
    if (url.pathname === '/api/info') return ok({ omadacId: id, controllerVer: '5.15.20', apiVer: '3' });
    if (method !== 'POST') return { status: 404, body: {} };
    if (url.pathname === `/${id}/api/v2/hotspot/login`) {
      if (body['name'] !== operator.name || body['password'] !== operator.password)
        return refused(-30109, 'Invalid username or password.');
      return { headers: { 'set-cookie': `${cookie}; Path=/; HttpOnly` }, ...ok({ token }) };
    }
    if (url.pathname !== `/${id}/api/v2/hotspot/extPortal/auth`) return { status: 404, body: {} };
    if (headers['csrf-token'] !== token || headers['cookie'] !== cookie) return refused(-1200, 'Session expired.');
    const mac = String(body['clientMac']);
    const atGateway = body['gatewayMac'] !== undefined;
    const whole = atGateway
      ? typeof body['vid'] === 'number'
      : typeof body['radioId'] === 'number' && body['ssidName'] !== undefined;
    // Published clients send the time as a number or as text.
    const time = Number(body['time']);
    if (body['authType'] !== 4 || !Number.isSafeInteger(time) || time <= 0 || !body['site'] || !whole)
      return refused(-1001, 'Invalid request parameters.');
    guests.set(mac.replaceAll('-', ':'), {
      ...{ mac: mac.replaceAll('-', ':'), site: String(body['site']), seconds: time / 1_000_000 },
      at: atGateway ? 'gateway' : 'access point',
    });
    return ok({});
  });

  const place = (mac: string) => ({
    ...{ clientMac: mac.replaceAll(':', '-'), site: 'Default', t: String(Date.now()) },
    redirectUrl: 'http://example.com/',
  });
  return {
    ...server,
    guest: (mac: string): OmadaGuest | undefined => guests.get(mac.toUpperCase()),
    /** The query of a guest at an access point, and of one at a gateway. */
    arrival: (mac: string) =>
      new URLSearchParams({ ...place(mac), apMac: '50-C7-BF-00-00-01', ssidName: 'guest', radioId: '1' }),
    arrivalAtGateway: (mac: string) =>
      new URLSearchParams({ ...place(mac), gatewayMac: '50-C7-BF-00-00-02', vid: '20' }),
  };
};
