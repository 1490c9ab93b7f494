import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addVisitor, makeVenue, openRouter } from './src/venue.ts';
import { panelWords } from './src/words.ts';

test('the search finds a guest by name, MAC and IP address in any location, screens and actions @phone', async ({
  page,
  browser,
  operator,
  product,
}, { project }) => {
  const language = project.name === 'phone' ? 'tr' : 'en';
  const words = panelWords[language];
  const venue = await makeVenue(operator);
  const router = await openRouter(product, venue.device);
  const guest = await joinNetwork(browser, router, { language });
  try {
    await guest.open();
    await guest.signIn(venue.visitor);
    await guest.expectOnline();
    // Another location is active, as for an operator of several venues.
    await makeVenue(operator);
    await enterPanel(page, { token: operator.token, language });
    await page.goto('/');

    const dialog = page.getByRole('dialog', { name: words.search });
    const box = dialog.getByRole('combobox');
    const search = async (text: string) => {
      await page.getByRole('button', { name: new RegExp(`^${words.search}( |$)`) }).click();
      await box.fill(text);
    };
    await search(venue.visitor.username);
    // The visitor, then the open session, which can be ended from here.
    const found = dialog.getByRole('option', { name: /Ayşe Gül Işık/ });
    await expect(found.first()).toContainText(venue.name);
    await expect(found.filter({ hasText: words.endSession })).toBeVisible();
    await expectAccessible(page);
    // An action in words comes first, with the record that the other words find.
    await box.fill(
      language === 'tr' ? `${venue.visitor.username} OTURUMUNU sonlandır` : `end session of ${venue.visitor.username}`,
    );
    await expect(dialog.getByRole('option').first()).toContainText(words.endSession);
    await box.fill(venue.visitor.username);
    await expect(dialog.getByRole('option').first()).not.toContainText(words.endSession);
    await expect(found.first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${product.panel}/visitors/${venue.visitor.id}`);

    // The list of sessions shows one location, so that of the guest becomes the active one.
    await search(guest.device.mac.toLowerCase());
    await dialog.getByRole('option', { name: words.searchOnline }).click();
    await expect(page.getByRole('cell').filter({ hasText: guest.device.mac }).first()).toBeVisible();
    await expect(page).toHaveURL(/\/online\?mac=/);

    // Keys that are pressed before the box is open reach it, and not the screen behind it.
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zzzz');
    await expect(box).toHaveValue('zzzz');
    await page.keyboard.press('Escape');

    await search('zzzz zzzz');
    await expect(dialog.getByText(words.noMatch)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    await search(words.addDevice);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('radio', { name: 'MikroTik' })).toBeVisible();
    await expect(page).toHaveURL(`${product.panel}/devices`);
    await page.keyboard.press('Escape');

    // Lists of sessions know names too.
    await page.goto('/online');
    await page.getByPlaceholder(words.searchGuest).fill('gul isik');
    await expect(page).toHaveURL(/search=gul/);
    await expect(page.getByText(guest.device.mac).first()).toBeVisible();
    await page.getByPlaceholder(words.searchGuest).fill('mehmet');
    await expect(page.getByText(guest.device.mac)).toHaveCount(0);
  } finally {
    await guest.close();
    await router.close();
  }
});

test('Enter waits for what the server finds for the typed text', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const venue = await makeVenue(operator);
  const other = await addVisitor(operator, venue);
  const late = Promise.withResolvers<void>();
  await page.route(
    url => url.pathname === '/v1/panel/search' && url.search.includes('mehmet'),
    async route => {
      await late.promise;
      await route.continue();
    },
  );
  await page.goto('/');
  await page.getByRole('button', { name: new RegExp(`^${words.search}( |$)`) }).click();
  const dialog = page.getByRole('dialog', { name: words.search });
  const box = dialog.getByRole('combobox');
  await box.fill(venue.visitor.username);
  await expect(dialog.getByRole('option', { name: /Ayşe Gül Işık/ }).first()).toBeVisible();
  const asked = page.waitForRequest(it => it.url().includes('search=mehmet'));
  await box.fill(other.username);
  await page.keyboard.press('Enter');
  await asked;
  late.resolve();
  await expect(page).toHaveURL(`/visitors/${other.id}`);
});

test('the search knows actions without a record, tabs, and screens with a typing error', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  await page.goto('/');
  const dialog = page.getByRole('dialog', { name: words.search });
  const open = async (text: string, option: string) => {
    await page.getByRole('button', { name: new RegExp(`^${words.search}( |$)`) }).click();
    await dialog.getByRole('combobox').fill(text);
    await expect(dialog.getByRole('option').first()).toContainText(option);
    await page.keyboard.press('Enter');
  };
  await open('print vouchers', 'Print vouchers');
  await expect(page).toHaveURL(/\/vouchers$/);
  await open('visitros', 'Visitors');
  await expect(page).toHaveURL(/\/visitors$/);
  await open('sesion profiles', 'Session profiles');
  await expect(page).toHaveURL(new RegExp(`/locations/${locationId}/edit/user-profiles$`));
  await open('failed', 'Failed sign-ins');
  await expect(page.getByRole('dialog', { name: 'Failed sign-ins' })).toBeVisible();
});
