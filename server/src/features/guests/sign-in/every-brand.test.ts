import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { createBrowser, formsOf, linksOf, type Page } from '@portico/simulator/browser.ts';
import { openOmadaController } from '@portico/simulator/controllers/omada.ts';
import { openUnifiController } from '@portico/simulator/controllers/unifi.ts';
import { startFirebox } from '@portico/simulator/firebox.ts';
import { deviceHeader } from '@portico/simulator/hotspot-pages.ts';
import { startMerakiClick } from '@portico/simulator/meraki-click.ts';
import { startOpenNds } from '@portico/simulator/opennds.ts';
import { type PostBrandName, postBrands } from '@portico/simulator/post-brands.ts';
import { startRouter } from '@portico/simulator/router.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { drivers } from '#routers/drivers.ts';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { freePort } from '#test/process.ts';
import { startRadius } from '../../../services/radius.ts';
import { methodCasesOf, phoneOf, smsCode } from '../testing/methods.ts';
import { startVenue, type Venue } from '../testing/venue.ts';

/**
 * Each brand signs its guests in: a stand-in of the gateway, the portal and RADIUS, and a browser without script. A method knows no
 * brand, so not every pair is tried: MikroTik has all methods, and each other brand has the one with two pages and one of the rest.
 * With EVERY_PAIR=1 all pairs are tried.
 * A brand that is added to `drivers` has to be added to `open` too.
 */

interface Place {
  /** The address that a guest's browser opens first. */
  readonly start: (mac: string) => string;
  /** The gateway's session of a guest. */
  readonly session: (mac: string) => unknown;
  /** A host that only this gateway answers at, and its origin here. */
  readonly host?: readonly [host: string, origin: string];
  readonly close: () => Promise<void>;
}

const controller = { username: 'portico', password: 'denetleyici 1' };
const slugs = drivers.map(it => it.slug);
let venue: Venue;
let radius: { host: string; authPort: number; acctPort: number };
const places = new Map<string, Place>();
let guests = 0;

beforeAll(async () => {
  const [authPort, acctPort] = [await freePort(), await freePort()];
  radius = { host: '127.0.0.1', authPort, acctPort };
  venue = await startVenue({
    ...{ UDP_HOST: '127.0.0.1', RADIUS_AUTH_PORT: String(authPort), RADIUS_ACCT_PORT: String(acctPort) },
    ...{ ROUTERS_INSIDE: '1', RADSEC_PORT: '', RATE_LIMIT: '1000000' },
  });
  const service = await startRadius(venue.api.app, { seenEveryMs: 0 });
  afterFile(() => service.stop());
  const brands: Body[] = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  for (const [i, brand] of slugs.entries()) {
    const made = await venue.create('panel/device', {
      ...{ name: brand, brand_id: brands.find(it => it['slug'] === brand)!['id'], location_id: venue.location },
      mac_address: brand === 'watchguard' ? 'D0FE00000001' : `02:00:00:00:50:${10 + i}`,
    });
    const device = (await venue.api.get(`panel/device/${made['id']}`, { token: venue.admin })).body.data;
    places.set(brand, await open(brand, device, `10.6.${i}`));
  }
  afterFile(() => Promise.all([...places.values()].map(place => place.close())));
}, 120_000);

