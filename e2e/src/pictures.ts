// `npm run pictures` takes the pictures of the manual and the README from the demo, in both languages and colour schemes.
// `npm run pictures -- device editor` takes only these. They are files of docs/manual/pictures, named <name>.<language>.<scheme>.webp.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { Router } from '@portico/simulator/router.ts';
import { account } from '../../server/src/services/demo/account.ts';
import { sample } from '../../server/src/services/demo/sample.ts';
import { executablePath } from './browser.ts';
import { callApi, tokenOf } from './operator.ts';
import { enterPanel } from './panel.ts';
import { type Product, startProduct } from './product.ts';
import { openRouter } from './venue.ts';
import { type PanelLanguage, type PanelWords, panelWords } from './words.ts';

const folder = fileURLToPath(new URL('../../docs/manual/pictures/', import.meta.url));
const languages = Object.keys(panelWords) as PanelLanguage[];
const schemes = ['light', 'dark'] as const;
const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };
const settleMs = 2000;
/** Time for the routers of the demo to start. */
const routersMs = 10_000;
const guests = 14;
const quality = 72;

interface Picture {
  readonly path: string;
  readonly press?: (words: PanelWords) => readonly string[];
  /** A page of the guests. */
  readonly guest?: true;
  /** The active location of the user; all by default. */
  readonly location?: string;
}

type Named = { id: string; name: string };
type Call = <T>(method: string, at: string, body?: object) => Promise<T>;

/** A phone that a router sends to the portal. */
const arrival = new URLSearchParams({
  mac: '02:00:00:00:00:77',
  ip: '10.5.50.77',
  login: 'http://10.5.50.1/login',
  orig: 'http://example.com/',
});

/** Data that the demo does not have, and the pictures by name. */
async function prepare(product: Product, call: Call): Promise<{ router: Router; pictures: Record<string, Picture> }> {
  const list = async <T = Named>(at: string): Promise<T[]> => (await call<{ data: T[] }>('GET', at)).data;
  // The demo makes its locations after the start, and then its routers start, which ends the sessions that they have.
  const expected = sample.flatMap(it => it.devices).length;
  let devices: (Named & { location_id: string; last_seen_at: string | null })[] = [];
  while (devices.length < expected || !devices.some(it => it.last_seen_at)) {
    await sleep(routersMs);
    devices = await list('panel/device?per_page=50');
  }
  const locations = await list('panel/location?per_page=50');
  const portals = await list<Named & { location_id: string }>('panel/portal?per_page=50');
  const hotel = locations.find(it => it.name.includes('Otel')) ?? locations[0]!;
  const device = devices.find(it => it.location_id === hotel.id)!;
  const portal = portals.find(it => it.location_id === hotel.id)!;
  const batch = {
    location_id: hotel.id,
    name: 'Havuz',
    count: 24,
    price: 25_000,
    currency: 'try',
    valid_for: { is_active: true, option: 'day', value: 1 },
    at_desk: true,
  };
  await call('POST', 'panel/voucher-batch', batch);
  const { data: lobby } = await call<{ data: { nas_identifier: string; secret: string } }>(
    'GET',
    `panel/device/${device.id}`,
  );
  const router = await openRouter(product, lobby);
  await signIn(router, await list(`panel/client?per_page=50&location_id=${hotel.id}`));
  const pictures: Record<string, Picture> = {
    dashboard: { path: '/' },
    online: { path: '/online' },
    visitors: { path: '/visitors' },
    vouchers: { path: '/vouchers' },
    devices: { path: '/devices' },
    device: { path: `/devices/${device.id}` },
    wizard: { path: '/onboarding/device?step=1', location: hotel.id },
    editor: { path: `/portals/${portal.id}/edit` },
    portal: { path: `${product.captive}/w/${lobby.nas_identifier}?${arrival}`, guest: true },
    profiles: { path: `/locations/${hotel.id}/edit/user-profiles` },
    roles: { path: '/settings/roles' },
    menu: { path: '/qrmenu/products' },
    'who-was-it': { path: '/reports/who-was-it' },
    customers: { path: '/admin/overview' },
    integrations: { path: '/integrations', press: words => [words.addIntegration] },
  };
  return { router, pictures };
}

