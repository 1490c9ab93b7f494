import { randomBytes } from 'node:crypto';
import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"><rect width="300" height="90" fill="#7a1fa2"/></svg>',
);

test('the editor warns about low contrast and missing translations; a rich text with a picture reaches guests', async ({
  page,
  browser,
  operator,
  product,
}) => {
  const venue = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${venue.portalId}/edit`);

  // A colour with low contrast on the form is reported at its field.
  const title = page.getByRole('textbox', { name: 'Karşılama metninin rengi', exact: true });
  const weak = page.getByText(/^Form üzerinde düşük kontrast \(1[,.]\d+:1\)/);
  await expect(weak).toHaveCount(0);
  await title.fill('#eeeeee');
  await expect(weak).toHaveCount(1);
  await expectAccessible(page);
  const frame = page.frameLocator('iframe[data-ready]');
  const seen = () => frame.getByRole('heading', { level: 1 }).evaluate(it => getComputedStyle(it).color);
  await expect.poll(seen).not.toBe('rgb(20, 24, 31)');
  expect(await seen()).not.toBe('rgb(238, 238, 238)');
  await title.fill('#14181f');
  await expect(weak).toHaveCount(0);

  // A text in one language is marked as missing in the others.
  await page.getByRole('link', { name: 'Gelişmiş', exact: true }).click();
  const languages = page
    .getByRole('radiogroup')
    .filter({ has: page.getByRole('radio', { name: /^Deutsch/ }) })
    .first();
  await expect(languages.getByRole('radio', { name: 'Deutsch', exact: true })).toBeAttached();
  const text = page.getByRole('textbox', { name: /^KVKK aydınlatma metni/ });
  await text.click();
  await page.keyboard.type('Verileriniz iki yıl saklanır.');
  await expect(languages.getByRole('radio', { name: 'Deutsch, çevrilecek 1 metin var' })).toBeAttached();
  await expect(languages.getByRole('radio', { name: 'Türkçe', exact: true })).toBeAttached();

  // A link must be complete, a picture small.
  await page.getByRole('button', { name: 'Bağlantı', exact: true }).click();
  const address = page.getByRole('textbox', { name: 'Bağlantının web adresi' });
  await address.press('Enter');
  await expect(page.getByText('Bağlantı boş olamaz.')).toBeVisible();
  await address.fill('javascript:alert(1)');
  await address.press('Enter');
  await expect(page.getByText('Bağlantıyı https://www.ornek.com gibi eksiksiz yazın.')).toBeVisible();
  await address.fill('https://example.com/kvkk');
  await address.press('Enter');
  await expect(text.getByRole('link', { name: 'https://example.com/kvkk' })).toBeVisible();
  const chosen = page.locator('input[type=file]');
  await chosen.setInputFiles({ name: 'heavy.png', mimeType: 'image/png', buffer: randomBytes(500_001) });
  await expect(page.getByText('Dosya 500 KB boyutunu aşamaz.')).toBeVisible();
  await expect(text.locator('img')).toHaveCount(0);
  await chosen.setInputFiles({ name: 'small.svg', mimeType: 'image/svg+xml', buffer: picture });
  await expect(text.locator('img[src*="/content-"]')).toBeVisible();
  await page.getByRole('button', { name: 'Taslak olarak sakla', exact: true }).click();
  await expect(page.getByText('Taslak olarak saklandı')).toBeVisible();
  await expect(page.getByText('Kaydedilmemiş değişiklikler var')).toBeHidden();

  // After a reload only the editor's preview shows the draft.
  await page.goto(`/portals/${venue.portalId}/edit`);
  const link = frame.getByRole('button', { name: /KVKK/ }).first();
  await expect(link).toBeVisible();
  const stranger = new URL((await page.locator('iframe').getAttribute('src'))!);
  stranger.searchParams.delete('token');
  const shown = await fetch(stranger);
  expect([shown.status, (await shown.text()).includes('KVKK')]).toEqual([200, false]);
  stranger.searchParams.set('token', 'x');
  expect((await fetch(stranger)).status).toBe(403);

  await page.getByRole('button', { name: 'Yayımla' }).click();
  await expect(page.getByText('Misafirler artık taslağı görüyor')).toBeVisible();
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'tr' });
  try {
    await guest.open();
    await guest.page.getByRole('button', { name: /KVKK/ }).first().click();
    await expect(guest.page.getByText('Verileriniz iki yıl saklanır.')).toBeVisible();
    const drawn = guest.page.locator('img[src*="/content-"]');
    await expect(drawn).toBeVisible();
    expect(await drawn.evaluate(it => (it as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  } finally {
    await guest.close();
    await router.close();
  }
});
