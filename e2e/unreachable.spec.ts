import type { Locator } from '@playwright/test';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, signIn, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('while the server cannot be reached the panel stays, says so, and keeps what was typed', async ({
  page,
  operator,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { visitor } = await makeVenue(operator);
  const banner = page.getByText('The server can’t be reached. Trying again…');
  const row = page.getByRole('row').filter({ hasText: visitor.username });
  const dialog = page.getByRole('dialog');
  await page.goto('/visitors');
  await page.getByRole('button', { name: words.addVisitor }).first().click();
  await dialog.getByLabel(words.guestName).first().fill('Işıl Bekleyen');
  await dialog.getByLabel(words.username).fill('isil-bekleyen');
  await dialog.getByRole('textbox', { name: words.password }).fill('gizli parola');

  await page.route('**/*', route => route.abort('connectionrefused'));
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(banner).toBeVisible();
  // Above the dialog, where the pointer reaches it.
  await banner.click({ trial: true });
  await expect(dialog.getByLabel(words.username)).toHaveValue('isil-bekleyen');
  await expect(row).toBeVisible();
  // On the narrowest phone it takes two lines, and leaves the title and the close button free.
  await page.setViewportSize({ width: 320, height: 568 });
  await expectBelow(banner, dialog.getByRole('heading'));
  await expectBelow(banner, dialog.getByRole('button', { name: 'Close' }));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.unroute('**/*');
  await expect(banner).toBeHidden();
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Işıl Bekleyen' })).toBeVisible();

  // A proxy answers for the server, and the next screen's script and data are missing.
  await page.route('**/*', route =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await page.getByRole('link', { name: 'Devices' }).click();
  await expect(banner).toBeVisible();
  await expect(page.getByRole('link', { name: 'Devices' })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('This screen opens as soon as the server can be reached.')).toBeVisible();
  await page.unroute('**/*');
  await expect(banner).toBeHidden();
  await expect(page.getByRole('heading', { name: 'My Devices' })).toBeVisible();
});

test('the wizard of a newcomer says so too', async ({ page, context }, { project }) => {
  const who = { email: `waiting.${project.name}.${Date.now()}@example.com`, password: 'a quiet harbour 7' };
  const banner = page.getByText('The server can’t be reached. Trying again…');
  await page.goto('/auth/register');
  await page.getByLabel('First name').fill('Deniz');
  await page.getByLabel('Last name').fill('Kaya');
  await page.getByLabel('Location name').fill('Quiet Harbour');
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Phone number').fill('+90 532 000 00 00');
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL(/complete/);
  await signIn(page, who);
  await page.getByRole('radio', { name: 'MikroTik' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Device name').fill('Lobi');
  await context.setOffline(true);
  await expect(banner).toBeVisible();
  await expect(page.getByLabel('Device name')).toHaveValue('Lobi');
  await context.setOffline(false);
  await expect(banner).toBeHidden();
});

test('its banner leaves the head of a full-screen dialog and of the menu free', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  await makeVenue(operator);
  const banner = page.getByText('Sunucuya ulaşılamıyor. Yeniden deneniyor…');
  const close = page.getByRole('dialog').getByRole('button', { name: 'Kapat' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/visitors');
  // The menu is a part that is loaded when it is first opened.
  await page.getByRole('button', { name: words.menu }).click();
  await close.click();
  await page
    .getByRole('button', { name: words.actionsFor('Ayşe Gül Işık') })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Kartını yazdır' }).click();
  await expect(close).toBeVisible();
  await page.route('**/*', route => route.abort('connectionrefused'));
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await expectBelow(banner, close);
  await close.click();
  await page.getByRole('button', { name: words.menu }).click();
  await expectBelow(banner, close);
});

async function expectBelow(banner: Locator, part: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const [above, below] = [await banner.boundingBox(), await part.first().boundingBox()];
      return above !== null && below !== null && below.y >= above.y + above.height;
    })
    .toBe(true);
}
