// How fast the panel feels, for bench/: prints JSON. `node panel-speed.ts <address> <token> <tenant> <path>`.
// Each screen is opened in a browser without a cache, on a CPU slowed four times. Then keys and clicks are timed. The CPU
// time of these inputs is measured again without the slowdown, which takes CPU time itself.
import { type BrowserContext, type CDPSession, chromium, type Locator, type Page } from '@playwright/test';
import { executablePath } from './browser.ts';
import { cpuOfInputs } from './panel-trace.ts';

declare global {
  interface Window {
    seen: { shift: number; inputs: Record<number, number> };
  }
}

const [address = '', token = '', tenant = '', only = ''] = process.argv.slice(2);
const slowedBy = 4;
const settleMs = 800;
/** Long enough for what follows an input. */
const inputMs = 600;
/** A busy machine with a slowed CPU takes its time. */
const patienceMs = 180_000;

const kinds = ['document', 'script', 'texts', 'stylesheet', 'font', 'image', 'answers'] as const;
type Kind = (typeof kinds)[number];

interface Fetched {
  /** The bytes that the browser fetched until the screen stood still, with headers and answers of the API. */
  readonly bytes: number;
  readonly requests: number;
  /** The number of scripts, with the texts of the screen. */
  readonly scripts: number;
  readonly kinds: Readonly<Record<Kind, number>>;
}

interface Measured extends Fetched {
  readonly path: string;
  readonly shift: number;
  /** How long each input took, from the key or click to the next picture. */
  readonly inputsMs: readonly number[];
  /** The most CPU time of an input until that picture, times the slowing. */
  readonly inputCpuMs: number;
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
const tickAll: Input = page => click(page.getByRole('columnheader').getByRole('checkbox'));
const openMenu: Input = page => click(page.getByRole('cell').locator('button[aria-haspopup=menu]'));
const openFilter: Input = page => click(page.getByRole('search').getByRole('button'));
const openDialog: Input = page => click(page.getByRole('main').getByRole('button', { name: /^Add / }));
const toggle: Input = page => click(page.getByRole('main').getByRole('switch'));
const openTab: Input = page => click(page.getByRole('main').getByRole('navigation').getByRole('link'));
const chooseChart: Input = page => click(page.getByRole('main').getByText('Bandwidth', { exact: true }));
/** The last of a screen's inputs: the list may be empty afterwards. */
const typeSearch: Input = page => page.getByRole('search').getByRole('textbox').first().pressSequentially('mur');

const screens: readonly { path: string; inputs: readonly Input[] }[] = [
  { path: '/', inputs: [toggle, chooseChart, openFilter, openSearch] },
  { path: '/visitors', inputs: [sortBy, tickAll, openMenu, openFilter, openDialog, typeSearch] },
  { path: '/online', inputs: [sortBy, tickAll, openFilter, typeSearch] },
  { path: '/reports/session-history', inputs: [sortBy, openFilter] },
  { path: '/devices', inputs: [sortBy, openMenu, openFilter, openDialog, typeSearch] },
  { path: '/devices/DEVICE', inputs: [] },
  { path: '/devices/DEVICE/edit', inputs: [] },
  { path: '/locations', inputs: [sortBy, openDialog, typeSearch] },
  { path: '/portals', inputs: [] },
  { path: '/vouchers', inputs: [] },
  { path: '/settings/audit', inputs: [openFilter, openTab] },
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
      const seen: Window['seen'] = { shift: 0, inputs: {} };
      window.seen = seen;
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) {
          const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!hadRecentInput) seen.shift += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
      new PerformanceObserver(list => {
        // A click is several events; the longest counts.
        for (const entry of list.getEntries() as PerformanceEventTiming[])
          if (entry.interactionId)
            seen.inputs[entry.interactionId] = Math.max(seen.inputs[entry.interactionId] ?? 0, entry.duration);
      }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    },
    [tenant ? `portico.token.${tenant}` : 'portico.token', token] as const,
  );

