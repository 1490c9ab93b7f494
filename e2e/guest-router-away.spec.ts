import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { type Guest, joinNetwork, somePage } from './src/guest.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addVisitor, makeVenue, openRouter } from './src/venue.ts';

/** The way from the sign-in page to a router that does not answer, and back to a page of ours. */

const silent = 'The Wi-Fi does not answer';

/** An address in front of the router, where guests bring their tickets. It can break connections, or leave them open. */
async function openFront(hotspotUrl: string) {
  const front = { how: 'passes' as 'passes' | 'breaks' | 'hangs' };
  const { hostname, port, host } = new URL(hotspotUrl);
  const server = http.createServer((request, response) => {
    if (front.how === 'breaks') return request.socket.destroy();
    if (front.how === 'hangs') return;
    const { method, url, headers } = request;
    const inner = http.request({ hostname, port, method, path: url, headers: { ...headers, host } }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(inner);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const login = `http://127.0.0.1:${(server.address() as AddressInfo).port}/login`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(front, { login, close });
}

const arrive = ({ page, device: { mac } }: Guest, portal: string, login: string) =>
  page.goto(`${portal}?${new URLSearchParams({ mac, ip: '10.5.50.9', login, orig: somePage })}`);

/** The browser shows its own page about an address that does not answer. */
const expectNoPage = (page: Page) => expect.poll(() => page.frames()[0]!.url()).toMatch(/^chrome-error:/);

for (const script of [true, false])
  test(`a guest comes back from a router that cannot be reached, ${script ? 'with' : 'without'} script`, async ({
    browser,
    operator,
    product,
  }) => {
    const venue = await makeVenue(operator);
    const router = await openRouter(product, venue.device);
    const front = await openFront(router.hotspotUrl);
    const guest = await joinNetwork(browser, router, { language: 'en', script, complaint: /ERR_/ });
    const { page } = guest;
    try {
      await arrive(guest, `${product.captive}/w/${venue.device.nas_identifier}`, front.login);
      front.how = 'breaks';
      await guest.signIn(venue.visitor);
      await expectNoPage(page);
      await page.goBack();
      await expect(page.getByRole('alert').getByText(silent)).toBeVisible();
      if (script) await expectAccessible(page);
      // Once more: the same page again, and no loop to the router.
      await page.getByRole('link', { name: 'Try again' }).click();
      await expectNoPage(page);
      await page.goBack();
      await expect(page.getByRole('alert').getByText(silent)).toBeVisible();
      front.how = 'passes';
      await page.getByRole('link', { name: 'Try again' }).click();
      await guest.expectOnline();
    } finally {
      await guest.close();
      await router.close();
      front.close();
    }
  });

test('without script, a page of ours stays while a router is silent, and leads back to the form', async ({
  browser,
  operator,
  product,
}) => {
  const venue = await makeVenue(operator);
  const router = await openRouter(product, venue.device);
  const front = await openFront(router.hotspotUrl);
  const guest = await joinNetwork(browser, router, { language: 'en', script: false, complaint: /ERR_/ });
  const { page, words } = guest;
  const portal = `${product.captive}/w/${venue.device.nas_identifier}`;
  try {
    await arrive(guest, portal, front.login);
    front.how = 'hangs';
    await guest.signIn(venue.visitor);
    // Locators wait until the router has answered.
    const cdp = await page.context().newCDPSession(page);
    const shown = async () => {
      const { entries, currentIndex } = await cdp.send('Page.getNavigationHistory');
      return entries[currentIndex]!;
    };
    await expect.poll(async () => (await shown()).title).toContain('Almost there');
    expect((await shown()).url).toContain('/connect?n=1');
    // Its button to the sign-in page.
    await page.goto(`${portal}/connect?form=1&lang=en`);
    await expect(page.getByLabel(words.username)).toBeVisible();
    front.how = 'passes';
    await guest.signIn(await addVisitor(operator, venue));
    await guest.expectOnline();
  } finally {
    await guest.close();
    await router.close();
    front.close();
  }
});
