import { type Browser, devices } from '@playwright/test';
import { callApi } from './src/operator.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, randomMac } from './src/venue.ts';

/** Slow 3G, as the field measures it: 400 kbit/s and a round trip of 400 ms. */
const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** A picture with the details of a photograph, as a JPEG file. */
async function photograph(browser: Browser): Promise<Blob> {
  const page = await browser.newPage();
  const text = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2400, 1600);
    const pen = canvas.getContext('2d')!;
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let i = 0; i < 6000; i += 1) {
      pen.fillStyle = `hsl(${random() * 360} 60% ${random() * 90}% / .5)`;
      pen.beginPath();
      pen.arc(random() * 2400, random() * 1600, 4 + random() * 90, 0, 7);
      pen.fill();
    }
    const bytes = new Uint8Array(
      await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })).arrayBuffer(),
    );
    return bytes.reduce((all, it) => all + String.fromCharCode(it), '');
  });
  await page.close();
  return new Blob([Buffer.from(text, 'latin1')], { type: 'image/jpeg' });
}

for (const [phone, device] of [
  ['an iPhone', devices['iPhone 13']],
  ['an Android of 360 pixels', devices['Galaxy S8']],
] as const)
  for (const script of [true, false])
    test(`the sign-in page with a photograph is light on ${phone}, ${script ? 'with' : 'without'} script`, async ({
      browser,
      operator,
      product,
    }, info) => {
      const { device: router, portalId } = await makeVenue(operator);
      const body = new FormData();
      body.set('collection', 'background');
      body.set('file', await photograph(browser), 'photo.jpg');
      const { token } = operator;
      const call = { method: 'POST', path: `panel/portal/${portalId}/image`, body, token };
      const { data } = await callApi<{ data: { url: string } }>(product, call);
      await operator.call('PUT', `panel/portal/${portalId}`, {
        styles: { background_type: 'image', background_image: data.url },
      });
      const { defaultBrowserType: _, ...look } = device!;
      const context = await browser.newContext({ ...look, javaScriptEnabled: script });
      const page = await context.newPage();
      const network = await context.newCDPSession(page);
      await network.send('Network.enable');
      await network.send('Network.emulateNetworkConditions', slow);
      const bytes = new Map<string, number>();
      const types = new Map<string, string>();
      network.on('Network.responseReceived', it => types.set(it.requestId, it.type));
      network.on('Network.loadingFinished', it => {
        const type = types.get(it.requestId) ?? 'Other';
        bytes.set(type, (bytes.get(type) ?? 0) + it.encodedDataLength);
      });
      const login = encodeURIComponent('http://10.5.50.1/login');
      const began = Date.now();
      await page.goto(
        `${product.captive}/w/${router.nas_identifier}?mac=${randomMac()}&ip=10.5.50.9&login=${login}&lang=en`,
      );
      const took = Date.now() - began;
      info.annotations.push({ type: 'loaded', description: `${took} ms, ${JSON.stringify([...bytes])}` });
      console.log(`${phone}, script ${script}: loaded after ${took} ms, bytes ${JSON.stringify([...bytes])}`);
      expect(bytes.get('Document')).toBeLessThan(14_000);
      expect(bytes.get('Image')).toBeLessThan(62_000);
      const { width, needed } = await page
        .locator('html')
        .evaluate(html => ({ width: html.clientWidth, needed: html.scrollWidth }));
      expect(needed).toBeLessThanOrEqual(width);
      if (script) {
        const shift = await page.evaluate(
          () =>
            new Promise<number>(resolve => {
              let sum = 0;
              new PerformanceObserver(list => {
                for (const it of list.getEntries()) sum += (it as PerformanceEntry & { value: number }).value;
              }).observe({ type: 'layout-shift', buffered: true });
              setTimeout(() => resolve(sum), 300);
            }),
        );
        expect(shift).toBeLessThan(0.02);
      }
      await context.close();
    });
