import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('the portal and the profile of a network apply at sign-in', async ({ page, browser, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, visitor, locationId } = await makeVenue(operator);
  const { data: portal } = await operator.call<{ data: { id: string } }>('POST', 'panel/portal', { name: 'Bahçe' });
  const title = { tr: 'Bahçeye hoş geldiniz' };
  await operator.call('PUT', `panel/portal/${portal.id}`, { messages: { welcome_message_title: title } });
  await operator.call('POST', 'panel/location/user-profile', {
    location_id: locationId,
    name: 'Bir saat',
    shared_user: 1,
    session_duration: { is_active: true, option: 'hour', value: 1 },
  });
  const router = await openRouter(product, device);
  const first = await joinNetwork(browser, router);
  try {
    await first.open();
    await expect(first.page.getByText(title.tr)).toHaveCount(0);
    await first.signIn(visitor);
    await first.expectOnline();
    expect(router.session(first.device.mac)?.limits.sessionTimeout).toBeGreaterThan(3600);
    await router.close();

    await page.goto(`/devices/${device.id}/networks`);
    await page.getByRole('button', { name: words.network.add }).click();
    const dialog = page.getByRole('dialog');
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
    await field(words.name).fill('Bahçe');
    await field(words.network.startIp).fill('10.5.50.0');
    await field(words.network.subnet).fill('255.255.255.7');
    await dialog.getByRole('button', { name: words.save }).click();
    await expect(field(words.network.subnet)).toHaveAttribute('aria-invalid', 'true');
    await field(words.network.subnet).fill('255.255.255.0');
    for (const [label, option] of [
      [words.network.portal, 'Bahçe'],
      [words.network.profile, 'Bir saat'],
    ] as const) {
      await dialog.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option }).click();
    }
    await expectAccessible(page);
    await dialog.getByRole('button', { name: words.save }).click();
    await expect(page.getByRole('cell', { name: '10.5.50.0/24' })).toBeVisible();

    // An overlapping network is refused at its field, with the name of the other.
    await page.getByRole('button', { name: words.network.add }).click();
    await field(words.name).fill('Teras');
    await field(words.network.startIp).fill('10.5.50.128');
    await field(words.network.subnet).fill('25');
    await dialog.getByRole('button', { name: words.save }).click();
    await expect(dialog.getByText(words.network.overlap('Bahçe'))).toBeVisible();
    await page.keyboard.press('Escape');

    // With networks, a MAC rule requires at least one.
    await page.goto(`/devices/${device.id}/macs`);
    await page
      .getByRole('region', { name: words.control.blocked })
      .getByRole('button', { name: words.control.add })
      .click();
    const save = dialog.getByRole('button', { name: words.save });
    await expect(save).toBeDisabled();
    await dialog.getByLabel(words.mac).fill('a1b2c3d4e5f6');
    await expect(save).toBeEnabled();
    await dialog.getByRole('checkbox', { name: 'Bahçe' }).uncheck();
    await expect(save).toBeDisabled();
    await page.keyboard.press('Escape');

    await page.goto(`/devices/${device.id}/rules`);
    await expect(page.getByRole('row').filter({ hasText: '10.5.50.0/24' })).toContainText('Bir saat');
  } finally {
    await first.close();
  }
  const again = await openRouter(product, device);
  const guest = await joinNetwork(browser, again);
  try {
    await guest.open();
    await expect(guest.page.getByText(title.tr)).toBeVisible();
    await guest.signIn(visitor);
    await guest.expectOnline();
    expect(again.session(guest.device.mac)?.limits.sessionTimeout).toBeLessThanOrEqual(3600);
    again.signOut(guest.device);
    await again.settled();

    // After its deletion the settings of the location apply.
    await page.goto(`/devices/${device.id}/networks`);
    await page.getByRole('button', { name: words.actionsFor('Bahçe') }).click();
    await page.getByRole('menuitem', { name: words.delete }).click();
    await expect(page.getByRole('dialog').getByText(words.deleteNetwork)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: words.yes }).click();
    await expect(page.getByRole('cell', { name: '10.5.50.0/24' })).toHaveCount(0);
    await guest.open();
    await expect(guest.page.getByRole('button', { name: guest.words.connect })).toBeVisible();
    await expect(guest.page.getByText(title.tr)).toHaveCount(0);
    await guest.signIn(visitor);
    await guest.expectOnline();
    expect(again.session(guest.device.mac)?.limits.sessionTimeout).toBeGreaterThan(3600);
  } finally {
    await guest.close();
    await again.close();
  }
});
