import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
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
  await expect(dialog.getByLabel(words.username)).toHaveValue('isil-bekleyen');
  await expect(row).toBeVisible();
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
