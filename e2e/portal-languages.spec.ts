import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('an owner adds a language and writes its texts; guests read them from right to left', async ({
  page,
  operator,
  browser,
  product,
}) => {
  const venue = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto(`/portals/${venue.portalId}/edit`);
  const add = page.getByRole('button', { name: 'Add a language' });
  await add.click();
  const dialog = page.getByRole('dialog', { name: 'Add a language' });
  // An invalid tag, and a language that is there already.
  for (const [tag, words] of [
    ['hebrew!', 'Use the tag of a language'],
    ['fr', 'This language is in the list already.'],
  ] as const) {
    await dialog.getByRole('combobox', { name: 'Language' }).fill(tag);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByText(words).last()).toBeVisible();
  }
  // By its name in the language of the panel. Chromium does not know Georgian's own name.
  await dialog.getByRole('combobox', { name: 'Language' }).fill('georg');
  await page.getByRole('option', { name: 'ქართული · Georgian ka' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('ქართული');
  await dialog.getByRole('combobox', { name: 'Language' }).fill('he');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('עברית');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText(/\d+ texts missing/).first()).toBeVisible();

  await page.getByRole('button', { name: 'Texts in עברית' }).click();
  const texts = page.getByRole('dialog', { name: 'Texts in עברית' });
  await texts.getByRole('textbox', { name: 'Search texts' }).fill('connect');
  await texts.getByRole('textbox', { name: 'Connect', exact: true }).fill('להתחבר');
  // A text that lost its value is refused at its field.
  await texts.getByRole('textbox', { name: 'Search texts' }).fill('five minutes');
  const code = texts.getByRole('textbox', { name: /We sent a code to/ });
  await code.fill('הקוד נשלח.');
  await texts.getByRole('button', { name: 'Use these texts' }).click();
  await expect(texts.getByText('Keep the words in braces as they are.')).toBeVisible();
  await code.fill('הקוד נשלח אל {phone}.');
  await expectAccessible(page);
  await texts.getByRole('button', { name: 'Use these texts' }).click();

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Portal updated')).toBeVisible();

  // The new language is beside the others, and in the preview.
  await page
    .getByRole('radio', { name: /^עברית/ })
    .first()
    .check({ force: true });
  const frame = page.frameLocator('iframe[data-ready]');
  await expect(frame.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(frame.locator('button.button').first()).toHaveText('להתחבר');

  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en', locale: 'he-IL' });
  try {
    await guest.open();
    await expect(guest.page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(guest.page.getByRole('button', { name: 'להתחבר' })).toBeVisible();
    await expectAccessible(guest.page);
    expect(await guest.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  } finally {
    await guest.close();
    await router.close();
  }
});

test('a page in a language that the browser does not know counts down without words of another', async ({
  operator,
  browser,
  product,
}) => {
  const venue = await makeVenue(operator);
  // Chromium has no words for it, and would take those of the phone.
  const georgian = { tag: 'ka', name: 'ქართული', texts: { 'online.timeLeft': 'დარჩენილი დრო' } };
  const page = { languages: ['en', 'ka'], own_languages: [georgian] };
  await operator.call('PUT', `panel/portal/${venue.portalId}`, { page });
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language: 'en', locale: 'ka-GE' });
  try {
    await guest.open();
    await guest.signIn(venue.visitor);
    const left = guest.page.locator('div', { hasText: 'დარჩენილი დრო' }).locator('[data-left]');
    await expect(left).toHaveText(/^1:59:\d\d$/);
    await expectAccessible(guest.page);
  } finally {
    await guest.close();
    await router.close();
  }
});
