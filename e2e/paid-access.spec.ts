import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('a guest buys a package and is online, and a refund ends the session', async ({
  page,
  browser,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, locationId, portalId } = await makeVenue(operator);
  await operator.call('PUT', `panel/portal/${portalId}`, { agreements: { general: { en: '<p>Be kind</p>' } } });
  await operator.call('POST', 'panel/location/user-profile', {
    location_id: locationId,
    name: 'Hızlı',
    paid_sale: { is_active: true, option: 'eur', value: 5 },
  });

  await page.goto('/integrations');
  await page.getByRole('button', { name: words.addIntegration }).first().click();
  const wizard = page.getByRole('dialog');
  await wizard.getByText('Test provider', { exact: true }).click();
  await wizard.getByRole('button', { name: words.next, exact: true }).click();
  await wizard.getByRole('button', { name: words.next, exact: true }).click();
  await wizard.getByRole('textbox', { name: words.name, exact: true }).fill('Payments');
  await wizard.getByRole('button', { name: words.save, exact: true }).click();
  await expect(wizard.getByText(/is connected/)).toBeVisible();

  await page.goto('/packages');
  await page.getByRole('button', { name: words.addPackage }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('combobox', { name: 'Session profile' }).click();
  await page.getByRole('option', { name: 'Hızlı' }).click();
  await form.getByRole('textbox', { name: 'Name (EN)' }).fill('Fast day');
  await form.getByRole('textbox', { name: 'Price per day' }).fill('4.99');
  await form.getByRole('button', { name: words.save, exact: true }).click();
  await expect(page.getByRole('cell', { name: 'Fast day', exact: true })).toBeVisible();

  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await guest.page.getByRole('link', { name: 'Choose a package' }).click();
    await guest.page.getByRole('spinbutton').fill('2');
    await expectAccessible(guest.page);
    await guest.page.getByRole('button', { name: 'Choose' }).click();
    await expect(guest.page.getByRole('heading', { name: 'Your purchase' })).toBeVisible();
    await expect(guest.page.getByText('€9.98')).toBeVisible();
    await guest.page.getByRole('textbox', { name: 'E-mail' }).fill('guest@example.com');
    await guest.page.getByRole('checkbox').check();
    await expectAccessible(guest.page);
    await guest.page.getByRole('button', { name: 'Buy' }).click();
    // Let out for some minutes, the guest reaches the page of the provider.
    await guest.page.getByRole('link', { name: 'Buy' }).click();
    await expectAccessible(guest.page);
    await guest.page.getByRole('button', { name: /^Pay/ }).click();
    await guest.expectOnline();
    await expect(guest.page.getByText(/1 day 23 hr|2 days/).first()).toBeVisible();

    await page.goto('/packages/purchases');
    const row = page.getByRole('row').filter({ hasText: 'guest@example.com' });
    await expect(row).toContainText('€9.98');
    await expect(row).toContainText('Paid');
    await row.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: words.refund, exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Too slow');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: words.refund, exact: true }).click();
    await expect(row).toContainText('Refunded');
    await expect.poll(() => router.session(guest.device.mac)).toBeUndefined();
  } finally {
    await guest.close();
    await router.close();
  }
});
