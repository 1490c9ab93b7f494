import { measureEffort } from './src/effort.ts';
import { joinNetwork } from './src/guest.ts';
import { callApi, tokenOf } from './src/operator.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { openRouter, randomMac } from './src/venue.ts';

test('from registration to the first guest in under five minutes of clicks', async ({ page, browser, product }) => {
  const { click, fill, sum } = measureEffort();
  const who = { email: `harbour.${Date.now()}@example.com`, password: 'a quiet harbour 7' };

  await page.goto('/auth/register');
  await fill(page.getByLabel('First name'), 'Deniz');
  await fill(page.getByLabel('Last name'), 'Kaya');
  await fill(page.getByLabel('Location name'), 'Quiet Harbour');
  await fill(page.getByLabel('E-mail'), who.email);
  await fill(page.getByLabel('Phone number'), '+90 532 000 00 00');
  await fill(page.getByLabel('Password', { exact: true }), who.password);
  await click(page.locator('form button[type=submit]'));
  await expect(page).toHaveURL(/\/auth\/complete/);
  await click(page.getByRole('button', { name: 'Go to sign-in' }));
  await fill(page.locator('input[name=email]'), who.email);
  await fill(page.locator('input[name=password]'), who.password);
  await click(page.locator('button[type=submit]'));

  await click(page.getByText('MikroTik', { exact: true }));
  await click(page.getByRole('button', { name: 'Continue' }));
  await fill(page.getByLabel('Device name'), 'Lobby');
  await fill(page.getByLabel('MAC address'), randomMac());
  await click(page.getByRole('button', { name: 'Save' }));

  // Free access needs no account.
  await click(page.getByText('Sign-in methods', { exact: true }));
  await click(page.getByRole('switch', { name: 'Free access' }));
  await click(page.getByRole('switch', { name: 'Username and password' }));
  await click(page.getByRole('button', { name: 'Save' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You have successfully completed the setup');
  await expect(page.getByText('Your router has not connected yet')).toBeVisible();

  await fill(page.getByLabel('Internet IP address'), '192.168.1.2');
  await fill(page.getByRole('combobox', { name: 'Guest interfaces' }), 'ether2');
  await click(page.getByRole('button', { name: 'Generate script' }));
  const script = await page.getByRole('region', { name: 'MikroTik script' }).locator('pre').innerText();
  // Without the clipboard's permission the button has another way to copy.
  await click(page.getByRole('region', { name: 'MikroTik script' }).getByRole('button', { name: /copy/i }));
  await expect(page.getByRole('button', { name: 'Copied', exact: true })).toBeVisible();

  // The router uses the name and secret of the script and sends Accounting-On.
  const [, nas_identifier = ''] = /\/system identity set name="([^"]+)"/.exec(script) ?? [];
  const [, secret = ''] = /\/radius add service=hotspot .*?secret="([^"]+)"/.exec(script) ?? [];
  const router = await openRouter(product, { nas_identifier, secret });
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    // The screen notices the first packet by itself.
    await expect(page.getByText('Your router is connected')).toBeVisible();
    await click(page.getByRole('link', { name: 'Go to the dashboard' }));
    const list = page.getByRole('region', { name: 'Getting started' });
    await expect(list).toContainText('3 of 5 steps done');
    await expect(list.getByRole('listitem').filter({ hasText: 'Add the first visitor' })).toHaveAttribute(
      'aria-current',
      'step',
    );
    await expectAccessible(page);
    const token = await tokenOf(product, who);
    type Devices = { data: { name: string; status: string }[] };
    await expect
      .poll(async () => (await callApi<Devices>(product, { method: 'GET', path: 'panel/device', token })).data)
      .toMatchObject([{ name: 'Lobby', status: 'online' }]);

    await guest.open();
    await guest.page.getByRole('button', { name: guest.words.connect }).click();
    await guest.expectOnline();
    await expect(list, 'done, so it leaves').toBeHidden();
    await page.goto('/online');
    await expect(page.getByRole('cell').filter({ hasText: guest.device.mac }).first()).toBeVisible();
  } finally {
    await guest.close();
    await router.close();
  }

  const effort = sum();
  const words = `${effort.clicks} clicks and ${effort.fields} fields, about ${effort.seconds} seconds`;
  test.info().annotations.push({ type: 'effort', description: words });
  console.log(`  from registration to the first guest: ${words}`);
  expect(effort.clicks).toBeLessThanOrEqual(16);
  expect(effort.fields).toBeLessThanOrEqual(14);
  expect(effort.seconds, 'under five minutes').toBeLessThan(300);
});