/** Guests of the demo come online at a router, and use the internet. */
async function signIn(router: Router, visitors: readonly { username: string }[]): Promise<void> {
  for (const [index, { username }] of visitors.slice(0, guests).entries()) {
    const place = (16 + index).toString(16);
    const phone = router.lease({ mac: `02:00:00:00:01:${place}` });
    await router.signIn(phone, username, 'guest-demo');
    router.use(phone, { uploadBytes: 3e6 * (index + 1), downloadBytes: 41e6 * (guests - index) });
  }
  await router.settled();
}

/** Playwright writes PNG and JPEG only; the browser itself also writes WebP, of a third of the size. */
async function take(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  return Buffer.from(data, 'base64');
}

/**
 * Waits until nothing is loading, twice in a row. Parts that are loaded on demand bring placeholders of their own. Charts
 * and lists fade in. The live screens keep a connection open, so the network is never idle.
 */
async function settled(page: Page, { loading }: PanelWords): Promise<void> {
  const coming = page
    .locator('.mantine-Skeleton-root, [aria-busy=true]')
    .or(page.getByRole('status', { name: loading }))
    .or(page.getByText(loading, { exact: true }));
  for (let calm = 0; calm < 2; ) {
    await sleep(settleMs);
    const fonts = await Promise.all(page.frames().map(frame => frame.evaluate(() => document.fonts.status)));
    calm = (await coming.count()) === 0 && fonts.every(it => it === 'loaded') ? calm + 1 : 0;
  }
}

async function photograph(
  browser: Browser,
  it: Picture,
  {
    product,
    token,
    language,
    scheme,
  }: { product: Product; token: string; language: PanelLanguage; scheme: (typeof schemes)[number] },
): Promise<Buffer> {
  const context = await browser.newContext({
    baseURL: product.panel,
    viewport: it.guest ? phone : wide,
    locale: language,
    timezoneId: 'Europe/Istanbul',
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    const words = await enterPanel(page, { token, language, dark: scheme === 'dark' });
    await page.goto(it.path);
    await page.getByRole('heading').first().waitFor();
    for (const name of it.press?.(words) ?? []) await page.getByRole('button', { name }).first().click();
    await settled(page, words);
    if (it.guest) {
      // A guest sees the font of the portal if it is there at once, as it is now.
      await page.goto(it.path);
      await settled(page, words);
    }
    return await take(page);
  } finally {
    await context.close();
  }
}

const only = process.argv.slice(2);
const { product, stop } = await startProduct({ DEMO: '1' });
const browser = await chromium.launch({ executablePath });
const routers: Router[] = [];
try {
  const token = await tokenOf(product, account);
  const call: Call = (method, at, body) => callApi(product, { method, path: at, body, token });
  const { pictures, router } = await prepare(product, call);
  routers.push(router);
  mkdirSync(folder, { recursive: true });
  const chosen = Object.entries(pictures).filter(([name]) => only.length === 0 || only.includes(name));
  if (only.length === 0) for (const old of readdirSync(folder)) rmSync(path.join(folder, old));
  let bytes = 0;
  for (const [name, it] of chosen)
    for (const language of languages)
      for (const scheme of schemes) {
        await call('POST', `panel/user/team/change/${it.location ?? 'all'}`, {});
        const file = `${name}.${language}.${scheme}.webp`;
        const data = await photograph(browser, it, { product, token, language, scheme });
        writeFileSync(path.join(folder, file), data);
        bytes += data.length;
        process.stdout.write(`${file}  ${Math.round(data.length / 1024)} KB\n`);
      }
  process.stdout.write(`Together  ${Math.round(bytes / 1024)} KB\n`);
} finally {
  await browser.close();
  for (const router of routers) await router.close();
  await stop();
}
