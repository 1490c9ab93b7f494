import type { Page } from '@playwright/test';
import { joinNetwork } from './src/guest.ts';
import { makeOperator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="150"><rect width="600" height="150" fill="#14532d"/></svg>',
);
const logo = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: picture };

/** Presses Save or Save as draft and waits for the answer. */
async function save(page: Page, button = 'Kaydet', said = 'Portal güncellendi!'): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect(page.getByText(said)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Kaydet', exact: true })).toBeHidden();
}

const openTab = async (page: Page, name: string) => {
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
};

test('a portal is designed as a draft, published and rolled back', async ({ page, browser, operator, product }) => {
  const venue = await makeVenue(operator);
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  const title = guest.page.getByRole('heading', { level: 1 });
  try {
    await guest.open();
    const before = await title.innerText();
    await enterPanel(page, { token: operator.token, language: 'tr' });
    await page.goto(`/portals/${venue.portalId}/edit`);

    // Styles, a logo and the welcome text in two languages, as a draft that only the preview shows.
    await page.getByText('Koyu', { exact: true }).click();
    const logoOn = page.getByRole('switch', { name: 'Logoyu göster' });
    if (!(await logoOn.isChecked())) await logoOn.press(' ');
    await page.getByRole('group', { name: 'Logo', exact: true }).locator('input[type=file]').setInputFiles(logo);
    await expect(page.getByRole('img', { name: 'Logo', exact: true })).toBeVisible();
    const welcome = page.getByRole('textbox', { name: 'Karşılama metni', exact: true });
    await welcome.fill('Bahçeye hoş geldiniz');
    const words = page.getByRole('radiogroup', { name: 'Metinlerin dili: Karşılama' });
    await words.getByRole('radio', { name: 'English' }).check();
    await welcome.fill('Welcome to the garden');
    const frame = page.frameLocator(`iframe[src*="/preview/${venue.portalId}"]`);
    await expect(frame.getByRole('heading', { name: 'Welcome to the garden' })).toBeVisible();
    await save(page, 'Taslak olarak sakla', 'Taslak olarak saklandı');
    const note = page.getByRole('region', { name: 'Bu portalın misafirlerin henüz görmediği bir taslağı var.' });
    await expect(note).toBeVisible();
    await expectAccessible(page);
    await guest.open();
    await expect(title).toHaveText(before);

    // Reorder the methods by keyboard. With unsaved changes the draft can be neither published nor discarded.
    await openTab(page, 'Giriş yöntemleri');
    const handles = page.getByRole('list', { name: 'Giriş yöntemleri' }).locator('[data-handle]');
    await page.getByRole('switch', { name: 'Ücretsiz kullanım' }).press(' ');
    await handles.nth(4).focus();
    for (let up = 0; up < 4; up++) await page.keyboard.press('ArrowUp');
    await expect(note.getByRole('button', { name: 'Yayımla' })).toBeDisabled();
    await save(page, 'Taslak olarak sakla', 'Taslak olarak saklandı');

    await openTab(page, 'Gelişmiş');
    await page.getByRole('textbox', { name: /^KVKK aydınlatma metni/ }).fill('We keep your data for two years.');
    await save(page, 'Taslak olarak sakla', 'Taslak olarak saklandı');
    await guest.open();
    await expect(title).toHaveText(before);

    await note.getByRole('button', { name: 'Yayımla' }).click();
    await expect(note).toBeHidden();
    await guest.open();
    await expect(title).toHaveText('Welcome to the garden');
    await expect(guest.page.locator('img[src*="logo-"]')).toBeVisible();
    await expect(guest.page.getByRole('button', { name: 'Connect' }).first()).toBeVisible();
    const seen = await operator.call<{ data: { providers: { slug: string }[] } }>(
      'GET',
      `panel/portal/${venue.portalId}`,
    );
    expect(seen.data.providers[0]?.slug).toBe('temp');

    // Save changes the published portal at once.
    await openTab(page, 'Genel');
    await welcome.fill('Good evening');
    await welcome.press('Enter');
    await expect(page.getByText('Portal güncellendi!')).toBeVisible();
    await guest.open();
    await expect(title).toHaveText('Good evening');

    // Back to the first version.
    await page.getByRole('button', { name: 'Geçmiş' }).click();
    const history = page.getByRole('dialog', { name: 'Geçmiş' });
    await expect(history.getByRole('listitem')).toHaveCount(3);
    await expect(history.getByRole('listitem').nth(1)).toContainText(
      'Görünüm, Giriş yöntemleri, Mesajlar, Sözleşmeler',
    );
    await expectAccessible(page);
    const compare = history.getByRole('button', { name: '1 numaralı sürümü karşılaştır' });
    await compare.click();
    await expect(page.getByRole('dialog', { name: '1 numaralı sürümü karşılaştır' }).getByRole('table')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(compare, 'the focus is back').toBeFocused();
    await history.getByRole('button', { name: '1 numaralı sürümü geri yükle' }).click();
    await page
      .getByRole('dialog', { name: '1 numaralı sürüm' })
      .getByRole('button', { name: 'Geri yükle', exact: true })
      .click();
    await expect(history.getByRole('listitem')).toHaveCount(4);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Geçmiş' }), 'the focus is back').toBeFocused();
    await guest.open();
    await expect(title).toHaveText(before);
  } finally {
    await guest.close();
    await router.close();
  }
});

test('a draft is discarded, a portal is duplicated @phone', async ({ page, operator }) => {
  const { portalId, name } = await makeVenue(operator);
  const content = { messages: { welcome_message_title: { tr: 'Yarın açılıyoruz' } } };
  await operator.call('PUT', `panel/portal/${portalId}/draft`, content);
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${portalId}/edit`);
  const welcome = page.getByRole('textbox', { name: 'Karşılama metni', exact: true });
  await expect(welcome).toHaveValue('Yarın açılıyoruz');
  await page.getByRole('button', { name: 'Taslağı sil' }).click();
  await page.getByRole('dialog', { name: 'Taslak silinsin mi?' }).getByRole('button', { name: 'Taslağı sil' }).click();
  await expect(welcome).not.toHaveValue('Yarın açılıyoruz');
  await expect(page.getByRole('button', { name: 'Yayımla' })).toHaveCount(0);
  // The discarded text does not come back by undo.
  await page.keyboard.press('Control+z');
  await expect(welcome).not.toHaveValue('Yarın açılıyoruz');

  // The form shows the published text as the server tidied it, and has no unsaved changes.
  const unsaved = page.getByText('Kaydedilmemiş değişiklikler var');
  await welcome.fill('  Bahçeye hoş geldiniz ');
  await expect(unsaved).toBeVisible();
  await page.getByRole('button', { name: 'Kaydet', exact: true }).click();
  await expect(welcome).toHaveValue('Bahçeye hoş geldiniz');
  await expect(unsaved).toBeHidden();
  // The last change, undone, can be redone by the mouse: the bar stays.
  const undo = page.getByRole('button', { name: 'Geri al', exact: true });
  const redo = page.getByRole('button', { name: 'Yinele', exact: true });
  await welcome.fill('Terasa hoş geldiniz');
  await undo.click();
  await expect(welcome).toHaveValue('Bahçeye hoş geldiniz');
  await expect(unsaved).toBeHidden();
  await redo.click();
  await expect(welcome).toHaveValue('Terasa hoş geldiniz');
  await undo.click();
  await expect(welcome).toHaveValue('Bahçeye hoş geldiniz');

  await page.goto('/portals');
  await page.getByRole('row').filter({ hasText: name }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Çoğalt' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Ad' }).fill(`${name} bahçe`);
  await dialog.getByRole('button', { name: 'Çoğalt' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${name} bahçe` })).toBeVisible();
  expect(page.url()).not.toContain(portalId);
});

