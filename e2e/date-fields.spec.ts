import type { Locator } from '@playwright/test';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('dates are typed or chosen in the panel’s format, not the browser’s', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await makeVenue(operator);
  await page.goto('/visitors#add');
  const dialog = page.getByRole('dialog').first();
  const until = dialog.getByLabel('Geçerlilik bitişi');
  const open = (field: Locator) => field.locator('xpath=ancestor::*[@data-date-field]').getByRole('button').click();
  await open(until);
  const calendar = page.locator('[data-dates-dropdown]');
  await expect(calendar).toBeVisible();
  await expectAccessible(page);
  await until.pressSequentially('1.2.2031 9:05');
  await expect(calendar).toContainText('Şubat 2031');
  await page.keyboard.press('Escape');
  await expect(calendar).toBeHidden();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(until).toHaveValue('01.02.2031 09:05');
  await expect(dialog.getByText('1 Şub 2031 Cmt 09:05')).toBeVisible();
  await until.fill('31.02.2031');
  await page.keyboard.press('Tab');
  await expect(until).toHaveValue('01.02.2031 09:05');
  await until.fill('');
  await page.keyboard.press('Tab');
  await expect(dialog.getByText('1 Şub 2031 Cmt 09:05')).toBeHidden();

  await page.goto('/reports/session-history?period=2026-11-01_2026-11-20');
  await page.getByRole('button', { name: /Dönem/ }).first().click();
  await open(page.getByLabel('Bitiş'));
  await page.getByRole('button', { name: '15 Kasım 2026' }).click();
  await page.getByRole('button', { name: 'Göster' }).click();
  await expect(page).toHaveURL(/2026-11-01_2026-11-15/);
});
