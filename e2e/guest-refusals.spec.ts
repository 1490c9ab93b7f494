import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { signInRefusals } from '@portico/contract/sessions.ts';
import { type Guest, joinNetwork } from './src/guest.ts';
import { makeOperator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { noonZone } from './src/passing-time.ts';
import { startProduct } from './src/product.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script';

  test(`guests see that the hotspot is off (${how})`, async ({ browser, operator, product }) => {
    const { visitor, device } = await makeVenue(operator);
    const router = await openRouter(product, device);
    const guest = await joinNetwork(browser, router, { language: 'en', script });
    try {
      await operator.call('PATCH', `panel/device/${device.id}/management/disableHotspot`);
      await guest.open();
      await expect(guest.page.getByRole('heading', { name: 'Guest Wi-Fi is switched off' })).toBeVisible();
      if (script) await expectAccessible(guest.page);
      const answer = await router.signIn(guest.device, visitor.username, visitor.password);
      expect(answer).toMatchObject({ outcome: 'rejected', message: signInRefusals.hotspot_off.en });

      await operator.call('PATCH', `panel/device/${device.id}/management/enableHotspot`);
      await guest.page.getByRole('link', { name: 'Try again' }).click();
      await guest.signIn(visitor);
      await guest.expectOnline();
    } finally {
      await guest.close();
      await router.close();
    }
  });

  test(`a visitor before and after the validity, and with one device too many (${how})`, async ({
    browser,
    operator,
    product,
  }) => {
    const { visitor, device } = await makeVenue(operator);
    const router = await openRouter(product, device);
    const guest = await joinNetwork(browser, router, { script });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const allow = (from: string | null, until: string | null) =>
      operator.call('PUT', `panel/client/${visitor.id}`, {
        name: 'Ayşe Gül Işık',
        provider_type: 'username',
        username: visitor.username,
        session_start_at: from,
        session_end_at: until,
      });
    const { page } = guest;
    const expectMessage = (title: string) => expect(page.getByRole('heading', { name: title })).toBeVisible();
    const toForm = () => page.getByRole('link', { name: 'Giriş sayfasına dön' }).click();
    try {
      await allow(inDays(1), inDays(2));
      await guest.open();
      await guest.signIn(visitor);
      await expectMessage('Erişim süreniz henüz başlamadı');
      if (script) await expectAccessible(page);
      await toForm();
      await allow(inDays(-2), inDays(-1));
      await guest.signIn(visitor);
      await expectMessage('Erişiminiz sona erdi');
      if (script) await expectAccessible(page);
      await toForm();
      await allow(null, null);
      await router.signIn(router.lease({ mac: randomMac() }), visitor.username, visitor.password);
      await router.settled();
      await guest.signIn(visitor);
      // The page offers to disconnect another device.
      await expectMessage('Çok fazla cihaz bağlı');
      expect(router.session(guest.device.mac)).toBeUndefined();
    } finally {
      await guest.close();
      await router.close();
    }
  });
}

