import { startFirebox } from '@portico/simulator/firebox.ts';
import { joinNetwork, somePage } from './src/guest.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addDevice, makeVenue, openRouter } from './src/venue.ts';

for (const script of [true, false]) {
  test(`a guest's way into the internet through a WatchGuard (${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const { visitor, locationId } = await makeVenue(operator);
    const device = await addDevice(operator, { locationId, brand: 'watchguard' });
    const { serial_number: serialNumber, secret, portal_url: portalUrl } = device;
    const firebox = await startFirebox({ serialNumber, secret, portalUrl, address: '127.0.0.1' });
    const guest = await joinNetwork(browser, firebox, { language: 'en', script });
    try {
      await guest.open();
      expect(guest.page.url()).toContain(`${product.captive}/wg?`);
      if (script) await expectAccessible(guest.page);
      await guest.signIn({ ...visitor, password: 'yanlış' });
      await expect(guest.page.getByRole('alert')).toContainText(guest.words.wrong);
      expect(firebox.session(guest.device.mac)).toBeUndefined();
      await guest.signIn(visitor);
      await guest.expectOnline();
      expect(firebox.session(guest.device.mac)?.sessionTimeout).toBeLessThanOrEqual(7200);
      await guest.page.goto(somePage);
      await expect(guest.page.getByRole('heading', { name: 'The internet' })).toBeVisible();
      const online = await operator.call<{ data: { client_mac: string }[] }>('GET', 'panel/onlines');
      expect(online.data.map(it => it.client_mac)).toContain(guest.device.mac);
    } finally {
      await guest.close();
      await firebox.close();
    }
  });
}

test('a guest’s way into the internet through a Sophos', async ({ browser, operator, product }) => {
  const { visitor, locationId } = await makeVenue(operator);
  const device = await addDevice(operator, { locationId, brand: 'sophos' });
  const page = await operator.call<string>('POST', `panel/device/sophos/template/${device.id}`, {});
  const firewall = await openRouter(product, device, undefined, page);
  const guest = await joinNetwork(browser, firewall, { language: 'en' });
  try {
    await guest.open();
    await guest.page.waitForURL(`${product.captive}/w/${device.nas_identifier}?**`);
    await expectAccessible(guest.page);
    await guest.signIn({ ...visitor, password: 'yanlış' });
    await expect(guest.page.getByRole('alert')).toContainText(guest.words.wrong);
    await guest.signIn(visitor);
    await guest.expectOnline();
    expect(guest.page.url(), 'no ticket stays in the address').not.toContain('username');
    await guest.page.goto(somePage);
    await expect(guest.page.getByRole('heading', { name: 'The internet' })).toBeVisible();

    // What the firewall refuses is told on our page.
    const other = await joinNetwork(browser, firewall, { language: 'en' });
    await other.page.goto(`${firewall.hotspotUrl}/?username=madeup&password=madeup&dst=http://evil.example/`);
    await other.page.waitForURL(`${product.captive}/w/${device.nas_identifier}?**`);
    await expect(other.page.getByRole('alert')).toBeVisible();
    await other.close();
  } finally {
    await guest.close();
    await firewall.close();
  }
});
