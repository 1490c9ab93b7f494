import type { BrowserContext } from '@playwright/test';
import { deviceHeader } from '@portico/simulator/hotspot-pages.ts';
import { type PostBrandName, postBrands } from '@portico/simulator/post-brands.ts';
import { joinNetwork } from './src/guest.ts';
import type { Operator } from './src/operator.ts';
import { expect, test } from './src/test.ts';
import { addDevice, makeVenue, openRouter, type Venue } from './src/venue.ts';

/** Gateways whose guests post a vendor's form to them: the form is sent by a real browser, under the page's own policy. */

const offer = (operator: Operator, { portalId }: Venue, slug: string) =>
  operator.call('PUT', `panel/portal/${portalId}`, { providers: [{ slug, order: 0, is_active: true }] });

/** The vendor's host, which is found at the gateway of this test only. */
const atGateway = (context: BrowserContext, host: string, gateway: string, mac: string) =>
  context.route(
    url => url.hostname === host,
    async route => {
      const request = route.request();
      const { pathname, search } = new URL(request.url());
      const type = request.headers()['content-type'];
      const body = request.postDataBuffer();
      const answer = await fetch(gateway + pathname + search, {
        method: request.method(),
        redirect: 'manual',
        headers: { [deviceHeader]: mac, ...(type && { 'content-type': type }) },
        ...(body && { body: new Uint8Array(body) }),
      });
      const headers = Object.fromEntries(answer.headers);
      await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
    },
  );

for (const brand of Object.keys(postBrands) as PostBrandName[])
  test(`a guest of ${brand} signs in with each method: the browser sends the vendor’s form`, async ({
    browser,
    operator,
    product,
  }) => {
    test.setTimeout(120_000);
    const venue = await makeVenue(operator);
    const device = await addDevice(operator, { locationId: venue.locationId, brand });
    const post = { brand, portalUrl: device.portal_url };
    const gateway = await openRouter(product, device, undefined, undefined, undefined, undefined, undefined, post);
    const { host } = postBrands[brand];
    try {
      for (const [method, script] of [
        ['username', true],
        ['username', false],
        ['email', true],
        ['temp', true],
        ['temp', false],
      ] as const) {
        await offer(operator, venue, method);
        const guest = await joinNetwork(browser, gateway, { language: 'en', script });
        const { page, words, device: phone } = guest;
        await atGateway(page.context(), host, gateway.hotspotUrl, phone.mac);
        await guest.open();
        if (method === 'username') await guest.signIn(venue.visitor);
        else {
          if (method === 'email') await page.getByLabel('E-mail').fill(`${phone.mac.replaceAll(':', '')}@example.com`);
          await page.getByRole('button', { name: words.connect }).click();
        }
        // Without script the guest presses the button of the vendor's form.
        if (!script) {
          await expect(page.getByRole('heading', { name: words.oneMore })).toBeVisible();
          await page.getByRole('button', { name: words.connect }).click();
        }
        await guest.expectOnline();
        gateway.signOut(gateway.session(phone.mac)!.device);
        await guest.close();
      }
    } finally {
      await gateway.close();
    }
  });
