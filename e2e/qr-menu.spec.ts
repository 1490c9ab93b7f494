import { readFile } from 'node:fs/promises';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeMenu, makeVenue } from './src/venue.ts';

test('desks have a printable sheet of codes, and a code opens the menu on a phone', async ({
  page,
  context,
  operator,
}) => {
  await makeVenue(operator);
  await makeMenu(operator);
  await enterPanel(page, { token: operator.token, language: 'tr' });

  // Products reordered by keyboard appear in that order.
  await page.goto('/qrmenu/products');
  await page.getByRole('button', { name: 'Sırala' }).click();
  const order = page.getByRole('dialog', { name: 'Ürünleri sırala' });
  await expect(order.getByRole('listitem')).toHaveText([/Çay/, /Türk kahvesi/]);
  await order.getByRole('button', { name: /Türk kahvesi öğesini taşı/ }).press('ArrowUp');
  await expect(order.getByRole('listitem')).toHaveText([/Türk kahvesi/, /Çay/]);
  await order.getByRole('button', { name: 'Kaydet' }).click();
  await expect(page.getByText('Sıra kaydedildi!')).toBeVisible();

  await page.goto('/qrmenu/desks');
  await page.getByRole('button', { name: 'QR kodları' }).click();
  const codes = page.getByRole('dialog', { name: 'QR kodları: Teras' });
  await expect(codes.getByRole('row')).toHaveCount(13);
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await codes.getByRole('button', { name: 'PDF indir' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Teras.pdf');
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

  const opened = context.waitForEvent('page');
  await codes.getByRole('link', { name: 'Menüyü aç: T4' }).click();
  const menu = await opened;
  await menu.setViewportSize({ width: 390, height: 844 });
  // The phone's language is English.
  await expect(menu.getByText('Table T4')).toBeVisible();
  await expect(menu.getByRole('heading', { level: 3 })).toHaveText(['Turkish coffee', 'Tea']);
  await expectAccessible(menu);
  await menu.getByRole('searchbox').fill('coffee');
  await expect(menu.getByRole('heading', { level: 3 }).filter({ visible: true })).toHaveText(['Turkish coffee']);
  await menu.getByRole('link', { name: 'Dark look' }).click();
  await menu.getByRole('link', { name: 'Türkçe' }).click();
  await expect(menu.getByText('Masa T4')).toBeVisible();
  await expect(menu.getByRole('heading', { name: 'İçecekler' })).toBeVisible();
  await expectAccessible(menu);

  // Actions on the page do not count as further scans.
  await page.reload();
  await page.getByRole('button', { name: 'QR kodları' }).click();
  await expect(codes.getByRole('row', { name: /T4/ }).getByRole('cell').nth(1)).toHaveText('1');
});

test('the menu works without script', async ({ browser, operator }) => {
  await makeVenue(operator);
  const address = await makeMenu(operator);
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'tr-TR' });
  const page = await context.newPage();
  await page.goto(`${address}/12`);
  await expect(page.getByText('Masa T12')).toBeVisible();
  await page.getByRole('searchbox').fill('çay');
  await page.getByRole('button', { name: 'Ara' }).click();
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Çay']);
  await page.getByRole('link', { name: 'Tüm menü' }).click();
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(2);
  await context.close();
});

test('a new product begins in the currency of the others', async ({ page, operator }) => {
  await makeVenue(operator);
  const { data: category } = await operator.call<{ data: { id: string } }>('POST', 'panel/qrmenu/category', {
    title: 'İçecekler',
  });
  await operator.call('POST', 'panel/qrmenu/product', {
    title: 'Kahve',
    price: 4,
    currency: 'gbp',
    category_ids: [category.id],
  });
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto('/qrmenu/products');
  await expect(page.getByRole('cell', { name: '£4' })).toBeVisible();
  await page.getByRole('button', { name: 'Add product' }).click();
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Currency' })).toHaveValue('GBP');
});