async function open(brand: string, device: Body, network: string): Promise<Place> {
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

/** The browser of a guest at a gateway. */
function browserAt({ host }: Place, takesCookies: boolean) {
  const origins = new Map([['guests.example', venue.captive.url], ...(host ? [host] : [])]);
  const isHere = (url: URL) => url.hostname === '127.0.0.1' || origins.has(url.hostname);
  return createBrowser({
    takesCookies,
    headersFor: () => ({ [deviceHeader]: venue.mac, 'accept-language': 'en' }),
    follows: isHere,
    reach: url => origins.get(url.hostname),
  });
}

/** Does what the script of OPNsense's template does. It has no sign-in without script. */
async function byScript(browser: ReturnType<typeof createBrowser>, page: Page): Promise<Page> {
  const { origin, pathname, searchParams } = new URL(page.url);
  const send = async (what: string, fields: Record<string, string>): Promise<Body> => {
    const action = `${origin}/api/captiveportal/access/${what}/`;
    const fieldsOf = new URLSearchParams(fields);
    return JSON.parse((await browser.submit({ action, method: 'POST', fields: fieldsOf, names: new Set() })).html);
  };
  const ticket = searchParams.get('username');
  if (!ticket) {
    const { ipAddress: ip } = await send('status', {});
    const portal = linksOf(page)[0]!;
    return browser.open(`${portal}?${new URLSearchParams({ login: origin + pathname, ip })}`);
  }
  const said = await send('logon', { user: ticket, password: searchParams.get('password')! });
  expect(said['clientState']).toBe('AUTHORIZED');
  return browser.open(searchParams.get('dst')!);
}

const methods = methodCasesOf(
  () => venue,
  () => guests,
);

const names = Object.keys(methods) as ProviderSlug[];
const onOnePage = names.filter(it => it !== 'sms');
const everyPair = process.env['EVERY_PAIR'] === '1';
const brandsOf = (method: ProviderSlug) =>
  slugs.filter(
    (brand, i) => everyPair || brand === 'mikrotik' || method === 'sms' || onOnePage[i % onOnePage.length] === method,
  );

/** Signs a new guest in; returns the page that the browser ends at. */
async function signIn(place: Place, brand: string, method: ProviderSlug, takesCookies = true): Promise<Page> {
  venue.newMac();
  guests += 1;
  const browser = browserAt(place, takesCookies);
  const hasScript = brand === 'opnsense';
  const on = (page: Page) => (hasScript && page.html.includes('/api/captiveportal/') ? byScript(browser, page) : page);

  const first = await on(await browser.open(place.start(venue.mac)));
  const form = formsOf(first).find(it => it.names.has('state'));
  expect(form, first.html).toBeDefined();
  for (const [name, value] of Object.entries(await methods[method].fields())) form!.fields.set(name, value);
  form!.fields.set('method', method);
  let page = await on(await browser.submit(form!));
  const codeForm = formsOf(page).find(it => it.names.has('code'));
  if (method === 'sms') {
    codeForm!.fields.set('code', await smsCode(venue, phoneOf(guests)));
    page = await on(await browser.submit(codeForm!));
  }
  // The form of the gateway: its button is pressed.
  const handOver = page;
  const vendorForm = formsOf(page).find(it => !it.action.startsWith('http://guests.example/'));
  if (vendorForm) {
    page = await browser.submit(vendorForm);
    // A Sophos answers with words of its own, and a link of ours leads on.
    const next = linksOf(handOver).find(it => it.includes('/online'));
    if (brand === 'sophos') page = await browser.open(next!);
  }
  return page;
}

describe.each(names)('a guest signs in by %s', method => {
  beforeAll(() => venue.offer({ slug: method, options: {} }));

  test.each(brandsOf(method))('with %s', async brand => {
    const place = places.get(brand)!;
    const page = await signIn(place, brand, method);
    expect(page.html, `${page.url}: ${page.html}`).toContain('You are connected');
    expect(place.session(venue.mac)).toBeTruthy();
    expect(await sessions()).toHaveLength(1);
  });
});

// All browsers here have one address, as behind a NAT.
describe('guests whose browsers refuse cookies get online, and see no visit of another', () => {
  beforeAll(() => venue.offer({ slug: 'sms', options: {} }));

  test.each(slugs)('with %s', async brand => {
    const place = places.get(brand)!;
    const page = await signIn(place, brand, 'sms', false);
    expect(page.html, `${page.url}: ${page.html}`).toContain('Your visit is not shown here');
    expect(page.html).not.toMatch(/Time left|Log out/);
    expect(place.session(venue.mac)).toBeTruthy();
    expect(await sessions()).toHaveLength(1);
  });
});

/** Accounting of a gateway arrives while its guest reads the page. */
async function sessions(): Promise<Body[]> {
  let found: Body[] = [];
  await expect
    .poll(async () => {
      found = (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;
      return found.length;
    })
    .toBe(1);
  return found;
}
