import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';

test('a RADIUS proxy is trusted, and its secret is shown once', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto('/settings/radius-proxies');
  await page.getByRole('button', { name: 'Add proxy' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Head office');
  await dialog.getByLabel('Address').fill('proxy.example');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter an IPv4 or IPv6 address.')).toBeVisible();
  await dialog.getByLabel('Address').fill('::ffff:203.0.113.9');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('It cannot be shown again.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();

  const row = page.getByRole('row').filter({ hasText: 'Head office' });
  await expect(row).toContainText('203.0.113.9');
  await expect(row).toContainText('Never');
});
