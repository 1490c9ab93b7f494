import type { BrowserContext } from '@playwright/test';
import { deviceHeader } from '@portico/simulator/hotspot-pages.ts';
import { type PostBrandName, postBrands } from '@portico/simulator/post-brands.ts';
import { joinNetwork, somePage } from './src/guest.ts';
import { passOn, refuseCookies } from './src/no-cookies.ts';
import type { Operator } from './src/operator.ts';
import { expect, test } from './src/test.ts';
import { addDevice, addVisitor, makeVenue, openRouter } from './src/venue.ts';

/** Gateways whose guests post a vendor's form to them: the form is sent by a real browser, under the page's own policy. */

/** The vendor's host, which is found at the gateway of this test only. */
const atGateway = (context: BrowserContext, host: string, gateway: string, mac: string) =>
  context.route(
    url => url.hostname === host,
    async route => {
      const { pathname, search } = new URL(route.request().url());
      await passOn(route, gateway + pathname + search, { [deviceHeader]: mac });
    },
  );

/** The gateway's own page, which the operator uploads there. */
async function setupPage(operator: Operator, deviceId: string, name: string): Promise<string> {
  const { data } = await operator.call<{ data: { name: string; text: string }[] }>(
    'GET',
    `panel/device/${deviceId}/setup-files`,
  );
  return data.find(file => file.name === name)!.text;
}

/** All brands and all methods are tried by `every-brand.test.ts`. These two differ for a browser: a form after a redirect, and one after a page of the gateway. */
for (const brand of ['meraki', 'pfsense'] as const satisfies PostBrandName[])
  test(`a guest of ${brand} signs in: the browser sends the vendor’s form`, async ({ browser, operator, product }) => {
    const venue = await makeVenue(operator);
    const device = await addDevice(operator, { locationId: venue.locationId, brand });
    const page = brand === 'pfsense' ? await setupPage(operator, device.id, 'portal.html') : '';
    const post = { brand, portalUrl: device.portal_url, page };
    const gateway = await openRouter(product, device, { post });
    const { host } = postBrands[brand];
    try {
      for (const script of [true, false]) {
        const guest = await joinNetwork(browser, gateway, { language: 'en', script });
        const { words, device: phone } = guest;
        await atGateway(guest.page.context(), host, gateway.hotspotUrl, phone.mac);
        await guest.open();
        await guest.signIn(script ? venue.visitor : await addVisitor(operator, venue));
        // Without script the guest presses the button of the vendor's form.
        if (!script) {
          await expect(guest.page.getByRole('heading', { name: words.oneMore })).toBeVisible();
          await guest.page.getByRole('button', { name: words.connect }).click();
        }
        await guest.expectOnline();
        if (script) await expect(guest.page.getByRole('link', { name: new URL(somePage).host })).toBeVisible();
        await guest.close();
      }
    } finally {
      await gateway.close();
    }
  });

test('a guest whose browser refuses cookies gets through the vendor’s form', async ({ browser, operator, product }) => {
  const venue = await makeVenue(operator);
  const device = await addDevice(operator, { locationId: venue.locationId, brand: 'meraki' });
  const gateway = await openRouter(product, device, {
    post: { brand: 'meraki', portalUrl: device.portal_url, page: '' },
  });
  try {
    for (const script of [true, false]) {
      // The status page is refused without the cookie, which the browser notes.
      const guest = await joinNetwork(browser, gateway, { language: 'en', script, complaint: /403/ });
      const { page, words, device: phone } = guest;
      await atGateway(page.context(), postBrands.meraki.host, gateway.hotspotUrl, phone.mac);
      await refuseCookies(page.context(), product.captive);
      await guest.open();
      await guest.signIn(script ? venue.visitor : await addVisitor(operator, venue));
      if (!script) await page.getByRole('button', { name: words.connect }).click();
      await expect(page.getByRole('heading', { name: 'Your visit is not shown here' })).toBeVisible();
      expect(gateway.session(phone.mac)).toBeDefined();
      // Redirects are followed without the route, so another cookie may be there.
      expect((await page.context().cookies()).map(it => it.name)).not.toContain('portico_visit');
      await guest.close();
    }
  } finally {
    await gateway.close();
  }
});

test('a guest of OPNsense signs in and out by the template’s script', async ({ browser, operator, product }) => {
  const venue = await makeVenue(operator);
  const device = await addDevice(operator, { locationId: venue.locationId, brand: 'opnsense' });
  const opnsense = await setupPage(operator, device.id, 'index.html');
  const firewall = await openRouter(product, device, { opnsensePage: opnsense });
  const guest = await joinNetwork(browser, firewall, { language: 'en' });
  const { page, words, device: phone } = guest;
  try {
    await guest.open();
    await guest.signIn(venue.visitor);
    await guest.expectOnline();
    await expect(page.getByRole('link', { name: new URL(somePage).host })).toHaveAttribute('href', somePage);
    await page.getByRole('button', { name: words.logOut }).click();
    await expect.poll(() => firewall.session(phone.mac)).toBeUndefined();
    await expect(page.getByLabel(words.username)).toBeVisible();
    // A ticket that RADIUS refuses leads back to the portal.
    await page.goto(`${firewall.hotspotUrl}/index.html?username=madeup&password=madeup&dst=http://evil.example/`);
    await expect(page.getByRole('alert')).toBeVisible();
    expect(page.url()).toContain(product.captive);
    await guest.close();
  } finally {
    await firewall.close();
  }
});