const kindOf = (type: string, url: string): Kind => {
  if (/\/assets\/[\w-]+\.(en|tr)-/.test(url)) return 'texts';
  const kind = type.toLowerCase();
  return kinds.find(each => each === kind) ?? 'answers';
};

/** Counts what the page fetches from now on. */
async function countFetched(devtools: CDPSession): Promise<() => Fetched> {
  const kindsById = new Map<string, Kind>();
  const bytes = Object.fromEntries(kinds.map(kind => [kind, 0])) as Record<Kind, number>;
  let requests = 0;
  let scripts = 0;
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    kindsById.set(requestId, kindOf(type, response.url));
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kindsById.get(requestId) ?? 'answers';
    bytes[kind] += encodedDataLength;
    requests += 1;
    if (kind === 'script' || kind === 'texts') scripts += 1;
  });
  await devtools.send('Network.enable');
  return () => ({
    bytes: Object.values(bytes).reduce((sum, each) => sum + each, 0),
    requests,
    scripts,
    kinds: { ...bytes },
  });
}

/** Opens a screen and waits until nothing more is fetched. */
async function open(page: Page, path: string, fetched: () => Fetched): Promise<void> {
  await page.goto(`${address}${path}${tenant ? `?tenant=${tenant}` : ''}`, { waitUntil: 'commit' });
  // Without a place of its own the pointer is in the corner, on a link, whose screen would load beforehand.
  await page.mouse.move(800, 890);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Live changes keep one request open, so that the network is never idle.
  await page.waitForTimeout(settleMs);
  for (let before = -1; before !== fetched().bytes; await page.waitForTimeout(settleMs)) before = fetched().bytes;
}

async function give(page: Page, inputs: readonly Input[]): Promise<void> {
  for (const input of inputs) {
    await input(page);
    await page.waitForTimeout(inputMs);
    await page.keyboard.press('Escape');
    await page.waitForTimeout(inputMs);
  }
}

async function measure(context: BrowserContext, path: string, inputs: readonly Input[]): Promise<Measured> {
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowedBy });
  const fetched = await countFetched(devtools);
  await open(page, path, fetched);
  // Shifts that follow an input belong to it, even where the answer is slow.
  const shift = await page.evaluate(() => window.seen.shift);
  const first = { ...fetched(), shift };
  await give(page, inputs);
  const inputsMs = await page.evaluate(() => Object.values(window.seen.inputs));
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await open(page, path, fetched);
  const cpu = inputs.length === 0 ? 0 : await cpuOfInputs(browser, page, () => give(page, inputs));
  await page.close();
  return { path, ...first, inputsMs, inputCpuMs: cpu * slowedBy };
}

/** The least that an input can take on this machine: the same keys and clicks on a page of the browser's own parts. */
async function measureBare(context: BrowserContext): Promise<readonly number[]> {
  const body = '<h1>Bare</h1><input><button onclick="this.textContent += 1">0</button>';
  await context.route('**/bare', route => route.fulfill({ contentType: 'text/html', body }));
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowedBy });
  await page.goto(`${address}/bare`);
  const press: Input = it => it.getByRole('button').click();
  const type: Input = it => it.getByRole('textbox').pressSequentially('mur');
  await give(page, [press, type, press, type]);
  const inputsMs = await page.evaluate(() => Object.values(window.seen.inputs));
  await page.close();
  return inputsMs;
}

const browser = await chromium.launch({ executablePath });
try {
  const all: Measured[] = [];
  const bare = await browser.newContext();
  await observe(bare);
  const bareMs = await measureBare(bare);
  await bare.close();
  for (const { path, inputs } of screens.filter(screen => !only || screen.path === only)) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await observe(context);
    const at = await addressOf(path);
    all.push({ ...(await measure(context, at, inputs)), path });
    await context.close();
  }
  process.stdout.write(JSON.stringify({ bareMs, screens: all }));
} finally {
  await browser.close();
}