test('an unknown network, and a visit without a router', async ({ page, operator, product }) => {
  const { device } = await makeVenue(operator);
  await page.goto(`${product.captive}/w/nosuchrouter1?mac=02:00:00:00:00:01&ip=10.5.50.2&login=http://10.5.50.1/login`);
  await expect(page.getByRole('heading', { name: 'This Wi-Fi is not set up yet' })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${product.captive}/w/${device.nas_identifier}`);
  await expect(page.getByRole('heading', { name: 'Join the Wi-Fi first' })).toBeVisible();
  const elsewhere = 'mac=02:00:00:00:00:01&ip=10.5.50.2&login=https://example.com/login';
  await page.goto(`${product.captive}/w/${device.nas_identifier}?${elsewhere}`);
  await expect(page.getByRole('heading', { name: 'can’t be trusted' })).toBeVisible();
});

test('without a licence portal, RADIUS and panel refuse; with one all accept', async ({ browser, page }) => {
  // A trial cannot be shortened, so another instance runs without trials.
  const { product, stop } = await startProduct({ TRIAL_DAYS: '0' });
  try {
    const operator = await makeOperator(product);
    const { visitor, device } = await makeVenue(operator);
    const router = await openRouter(product, device);
    const guest = await joinNetwork(browser, router);
    const plain = await joinNetwork(browser, router, { script: false });
    for (const { open, page: seen } of [guest, plain])
      await expect(async () => {
        // A licence counts to the end of its last second, and a page that is open stays as it is.
        await open();
        await expect(seen.getByRole('heading', { name: 'Misafir interneti durduruldu' })).toBeVisible({
          timeout: 1000,
        });
      }).toPass();
    await expectAccessible(guest.page);
    const answer = await router.signIn(guest.device, visitor.username, visitor.password);
    expect(answer).toMatchObject({ outcome: 'rejected', message: signInRefusals.license_over.en });

    const words = await enterPanel(page, { token: operator.token, language: 'tr' });
    await page.goto(`${product.panel}/devices/${device.id}`);
    const stopped = page.getByRole('region', { name: words.control.stopped });
    await expect(stopped).toBeVisible();
    await expect(page.getByText(words.control.stopped).first()).toBeVisible();
    await expect(page.getByRole('switch')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: words.control.years(1) }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.control.license }).click();
    await expect(page.getByText(words.control.licensed)).toBeVisible();
    await expect(stopped).toHaveCount(0);
    await expect(page.getByRole('switch', { name: words.control.on })).toBeVisible();
    // One after the other, because an account is valid for one device.
    for (const each of [guest, plain]) {
      await each.open();
      await each.signIn(visitor);
      await each.expectOnline();
      await each.close();
      router.signOut(each.device);
      await router.settled();
    }
    await router.close();
  } finally {
    await stop();
  }
});

test('every other refusal has its page, also without script', async ({ browser, operator, product }) => {
  const { visitor, device, locationId, portalId } = await makeVenue(operator);
  const router = await openRouter(product, device);
  const join = () => joinNetwork(browser, router, { language: 'en', script: false });
  const expectMessage = (guest: Guest, title: string) =>
    expect(guest.page.getByRole('heading', { name: title }), guest.page.url()).toBeVisible();
  try {
    await operator.call('PUT', `panel/location/${locationId}`, { time_zone: noonZone() });
    const blocked = await join();
    const rule = { mac: blocked.device.mac, type: 'blocked', comment: '' };
    await operator.call('POST', `panel/device/${device.id}/macs`, rule);
    await blocked.open();
    await expectMessage(blocked, blocked.words.blocked);
    await blocked.close();

    const pausing = await join();
    await pausing.open();
    await operator.call('POST', `panel/client/${visitor.id}/pause`, {});
    await pausing.signIn(visitor);
    await expectMessage(pausing, 'Your access is paused');
    await operator.call('POST', `panel/client/${visitor.id}/resume`, {});
    await pausing.page.getByRole('link', { name: 'To the sign-in page' }).click();
    await pausing.signIn(visitor);
    await pausing.expectOnline();
    await operator.call('PUT', `panel/location/${locationId}`, {
      daily_bandwidth_enabled: true,
      daily_bandwidth: 1,
      daily_bandwidth_unit: 'mb',
    });
    router.use(pausing.device, { uploadBytes: 1_000_000, downloadBytes: 5_000_000 });
    router.signOut(pausing.device);
    await router.settled();
    await pausing.open();
    await pausing.signIn(visitor);
    await expectMessage(pausing, 'Today’s data is used up');
    await pausing.close();

    await operator.call('PUT', `panel/portal/${portalId}`, { providers: [{ slug: 'sms', order: 1, options: {} }] });
    const texting = await join();
    await texting.open();
    await texting.page.getByLabel('Phone number').fill(`+90532${String(randomInt(1e7)).padStart(7, '0')}`);
    await texting.page.getByRole('button', { name: texting.words.connect }).click();
    const tryCode = async () => {
      await texting.page.getByLabel('Code from the message').fill('00000x');
      // The page after a second wrong code looks the same, so wait for the load.
      const answered = texting.page.waitForEvent('load');
      await texting.page.getByRole('button', { name: texting.words.connect }).click();
      await answered;
    };
    for (let tries = 1; tries <= 5; tries += 1) {
      await tryCode();
      await expectMessage(texting, 'Wrong code');
    }
    await tryCode();
    await expectMessage(texting, 'This code is no longer valid');
    await texting.close();
  } finally {
    await router.close();
  }
});

test('a router without RADIUS, and one that sends no MAC address, are reported', async ({
  browser,
  operator,
  product,
}) => {
  const { visitor, device } = await makeVenue(operator);
  const comeBy = async (
    deaf: 'radiusAuthPort' | 'radiusAcctPort',
    title: string,
    act?: (page: Page) => Promise<unknown>,
  ) => {
    // A closed port.
    const router = await openRouter({ ...product, [deaf]: 9 }, device, { attempts: 1 });
    const guest = await joinNetwork(browser, router, { language: 'en', script: false });
    await guest.open();
    await guest.signIn(visitor);
    await act?.(guest.page);
    await expect(guest.page.getByRole('heading', { name: title })).toBeVisible();
    await guest.close();
    await router.close();
  };
  await comeBy('radiusAuthPort', 'The sign-in service is not answering');
  await comeBy('radiusAcctPort', 'The router has not let you in', async page => {
    await expect(page.getByRole('heading', { name: 'Almost there' })).toBeVisible();
    // Simulates half a minute of retries; the page retries by itself meanwhile, possibly at the same time.
    await expect(() => page.goto(`${page.url().replace(/&n=\d/, '')}&n=9`)).toPass();
  });
});
