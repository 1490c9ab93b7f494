import type { Locator } from '@playwright/test';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

const open = (field: Locator) => field.locator('xpath=ancestor::*[@data-date-field]').getByRole('button').click();

test('dates are typed or chosen in the panel’s format, not the browser’s', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await makeVenue(operator);
  await page.goto('/visitors#add');
  const dialog = page.getByRole('dialog').first();
  const until = dialog.getByLabel('Geçerlilik bitişi');
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
  await expect(until).toHaveValue('31.02.2031');
  const lost = dialog.getByText('“31.02.2031” bir tarih değil.');
  await expect(lost).toBeVisible();
  await until.fill('');
  await expect(lost).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(dialog.getByText('1 Şub 2031 Cmt 09:05')).toBeHidden();

  await page.goto('/reports/session-history?period=2026-11-01_2026-11-20');
  await page.getByRole('button', { name: /Dönem/ }).first().click();
  await open(page.getByLabel('Bitiş'));
  await page.getByRole('button', { name: '15 Kasım 2026' }).click();
  await page.getByRole('button', { name: 'Göster' }).click();
  await expect(page).toHaveURL(/2026-11-01_2026-11-15/);
});

const words = {
  tr: { save: 'Kaydet', until: 'Geçerlilik bitişi', name: /^Ad soyad/, user: /^Kullanıcı adı/, password: /^Parola/ },
  en: { save: 'Save', until: 'Valid until', name: /^Name/, user: /^Username/, password: /^Password/ },
};
const day = { tr: '28 Şubat 2031', en: '28 February 2031' };
const refusal = { tr: '“31.02.2031” bir tarih değil.', en: '“31.02.2031” is not a date.' };

for (const language of ['tr', 'en'] as const)
  test(`a date that no calendar has is not saved (${language}) @phone`, async ({ page, operator }) => {
    await enterPanel(page, { token: operator.token, language });
    await makeVenue(operator);
    const sent: Record<string, unknown>[] = [];
    page.on(
      'request',
      it => it.method() === 'POST' && it.url().endsWith('/panel/client') && sent.push(it.postDataJSON()),
    );
    await page.goto('/visitors#add');
    const dialog = page.getByRole('dialog').first();
    const { save, until: label, name, user, password } = words[language];
    await dialog.getByLabel(name).fill('Defne');
    await dialog.getByLabel(user).fill(`defne.${Date.now()}`);
    await dialog.getByRole('textbox', { name: password }).fill('çok gizli 1');
    const until = dialog.getByLabel(label);
    await until.click();
    await until.pressSequentially('31.02.2031');
    // By the mouse, so that the field is left in the same moment.
    await dialog.getByRole('button', { name: save, exact: true }).click();
    const error = dialog.getByText(refusal[language]);
    await expect(error).toBeVisible();
    await expect(until).toBeFocused();
    await expect(until).toHaveAttribute('aria-invalid', 'true');
    await expect(until).toHaveValue('31.02.2031');
    await page.keyboard.press('Enter');
    await expect(error).toBeVisible();
    expect(sent).toEqual([]);
    await until.fill('27.02.2031 12:00');
    await expect(error).toBeHidden();
    // The calendar changes the day only, and no keyboard of a phone covers it.
    await open(until);
    await expect(until).toHaveAttribute('inputmode', 'none');
    await until.click();
    await expect(page.locator('[data-dates-dropdown]')).toBeHidden();
    await expect(until).toHaveAttribute('inputmode', 'text');
    await open(until);
    await expect(until).toHaveAttribute('inputmode', 'none');
    await page.getByRole('button', { name: day[language] }).click();
    await expect(until).toHaveValue('28.02.2031 12:00');
    await expect(until).toHaveAttribute('inputmode', 'text');
    await dialog.getByRole('button', { name: save, exact: true }).click();
    await expect(dialog).toBeHidden();
    expect(sent).toMatchObject([{ session_end_at: expect.stringContaining('2031-02-28T12:00') }]);
  });

test('discarding changes takes back a text that is no date', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  await page.goto(`/locations/${locationId}/edit`);
  await page.getByRole('button', { name: 'Add a period' }).click();
  await page.getByRole('group', { name: 'Period 1' }).getByRole('combobox').first().selectOption({ index: 1 });
  const from = page.getByLabel('First day').first();
  await from.fill('1.2.2031');
  const save = page.getByRole('button', { name: 'Save', exact: true }).last();
  await save.click();
  await expect(page.getByRole('button', { name: 'Discard' })).toBeHidden();
  await page.getByLabel('Name').first().fill('Begonvil');
  await from.fill('31.02.2031');
  const error = page.getByText('is not a date');
  await save.click();
  await expect(error).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(error).toBeHidden();
  await expect(from).toHaveValue('01.02.2031');
});

test('Escape closes the calendar first, then the period around it @phone', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  await page.goto('/reports/session-history');
  const period = page.getByRole('button', { name: /^Period/ });
  await period.click();
  const from = page.getByLabel('From', { exact: true });
  await open(from);
  const calendar = page.locator('[data-dates-dropdown]');
  await expect(calendar).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(calendar).toBeHidden();
  await expect(from).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(from).toBeHidden();
  await expect(period).toBeFocused();
});
