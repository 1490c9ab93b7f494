// How fast guests see a page on slow 3G, for bench/: prints JSON. `node guest-speed.ts <address>…`.
// Each page is opened three times in a browser that knows nothing; the median counts.
import { chromium } from '@playwright/test';
import { executablePath } from './browser.ts';
import { phones, slowDown } from './phones.ts';

const times = 3;
const settleMs = 1000;

interface Measured {
  /** Until the first text is there. */
  readonly paintMs: number;
  /** Until everything is there, with pictures. */
  readonly loadMs: number;
  readonly bytes: number;
}

const browser = await chromium.launch({ executablePath });

async function measure(address: string): Promise<Measured> {
  const context = await browser.newContext({ ...phones.android, locale: 'tr' });
  try {
    const page = await context.newPage();
    const traffic = await slowDown(page);
    await page.goto(address, { waitUntil: 'load', timeout: 120_000 });
    await page.waitForTimeout(settleMs);
    const seen = await page.evaluate(() => {
      const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const [painted] = performance.getEntriesByName('first-contentful-paint');
      return { paintMs: painted?.startTime ?? 0, loadMs: loaded?.loadEventStart ?? 0 };
    });
    return { ...seen, bytes: traffic.all() };
  } finally {
    await context.close();
  }
}

try {
  const all: Measured[] = [];
  for (const address of process.argv.slice(2)) {
    const runs: Measured[] = [];
    for (let i = 0; i < times; i += 1) runs.push(await measure(address));
    all.push(runs.sort((a, b) => a.loadMs - b.loadMs)[Math.floor(times / 2)]!);
  }
  process.stdout.write(JSON.stringify(all));
} finally {
  await browser.close();
}
