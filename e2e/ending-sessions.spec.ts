import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

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
    await expect(row, 'the guest comes to the list by itself').toContainText(words.online, live);
    const end = async () => {
      await row.getByRole('button', { name: words.actionsFor('Ayşe Gül Işık') }).click();
      await page.getByRole('menuitem', { name: words.end }).click();
    };

    router.behaveOnCoa('nak');
    await end();
    await expect(row).toContainText(words.refused, live);
    await expectAccessible(page);
    expect(router.session(phone.mac), 'a router that refuses keeps its session').toBeDefined();

    router.behaveOnCoa('silent');
    await end();
    await expect(row).toContainText(words.asking);
    await expect(row).toContainText(words.silent, { timeout: 20_000 });
    expect(router.session(phone.mac)).toBeDefined();

    router.behaveOnCoa('ack');
    await end();
    await expect(row).toBeHidden(live);
    expect(router.session(phone.mac)).toBeUndefined();
    expect(router.stats.ended).toEqual({ 'Admin-Reset': 1 });
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
