import { type Browser, createBrowser, linksOf, type Page } from '@portico/simulator/browser.ts';
import { openOmadaController } from '@portico/simulator/controllers/omada.ts';
import { openUnifiController } from '@portico/simulator/controllers/unifi.ts';
import { startFirebox } from '@portico/simulator/firebox.ts';
import { deviceHeader } from '@portico/simulator/hotspot-pages.ts';
import { startMerakiClick } from '@portico/simulator/meraki-click.ts';
import { startOpenNds } from '@portico/simulator/opennds.ts';
import { type PostBrandName, postBrands } from '@portico/simulator/post-brands.ts';
import { startRouter } from '@portico/simulator/router.ts';
import { expect } from 'vitest';
import { drivers } from '#routers/drivers.ts';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { freePort } from '#test/process.ts';
import { startRadius } from '../../../services/radius.ts';
import { startVenue, type Venue } from './venue.ts';

/** A stand-in of a gateway of each brand, at one venue. A brand that is added to `drivers` has to be added to `open` too. */

export interface Place {
  /** The address that a guest's browser opens first. */
  readonly start: (mac: string) => string;
  /** The gateway's session of a guest. */
  readonly session: (mac: string) => unknown;
  /** A host that only this gateway answers at, and its origin here. */
  readonly host?: readonly [host: string, origin: string];
  readonly close: () => Promise<void>;
}

interface RadiusPorts {
  readonly host: string;
  readonly authPort: number;
  readonly acctPort: number;
}

const controller = { username: 'portico', password: 'denetleyici 1' };

/** Starts the portal, RADIUS and the gateways of these brands. */
export async function startGateways(slugs: readonly string[] = drivers.map(it => it.slug)) {
  const [authPort, acctPort] = [await freePort(), await freePort()];
  const radius = { host: '127.0.0.1', authPort, acctPort };
  const venue = await startVenue({
    ...{ UDP_HOST: '127.0.0.1', RADIUS_AUTH_PORT: String(authPort), RADIUS_ACCT_PORT: String(acctPort) },
    ...{ ROUTERS_INSIDE: '1', RADSEC_PORT: '', RATE_LIMIT: '1000000' },
  });
  const service = await startRadius(venue.api.app, { seenEveryMs: 0 });
  afterFile(() => service.stop());
  const brands: Body[] = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const places = new Map<string, Place>();
  for (const [i, brand] of slugs.entries()) {
    const made = await venue.create('panel/device', {
      ...{ name: brand, brand_id: brands.find(it => it['slug'] === brand)!['id'], location_id: venue.location },
      mac_address: brand === 'watchguard' ? 'D0FE00000001' : `02:00:00:00:50:${10 + i}`,
    });
    const device = (await venue.api.get(`panel/device/${made['id']}`, { token: venue.admin })).body.data;
    places.set(brand, await open({ venue, radius }, brand, device, `10.6.${i}`));
  }
  afterFile(() => Promise.all([...places.values()].map(place => place.close())));
  return { venue, placeOf: (brand: string): Place => places.get(brand)! };
}

