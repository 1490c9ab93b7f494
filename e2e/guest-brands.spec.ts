import { startFirebox } from '@portico/simulator/firebox.ts';
import { startOpenNds } from '@portico/simulator/opennds.ts';
import { type Guest, joinNetwork, languages, somePage } from './src/guest.ts';
import type { Operator } from './src/operator.ts';
import type { Product } from './src/product.ts';
import { expect, test } from './src/test.ts';
import { addDevice, makeVenue, openRouter } from './src/venue.ts';

/**
 * Sign-in and sign-out with every brand, with and without script. Each language meets both kinds, with two brands: the texts do
 * not depend on the brand, and `guest-themes.spec.ts` renders every page in every language.
 */

// A Sophos forbids framing its answer to a form; the sign-in is complete then.
// The last one is the XML viewer of the browser, when a frame with a Sophos answer is left early.
const complaint =
  /^(Refused to display .* in a frame|Unsafe attempt to load URL .* from frame with URL chrome-error:|Failed to execute 'createHTML' on 'TrustedTypePolicy': The provided callback is no longer runnable)/;

const brands = ['mikrotik', 'sophos', 'watchguard', 'coovachilli', 'opennds'] as const;
type Brand = (typeof brands)[number];

async function openPlace(brand: Brand, operator: Operator, product: Product, locationId: string) {
  const device = await addDevice(operator, { locationId, brand });
  const { serial_number: serialNumber, secret, portal_url: portalUrl } = device;
  if (brand === 'watchguard') return startFirebox({ serialNumber, secret, portalUrl, address: '127.0.0.1' });
  if (brand === 'coovachilli') {
    const { data } = await operator.call<{ data: { text: string }[] }>('GET', `panel/device/${device.id}/setup-files`);
    const secret = /^uamsecret (\w+)$/m.exec(data[0]!.text)![1]!;
    return openRouter(product, device, { uam: { portalUrl, secret } });
  }
  if (brand === 'opennds') {
    const { data } = await operator.call<{ data: { text: string }[] }>('GET', `panel/device/${device.id}/setup-files`);
    const conf = data.map(file => file.text).find(text => text.includes('FirewallRuleSet'))!;
    const option = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(conf)![1]!;
    return startOpenNds({ portalUrl: new URL(option('faspath'), portalUrl).href, faskey: option('faskey') });
  }
  const page =
    brand === 'sophos'
      ? await operator.call<string>('POST', `panel/device/sophos/template/${device.id}`, {})
      : undefined;
  return openRouter(product, device, { sophosPage: page });
}
type Place = Awaited<ReturnType<typeof openPlace>>;

/** Without script a form posts to the Sophos, and a link leads back. */
async function byForm({ page, words, device }: Guest, place: Place, way: 'in' | 'out'): Promise<void> {
  await page.getByRole('button', { name: way === 'in' ? words.connect : words.logOut }).click();
  const session = expect.poll(() => place.session(device.mac) !== undefined);
  await session.toBe(way === 'in');
  await page.getByRole('link', { name: words.goOn, exact: true }).click();
}

async function expectForm({ page, words }: Guest): Promise<void> {
  await expect(page.getByLabel(words.username)).toBeVisible();
  const { width, needed } = await page
    .locator('html')
    .evaluate(html => ({ width: html.clientWidth, needed: html.scrollWidth }));
  expect(needed, `width of ${page.url()}`).toBeLessThanOrEqual(width);
}

for (const [index, brand] of brands.entries()) {
  for (const script of [true, false]) {
    const language = languages[(index + (script ? 0 : 2)) % languages.length]!;
    test(`signs in and out through a ${brand}, ${script ? 'with' : 'without'} script, in ${language}`, async ({
      browser,
      operator,
      product,
    }) => {
      const { locationId, visitor } = await makeVenue(operator);
      const place = await openPlace(brand, operator, product, locationId);
      const isByForm = brand === 'sophos' && !script;
      try {
        const guest = await joinNetwork(browser, place, { language, script, complaint });
        const { page, words, device } = guest;
        await guest.open();
        await expectForm(guest);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
        await guest.signIn({ ...visitor, password: 'yanlış' });
        await expect(page.getByRole('alert')).toContainText(words.wrong);
        expect(place.session(device.mac)).toBeUndefined();

        await guest.signIn(visitor);
        if (isByForm) {
          await expect(page.getByRole('heading', { name: words.oneMore })).toBeVisible();
          await byForm(guest, place, 'in');
        }
        await guest.expectOnline();
        expect(page.url(), 'the router’s own words stay out of the address').not.toContain('username');
        await expect(page.getByText(words.timeLeft)).toBeVisible();
        await expect(page.getByRole('link', { name: new URL(somePage).host })).toHaveAttribute('href', somePage);

        // A Firebox offers guests no sign-out.
        const out = page.getByRole('button', { name: words.logOut });
        if (brand === 'watchguard') await expect(out).toHaveCount(0);
        else {
          await out.click();
          if (isByForm) await byForm(guest, place, 'out');
          await expect.poll(() => place.session(device.mac)).toBeUndefined();
          if (brand === 'sophos' || brand === 'opennds') await expectForm(guest);
          else await expect(page.getByRole('heading', { name: words.loggedOut })).toBeVisible();
        }
        await page.goto(somePage);
        if (brand === 'watchguard') await expect(page.getByRole('heading', { name: 'The internet' })).toBeVisible();
        else await expectForm(guest);
        await guest.close();
      } finally {
        await place.close();
      }
    });
  }
}

test('the portal shows the reason when a Sophos refuses, with and without script', async ({
  browser,
  operator,
  product,
}) => {
  const { visitor, locationId } = await makeVenue(operator);
  const firewall = await openPlace('sophos', operator, product, locationId);
  const first = await joinNetwork(browser, firewall, { language: 'en' });
  try {
    await first.open();
    await first.signIn(visitor);
    await first.expectOnline();
    for (const script of [true, false]) {
      const other = await joinNetwork(browser, firewall, { language: 'en', script, complaint });
      await other.open();
      await other.signIn(visitor);
      if (!script) {
        await other.page.getByRole('link', { name: other.words.goOn, exact: true }).click();
        await expect(other.page.getByRole('alert')).toContainText('Not connected yet');
        // Without a frame, the browser's back button leaves the firewall's page.
        await other.page.getByRole('button', { name: 'Connect in this window' }).click();
        await other.page.waitForURL(`${firewall.hotspotUrl}/login.xml`);
        await other.page.goBack();
        const toldNo = other.page.getByRole('heading', { name: 'Too many devices' });
        const goOn = other.page.getByRole('link', { name: other.words.goOn, exact: true });
        await expect(toldNo.or(goOn)).toBeVisible();
        if (await goOn.isVisible()) await goOn.click();
      }
      await expect(other.page.getByRole('heading', { name: 'Too many devices' })).toBeVisible();
      await expect(other.page.getByRole('radio')).toHaveCount(1);
      expect(firewall.session(other.device.mac)).toBeUndefined();
      await other.close();
    }
    // The same device does not count twice, whatever the state of its session.
    await first.page.goto(`${firewall.hotspotUrl}/`);
    await first.signIn(visitor);
    await first.expectOnline();

    const stranger = await joinNetwork(browser, firewall, { language: 'en' });
    await stranger.page.goto(`${firewall.hotspotUrl}/?username=madeup&password=madeup&dst=http://evil.example/`);
    await expect(stranger.page.getByRole('alert')).toBeVisible();
    expect(stranger.page.url()).toContain(product.captive);
    await stranger.close();
  } finally {
    await first.close();
    await firewall.close();
  }
});
