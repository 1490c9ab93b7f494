import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addDevice, addVisitor, makeVenue, openRouter } from './src/venue.ts';

/** Shorter than the panel's refresh every minute, so a change that shows in time was pushed. */
const live = { timeout: 30_000 };

test('ending a session shows the router’s answer', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device);
  try {
    const phone = router.lease({ mac: '02:00:00:00:00:01' });
    await page.goto('/online');
    await expect(page.getByText(words.noGuests)).toBeVisible();
    await router.signIn(phone, visitor.username, visitor.password);
    const row = page.getByRole('row').filter({ hasText: phone.mac });
    await expect(row, 'the guest comes to the list by itself').toBeVisible(live);
    const end = async () => {
      await row.getByRole('button', { name: words.actionsFor('Ayşe Gül Işık') }).click();
      await page.getByRole('menuitem', { name: words.end }).click();
    };

    router.behaveOnCoa('nak');
    await end();
    await expect(row).toContainText(words.refused, live);
    await expect(row).toContainText('The guest is still online. (Administratively-Prohibited)');
    await expect(row.getByRole('link', { name: 'Examine the device' })).toHaveAttribute(
      'href',
      `/devices/${device.id}`,
    );
    await expectAccessible(page);
    expect(router.session(phone.mac), 'a router that refuses keeps its session').toBeDefined();

    router.behaveOnCoa('silent');
    // The question goes on until it was seen.
    const seen = Promise.withResolvers<void>();
    const kick = /\/kick(\/|$)/;
    await page.route(kick, async route => {
      await seen.promise;
      await route.continue();
    });
    await end();
    await expect(row).toContainText(words.asking);
    seen.resolve();
    await expect(row).toContainText(words.silent, { timeout: 20_000 });
    await expect(row).toContainText('The guest may still be online.');
    await page.unroute(kick);
    expect(router.session(phone.mac)).toBeDefined();

    router.behaveOnCoa('ack');
    await end();
    await expect(row).toBeHidden(live);
    expect(router.session(phone.mac)).toBeUndefined();
    expect(router.stats.ended).toEqual({ 'Admin-Reset': 1 });

    const why = page.getByRole('columnheader', { name: 'Why it ended' });
    const past = page.getByRole('row').filter({ hasText: phone.mac });
    await page.goto('/reports/session-history');
    await expect(past).toBeVisible();
    await expect(why, 'an optional column').toHaveCount(0);
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('checkbox', { name: 'Why it ended' }).check();
    await expect(why).toBeVisible();
    await expect(past).toContainText('Router reported the end');
    for (const path of [`/visitors/${visitor.id}`, `/devices/${device.id}/users`]) {
      await page.goto(path);
      await expect(past).toContainText('Router reported the end');
    }
    await expectAccessible(page);
  } finally {
    await router.close();
  }
});

test('a blocked device is disconnected, cannot sign in, and sees the reason', async ({
  page,
  browser,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router);
  try {
    await guest.open();
    await guest.signIn(visitor);
    await guest.expectOnline();

    await page.goto('/online');
    const row = page.getByRole('row').filter({ hasText: guest.device.mac });
    await row.getByRole('button', { name: words.actionsFor('Ayşe Gül Işık') }).click();
    await page.getByRole('menuitem', { name: words.block }).click();
    await expect(page.getByRole('button', { name: words.undo })).toBeVisible();
    await expectAccessible(page);
    await expect(row).toBeHidden(live);
    expect(router.session(guest.device.mac)).toBeUndefined();

    await guest.open();
    await expect(guest.page.getByRole('heading', { name: guest.words.blocked })).toBeVisible();
    await expect(guest.page.getByLabel(guest.words.username)).toHaveCount(0);
    // The router refuses it too, even with valid credentials.
    const { outcome } = await router.signIn(guest.device, visitor.username, visitor.password);
    expect(outcome).toBe('rejected');
    const other = router.lease({ mac: '02:00:00:00:00:02' });
    expect((await router.signIn(other, visitor.username, visitor.password)).outcome).toBe('accepted');
  } finally {
    await guest.close();
    await router.close();
  }
});