test('the bar with Save does not cover the field that is typed in @phone', async ({ page, operator }) => {
  const { portalId } = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${portalId}/edit`);
  const field = page.getByRole('textbox', { name: 'Karşılama metni', exact: true });
  // The field is at the lower edge of the window, as after a touch there.
  await field.evaluate((it: HTMLElement) => {
    scrollBy({ top: it.getBoundingClientRect().bottom - innerHeight + 4, behavior: 'instant' });
    it.focus({ preventScroll: true });
  });
  await page.keyboard.type('a');
  const bar = page.locator('[data-shown]');
  await expect(bar).toBeVisible();
  const gap = async () =>
    (await bar.boundingBox())!.y - (await field.evaluate(it => it.getBoundingClientRect().bottom));
  await expect.poll(gap, 'pixels between the field and the bar').toBeGreaterThanOrEqual(0);
});

test('a change of another person waits beside unsaved ones: load theirs, or keep mine', async ({
  page,
  operator,
  product,
}) => {
  const { portalId } = await makeVenue(operator);
  const colleague = await makeOperator(product, 'Deniz');
  const change = (text: string) =>
    colleague.call('PUT', `panel/portal/${portalId}`, {
      messages: { welcome_message_title: { tr: text } },
      styles: { layout: 'banner', background_type: 'color_image' },
      providers: [{ slug: 'temp', order: 1, is_active: true }],
    });
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${portalId}/edit`);
  const welcome = page.getByRole('textbox', { name: 'Karşılama metni', exact: true });
  const note = page.getByText(/^Deniz İşleten bu portalı .* değiştirdi$/);
  const unsaved = page.getByText('Kaydedilmemiş değişiklikler var');

  await welcome.fill('Benim metnim');
  await change('Onun metni');
  await expect(note).toBeVisible();
  await expect(welcome).toHaveValue('Benim metnim');
  await expectAccessible(page);
  // The note is above a long form, so the bar at its foot leads there.
  await page.getByRole('textbox', { name: 'Özel CSS' }).scrollIntoViewIfNeeded();
  await expect(note).not.toBeInViewport();
  const show = page.getByRole('button', { name: 'Değişikliği göster' });
  // The bar has one button more than usual, and all have room in it.
  const bar = show.locator('xpath=../..');
  await expect(bar).toHaveCSS('position', 'sticky');
  const { width, needed } = await bar.evaluate(it => ({ width: it.clientWidth, needed: it.scrollWidth }));
  expect(needed).toBe(width);
  await show.click();
  await expect(note).toBeInViewport();
  await page.getByRole('button', { name: 'Karşılaştır', exact: true }).click();
  const both = page.getByRole('dialog', { name: 'İki değişiklik' });
  await expect(both).toContainText('Onun metni');
  await expect(both).toContainText('Benim metnim');
  // Values are in the words of the editor.
  await expect(both.getByRole('row', { name: /^Yerleşim/ })).not.toContainText('banner');
  await expect(both).toContainText('Görsel üzerine renk');
  await expect(
    both.getByRole('row', { name: 'Giriş yöntemleri: Ücretsiz kullanım: Açık Hayır Evet Hayır' }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Onunkini yükle' }).click();
  await expect(welcome).toHaveValue('Onun metni');
  await expect(note).toBeHidden();
  await expect(unsaved).toBeHidden();

  await welcome.fill('Yine benim metnim');
  await change('Onun ikinci metni');
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'Benimkini koru' }).click();
  await expect(note).toBeHidden();
  await expect(welcome).toHaveValue('Yine benim metnim');
  await save(page);
  await page.reload();
  await expect(welcome).toHaveValue('Yine benim metnim');
});

