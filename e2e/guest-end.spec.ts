import { joinNetwork } from './src/guest.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openTimeMachine } from './src/venue.ts';

/** An open status page tells by itself what is left, and that the session has ended. */

const texts = {
  tr: {
    left: 'Kalan veri',
    byStaff: 'Oturumunuzu görevliler kapattı',
    again: 'Yeniden giriş yap',
    over: 'Erişiminiz sona erdi',
    soon: 'Erişiminiz bitmek üzere',
  },
  en: {
    left: 'Data left',
    byStaff: 'The staff ended your session',
    again: 'Sign in again',
    over: 'Your access has ended',
    soon: 'Your access is nearly over',
  },
} as const;

for (const language of ['tr', 'en'] as const)
  test(`an open page counts the data down, and says by itself why the session is over (${language})`, async ({
    browser,
    operator,
    product,
  }) => {
    const say = texts[language];
    const venue = await makeVenue(operator);
    const { portalId, profileId, locationId, visitor } = venue;
    const providers = ['username', 'voucher'].map((slug, order) => ({ slug, order, is_active: true }));
    await operator.call('PUT', `panel/portal/${portalId}`, { providers });
    await operator.call('PUT', `panel/location/user-profile/${profileId}`, {
      name: 'Standart',
      location_id: locationId,
      total_quota: { is_active: true, option: 'mb', value: 120 },
    });
    const router = await openTimeMachine(product, venue.device);
    const guest = await joinNetwork(browser, router, { language });
    const { page, device } = guest;
    const main = page.locator('main');
    const heading = (name: string) => page.getByRole('heading', { name });
    const dataLeft = main.locator('dl > div').filter({ hasText: say.left }).locator('dd');
    /** Uses data, and waits until the router has reported it. */
    const use = async (downloadBytes: number) => {
      const session = router.session(device.mac)!;
      const before = session.lastUpdateAt;
      router.use(device, { uploadBytes: 0, downloadBytes });
      router.jump(61);
      await expect.poll(() => session.lastUpdateAt > before).toBe(true);
      await router.settled();
    };
    // The page asks every five minutes at least.
    const later = async () => {
      // The script of the page sets its timer before this event.
      await page.waitForLoadState('load');
      await page.clock.fastForward('06:00');
    };
    try {
      await page.clock.install();
      await guest.open();
      await guest.signIn(visitor);
      await guest.expectOnline();
      await expect(dataLeft).toHaveText('120 MB');

      await use(20e6);
      await later();
      await expect(dataLeft).toHaveText('100 MB');
      await expect(main.getByText(say.soon)).toHaveCount(0);

      // The staff ends the session.
      const at = `panel/onlines?mac=${device.mac}`;
      const { data } = await operator.call<{ data: { rhid: string }[] }>('GET', at);
      await operator.call('POST', 'panel/onlines/selected/end', { ids: data.map(it => it.rhid) });
      await expect.poll(() => router.session(device.mac)).toBeUndefined();
      await router.settled();
      await later();
      await expect(heading(say.byStaff)).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('link', { name: say.again }).click();
      await guest.signIn(visitor);
      await guest.expectOnline();

      // The data comes to an end: first the page offers to go on, then it says that it is over.
      await use(60e6);
      await later();
      await expect(main.getByText(say.soon)).toBeVisible();
      router.use(device, { uploadBytes: 0, downloadBytes: 50e6 });
      expect(router.session(device.mac)).toBeUndefined();
      await router.settled();
      await later();
      await expect(heading(say.over)).toBeVisible();
    } finally {
      await guest.close();
      await router.close();
    }
  });