/** Where a gateway takes no commands, the panel says so instead of asking it in vain. */
const unendable = {
  en: {
    reason: /^End session The router takes no commands\. The session ends when/,
    short: 'The router takes no commands.',
    bar: 'The routers of these sessions take no commands.',
    left: '1 session is left out: its router takes no commands.',
    all: 'Select all on this page',
    sessions: 'End sessions',
    one: 'End 1 session',
    choose: 'Select Mehmet Ali',
  },
  tr: {
    reason: /^Oturumu sonlandır Yönlendirici komut almıyor\. Oturum, misafir ayrılınca/,
    short: 'Yönlendirici komut almıyor.',
    bar: 'Bu oturumların yönlendiricileri komut almıyor.',
    left: '1 oturum dışarıda kalır: yönlendiricisi komut almıyor.',
    all: 'Bu sayfadakilerin hepsini seç',
    sessions: 'Oturumları sonlandır',
    one: '1 oturumu sonlandır',
    choose: 'Mehmet Ali seç',
  },
} as const;

for (const language of ['en', 'tr'] as const)
  test(`a session whose gateway takes no commands can’t be ended, and says why (${language})`, async ({
    page,
    operator,
    product,
  }) => {
    const words = await enterPanel(page, { token: operator.token, language });
    const texts = unendable[language];
    const venue = await makeVenue(operator);
    const device = await addDevice(operator, { locationId: venue.locationId, brand: 'opnsense' });
    const firewall = await openRouter(product, device);
    const router = await openRouter(product, venue.device);
    try {
      const phone = router.lease({ mac: '02:00:00:00:00:03' });
      const untold = firewall.lease({ mac: '02:00:00:00:00:04' });
      const other = await addVisitor(operator, venue);
      await router.signIn(phone, venue.visitor.username, venue.visitor.password);
      await firewall.signIn(untold, other.username, other.password);
      await page.goto('/online');
      const row = page.getByRole('row').filter({ hasText: untold.mac });
      await expect(row).toBeVisible(live);
      await expect(page.getByRole('row').filter({ hasText: phone.mac })).toBeVisible(live);

      // The entry is reached by key and says its reason; Enter does nothing.
      await row.getByRole('button', { name: words.actionsFor('Mehmet Ali') }).press('Enter');
      const entry = page.getByRole('menuitem', { name: texts.reason });
      await expect(entry).toBeFocused();
      await expect(entry).toBeDisabled();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await expect(entry).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(row).not.toContainText(words.asking);

      await page.getByRole('checkbox', { name: texts.choose }).check();
      const end = page.getByRole('button', { name: texts.sessions });
      await expect(end).toBeDisabled();
      await expect(end).toHaveAccessibleDescription(texts.bar);
      await expectAccessible(page);
      await page.getByRole('checkbox', { name: texts.all }).check();
      await expect(end).toBeEnabled();
      await end.click();
      await expect(page.getByRole('dialog')).toContainText(texts.left);
      await page.getByRole('dialog').getByRole('button', { name: texts.one }).click();
      await expect(page.getByRole('row').filter({ hasText: phone.mac })).toBeHidden(live);
      await expect(row).toBeVisible();
      expect(firewall.session(untold.mac)).toBeDefined();

      // The page of the device says it too.
      await page.goto(`/devices/${device.id}/users`);
      await page
        .getByRole('button', { name: words.actionsFor('Mehmet Ali') })
        .first()
        .click();
      await expect(page.getByRole('menuitem', { name: texts.reason })).toBeDisabled();

      // So does the dialog of the dashboard.
      await page.goto('/');
      await page
        .getByRole('button', { name: /online|çevrimiçi/i })
        .first()
        .click();
      const inDialog = page.getByRole('button', { name: `${words.end}: Mehmet Ali` });
      await expect(inDialog).toBeDisabled();
      await expect(inDialog).toHaveAccessibleDescription(texts.short);
      await expectAccessible(page);
    } finally {
      await router.close();
      await firewall.close();
    }
  });
