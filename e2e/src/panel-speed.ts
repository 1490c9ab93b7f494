// How fast the panel feels, for bench/: prints JSON. `node panel-speed.ts <address> <token> <tenant>`.
// Each screen is opened in a browser that knows nothing, on a CPU slowed four times; then keys and clicks are timed.
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { executablePath } from './browser.ts';

declare global {
  interface Window {
    seen: { shift: number; input: number };
  }
}

const [address = '', token = '', tenant = ''] = process.argv.slice(2);
const slowedBy = 4;
const settleMs = 800;
/** Long enough for what follows an input. */
const inputMs = 600;

interface Measured {
  readonly path: string;
  /** The bytes that the browser fetched until the screen stood still, with headers and answers of the API. */
  readonly bytes: number;
  readonly requests: number;
  readonly shift: number;
  /** The slowest of the inputs, from the key or click to the next picture. */
  readonly inputMs: number;
}

type Input = (page: Page) => Promise<void>;

/** Lists can be empty, and then have no table. */
const click = async (target: Locator): Promise<void> => {
  if (await target.count()) await target.first().click();
};
const openSearch: Input = async page => {
  await page.keyboard.press('Control+k');
  await page.waitForTimeout(inputMs);
  await page.keyboard.type('ay');
};
const sortBy: Input = page => click(page.getByRole('columnheader').getByRole('button'));
const openMenu: Input = page => click(page.getByRole('cell').locator('button[aria-haspopup=menu]'));
/** The last of a screen's inputs: the list may be empty afterwards. */
const typeSearch: Input = page => page.getByRole('search').getByRole('textbox').first().pressSequentially('mur');

const screens: readonly { path: string; inputs: readonly Input[] }[] = [
  { path: '/', inputs: [openSearch] },
  { path: '/visitors', inputs: [sortBy, openMenu, typeSearch] },
  { path: '/online', inputs: [sortBy, typeSearch] },
  { path: '/reports/session-history', inputs: [sortBy] },
  { path: '/devices', inputs: [sortBy, openMenu, typeSearch] },
  { path: '/devices/DEVICE', inputs: [] },
  { path: '/devices/DEVICE/edit', inputs: [] },
  { path: '/locations', inputs: [sortBy, typeSearch] },
  { path: '/portals', inputs: [] },
  { path: '/vouchers', inputs: [] },
  { path: '/settings/audit', inputs: [] },
];

async function addressOf(path: string): Promise<string> {
  if (!path.includes('DEVICE')) return path;
  const headers = { authorization: `Bearer ${token}`, 'x-tenant': tenant };
  const answer = await fetch(`${address}/v1/panel/device?per_page=1`, { headers });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return path.replace('DEVICE', data[0]?.id ?? '');
}

/** Counts shifts of the layout and the time of inputs from the first document on. */
const observe = (context: BrowserContext) =>
  context.addInitScript(
    ([name, kept]) => {
      localStorage.setItem(name, kept);
      localStorage.setItem('portico.language', 'en');
      const seen = { shift: 0, input: 0 };
      window.seen = seen;
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) {
          const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!hadRecentInput) seen.shift += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
      new PerformanceObserver(list => {
        for (const entry of list.getEntries() as PerformanceEventTiming[])
          if (entry.interactionId) seen.input = Math.max(seen.input, entry.duration);
      }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    },
    [tenant ? `portico.token.${tenant}` : 'portico.token', token] as const,
  );

async function measure(context: BrowserContext, path: string, inputs: readonly Input[]): Promise<Measured> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowedBy });
  await devtools.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.goto(`${address}${path}${tenant ? `?tenant=${tenant}` : ''}`, { waitUntil: 'commit' });
  // Without a place of its own the pointer is in the corner, on a link, whose screen would load beforehand.
  await page.mouse.move(800, 890);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Live changes keep one request open, so that the network is never idle.
  await page.waitForTimeout(settleMs);
  for (let before = -1; before !== bytes; await page.waitForTimeout(settleMs)) before = bytes;
  // Shifts that follow an input belong to it, even where the answer is slow.
  const shift = await page.evaluate(() => window.seen.shift);
  const first = { bytes, requests, shift };
  for (const input of inputs) {
    await input(page);
    await page.waitForTimeout(inputMs);
    await page.keyboard.press('Escape');
    await page.waitForTimeout(inputMs);
  }
  const slowest = await page.evaluate(() => window.seen.input);
  await page.close();
  return { path, ...first, inputMs: slowest };
}

const browser = await chromium.launch({ executablePath });
try {
  const all: Measured[] = [];
  for (const { path, inputs } of screens) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await observe(context);
    const at = await addressOf(path);
    all.push({ ...(await measure(context, at, inputs)), path });
    await context.close();
  }
  process.stdout.write(JSON.stringify(all));
} finally {
  await browser.close();
}