async function open(
  { venue, radius }: { readonly venue: Venue; readonly radius: RadiusPorts },
  brand: string,
  device: Body,
  network: string,
): Promise<Place> {
  const { id, nas_identifier: nas, secret, portal_url: portalUrl } = device;
  const fileWith = async (words: string): Promise<string> => {
    const { body } = await venue.api.get(`panel/device/${id}/setup-files`, { token: venue.admin });
    return body.data.map((file: Body) => file['text']).find((text: string) => text.includes(words))!;
  };
  const connect = (connection: object) =>
    venue.update(`panel/device/${id}`, { name: brand, connection: { host: '127.0.0.1', ...connection } });
  const startsAt = (url: string) => () => `${url}/news`;

  if (brand === 'watchguard') {
    const firebox = await startFirebox({ serialNumber: device['serial_number'], secret, portalUrl, network });
    return { ...firebox, start: startsAt(firebox.hotspotUrl) };
  }
  if (brand === 'opennds') {
    const conf = await fileWith('FirewallRuleSet');
    const option = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(conf)![1]!;
    const faskey = option('faskey');
    const gateway = await startOpenNds({ portalUrl: new URL(option('faspath'), portalUrl).href, faskey, network });
    return { ...gateway, start: startsAt(gateway.hotspotUrl) };
  }
  if (brand === 'meraki-click') {
    const gateway = await startMerakiClick({ portalUrl, network });
    return { ...gateway, start: startsAt(gateway.hotspotUrl), host: [gateway.host, gateway.hotspotUrl] };
  }
  if (brand === 'unifi') {
    const unifi = await openUnifiController({ ...controller, apiKey: 'key-1234567890' });
    await connect({ port: unifi.port, ...controller });
    return {
      start: mac => {
        unifi.join(mac);
        return `${portalUrl}/guest/s/default/?${unifi.arrival(mac)}`;
      },
      session: mac => unifi.guest(mac),
      close: unifi.close,
    };
  }
  if (brand === 'omada') {
    const omada = await openOmadaController({ name: controller.username, password: controller.password });
    await connect({ port: omada.port, ...controller });
    return { start: mac => `${portalUrl}?${omada.arrival(mac)}`, session: omada.guest, close: omada.close };
  }
  const of = { nasIdentifier: nas, secret, radius, network, captiveUrl: 'http://guests.example' };
  if (Object.hasOwn(postBrands, brand)) {
    const name = brand as PostBrandName;
    const page = brand === 'pfsense' ? await fileWith('PORTAL_ACTION') : '';
    const router = await startRouter({ ...of, post: { brand: name, portalUrl, page } });
    return { ...router, start: startsAt(router.hotspotUrl), host: [postBrands[name].host, router.hotspotUrl] };
  }
  if (['coovachilli', 'uspot', 'uam'].includes(brand)) {
    const { body } = await venue.api.get(`panel/device/${id}/setup-files`, { token: venue.admin });
    const texts = body.data.map((file: Body) => file['text']).join('\n');
    const uam = { portalUrl, secret: /uam[ _]?secret\W+(\w+)/i.exec(texts)![1]! };
    const router = await startRouter({ ...of, uam });
    return { ...router, start: startsAt(router.hotspotUrl) };
  }
  if (brand === 'sophos') {
    const page = await venue.api.post(`panel/device/sophos/template/${id}`, { token: venue.admin });
    const router = await startRouter({ ...of, sophosPage: page.text });
    return { ...router, start: () => `${router.hotspotUrl}/` };
  }
  if (brand === 'opnsense') {
    const router = await startRouter({ ...of, opnsensePage: await fileWith('captiveportal') });
    return { ...router, start: () => `${router.hotspotUrl}/` };
  }
  expect(brand, 'a stand-in of every brand').toBe('mikrotik');
  const router = await startRouter(of);
  return { ...router, start: startsAt(router.hotspotUrl) };
}

interface GuestBrowser {
  readonly takesCookies?: boolean;
  readonly userAgent?: string;
  /** Called before each request to the gateway. */
  readonly onGateway?: () => Promise<void>;
}

/** The browser of a guest at a gateway. */
export function browserAt(
  venue: Venue,
  { host }: Place,
  { takesCookies = true, userAgent = 'Phone', onGateway }: GuestBrowser = {},
): Browser {
  const origins = new Map([['guests.example', venue.captive.url], ...(host ? [host] : [])]);
  const isHere = (url: URL) => url.hostname === '127.0.0.1' || origins.has(url.hostname);
  return createBrowser({
    takesCookies,
    headersFor: () => ({ [deviceHeader]: venue.mac, 'accept-language': 'en', 'user-agent': userAgent }),
    follows: isHere,
    reach: async url => {
      if (url.hostname !== 'guests.example') await onGateway?.();
      return origins.get(url.hostname);
    },
  });
}

/** Does what the script of OPNsense's template does. It has no sign-in without script. */
export async function byScript(browser: Browser, page: Page): Promise<Page> {
  const { origin, pathname, searchParams } = new URL(page.url);
  const send = async (what: string, fields: Record<string, string>): Promise<Body> => {
    const action = `${origin}/api/captiveportal/access/${what}/`;
    const fieldsOf = new URLSearchParams(fields);
    return JSON.parse((await browser.submit({ action, method: 'POST', fields: fieldsOf, names: new Set() })).html);
  };
  const ask = async (error: string) => {
    const { ipAddress: ip } = await send('status', {});
    const portal = linksOf(page)[0]!;
    return browser.open(`${portal}?${new URLSearchParams({ login: origin + pathname, ip, error })}`);
  };
  const ticket = searchParams.get('username');
  if (!ticket) return ask('');
  const said = await send('logon', { user: ticket, password: searchParams.get('password')! });
  return said['clientState'] === 'AUTHORIZED' ? browser.open(searchParams.get('dst')!) : ask('not signed in');
}
