import { devices, expect, type Page, type Response } from '@playwright/test';
import { directionOf } from '@portico/contract/portal-languages.ts';
import { expectFits } from './fits.ts';

/** Phones on a slow network, and what a page costs on it. */

/** WebKit is not at hand: Chromium has the window, the touch and the name of an iPhone. */
export const phones = { iphone: devices['iPhone 15']!, android: devices['Galaxy S24']! } as const;
export type PhoneName = keyof typeof phones;

/** "Slow 3G" as the developer tools of Chromium had it. */
const slow3G = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000, offline: false };

/** The most that the first view may take, in bytes on the wire without pictures: one round trip of a new connection. */
const maxFirstView = 14 * 1024;
/** The same for a whole visit: every page from the first one to the internet. */
const maxVisit = 96 * 1024;
const maxShift = 0.02;

const fast = { latency: 0, downloadThroughput: -1, uploadThroughput: -1, offline: false };

/** Bytes on the wire since the page was slowed down. */
interface Traffic {
  readonly text: () => number;
  readonly all: () => number;
  /** Ends the slow processor; Chromium keeps a real one busy for it. */
  readonly endSlowProcessor: () => Promise<unknown>;
  readonly endSlowNetwork: () => Promise<unknown>;
}

/** Gives a page a slow network and a slow processor, and counts what arrives. */
export async function slowDown(page: Page): Promise<Traffic> {
  const cdp = await page.context().newCDPSession(page);
  const pictures = new Set<string>();
  let [text, all] = [0, 0];
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Image' || type === 'Media') pictures.add(requestId);
  });
  cdp.on('Network.requestWillBeSent', ({ redirectResponse }) => {
    const { encodedDataLength = 0 } = redirectResponse ?? {};
    text += encodedDataLength;
    all += encodedDataLength;
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    all += encodedDataLength;
    if (!pictures.has(requestId)) text += encodedDataLength;
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slow3G);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return {
    text: () => text,
    all: () => all,
    endSlowProcessor: () => cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 }),
    endSlowNetwork: () => cdp.send('Network.emulateNetworkConditions', fast),
  };
}

/** Expects the first page to be there after one answer, to weigh little, and to stay where it is. */
export async function expectLight(page: Page, traffic: Traffic, script: boolean): Promise<void> {
  await page.waitForLoadState('load');
  // The count comes by another way than the page.
  await expect.poll(traffic.text, 'bytes of the first view').toBeGreaterThan(1000);
  expect(traffic.text(), 'bytes of the first view').toBeLessThanOrEqual(maxFirstView);
  const blocking = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as (PerformanceResourceTiming & { renderBlockingStatus?: string })[])
      .filter(it => it.renderBlockingStatus === 'blocking')
      .map(it => it.name),
  );
  expect(blocking, 'what the first paint waits for, besides the page').toEqual([]);
  // Without script, the browser does not call the observer.
  if (script) expect(await shiftOf(page), 'layout shift').toBeLessThan(maxShift);
}

export const expectLightVisit = (traffic: Traffic): void =>
  expect(traffic.text(), 'bytes of the visit').toBeLessThanOrEqual(maxVisit);

/** The cumulative layout shift of the page until now. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0;
        new PerformanceObserver(list => {
          for (const it of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!it.hadRecentInput) sum += it.value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
      }),
  );

interface Look {
  readonly language: string;
  /** The size of the text in percent, as the phone's settings have it. */
  readonly text: 100 | 200;
}

/** Expects the page in the guest's language, in its direction, and nothing wider than the phone. */
export async function expectReadable(page: Page, { language, text }: Look): Promise<void> {
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', language);
  await expect(html).toHaveAttribute('dir', directionOf(language));
  await html.evaluate((it, size) => it.style.setProperty('font-size', size), `${text}%`);
  await expectFits(page);
}

/** Presses a button of a form; expects a redirect to a page that can be loaded again. */
export async function submit(page: Page, press: () => Promise<void>): Promise<Response> {
  const answered = page.waitForResponse(it => it.request().method() === 'POST');
  const loaded = page.waitForEvent('load');
  await press();
  const answer = await answered;
  expect(answer.status(), `the answer to the form of ${answer.url()}`).toBe(303);
  await loaded;
  return answer;
}