test('a survey, its rule and an advertisement reach guests', async ({ page, browser, operator, product }) => {
  const venue = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${venue.portalId}/edit/surveys`);
  await page.getByRole('button', { name: 'Anket ekle' }).click();
  await page.getByRole('textbox', { name: 'Ad', exact: true }).fill('Konaklama');
  await page.getByRole('textbox', { name: 'Soru', exact: true }).fill('Nasıl buldunuz?');
  await page.getByRole('textbox', { name: '1. yanıt' }).fill('Güzel');
  await page.getByRole('textbox', { name: '2. yanıt' }).fill('Fena değil');
  await page.getByRole('button', { name: 'Kaydet', exact: true }).click();
  await expect(page.getByText('Anket eklendi!')).toBeVisible();

  await openTab(page, 'Kurallar');
  await page.getByRole('button', { name: 'Kural ekle' }).first().click();
  const rule = page.getByRole('dialog', { name: 'Kural ekle' });
  await rule.getByRole('combobox', { name: 'Ne zaman' }).click();
  await page.getByRole('option', { name: 'Girişten önce' }).click();
  await rule.getByRole('combobox', { name: 'Anket' }).click();
  await page.getByRole('option', { name: 'Konaklama' }).click();
  await rule.getByRole('button', { name: 'Kaydet' }).click();
  await expect(page.getByText('Kural eklendi!')).toBeVisible();

  await openTab(page, 'Reklamlar');
  await page.getByRole('button', { name: 'Reklam ekle' }).first().click();
  const ad = page.getByRole('dialog');
  await ad.getByRole('textbox', { name: 'Ad', exact: true }).fill('Çay saati');
  await ad.locator('input[type=file]').setInputFiles(logo);
  await expect(ad.getByRole('img', { name: '1. görsel' })).toBeVisible();
  await ad.getByRole('button', { name: 'Kaydet' }).click();
  await expect(page.getByText('Reklam eklendi!')).toBeVisible();

  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router);
  try {
    await guest.open();
    await guest.page.getByLabel('Güzel').check();
    await guest.page.getByRole('button', { name: 'Gönder' }).click();
    await expect(guest.page.locator('img[src*="advertisement-"]')).toBeVisible();
    await guest.signIn(venue.visitor);
    await guest.expectOnline();
  } finally {
    await guest.close();
    await router.close();
  }
});
