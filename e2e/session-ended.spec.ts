import type { Page, Request } from '@playwright/test';
import { callApi, makeOperator } from './src/operator.ts';
import { expect, signIn, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';
import { panelWords } from './src/words.ts';

test('when the server ends the session, what was typed is kept for the same user', async ({
  page,
  operator,
  product,
}) => {
  const words = panelWords.en;
  const dialog = page.getByRole('dialog');
  const ended = page.getByText('Your session has ended.');
  const storedToken = () => page.evaluate(() => localStorage.getItem('portico.token') ?? '');
  const logOut = (token: string) => callApi(product, { method: 'POST', path: 'user/logout', token });
  // A call of the page itself would be refused, and the page would leave before the next step: no event of another journey
  // makes it ask again, and calls under way are waited for.
  await page.context().route('**/v1/panel/events', route => route.abort());
  const waiting = new Set<Request>();
  page.context().on('request', request => {
    if (/\/v1\/(?!panel\/events)/.test(request.url())) waiting.add(request);
  });
  page.context().on('requestfinished', request => waiting.delete(request));
  page.context().on('requestfailed', request => waiting.delete(request));
  const endSession = async () => {
    await expect.poll(() => waiting.size).toBe(0);
    await logOut(await storedToken());
  };
  /** Ends the session while this tab is away, and opens the panel again. */
  const comeBack = async (path: string) => {
    const token = await storedToken();
    await page.goto('about:blank');
    await logOut(token);
    await page.goto(path);
  };
  const signInAgain = async (who: { email: string; password: string }) => {
    await expect(ended).toBeVisible();
    await fillSignIn(page, who);
  };
  const { locationId } = await makeVenue(operator);
  await signIn(page, operator);

  // A form in a dialog.
  await page.goto('/visitors');
  await page.getByRole('button', { name: words.addVisitor }).first().click();
  await dialog.getByLabel(words.guestName).first().fill('Işıl Bekleyen');
  await dialog.getByLabel(words.username).fill('isil-bekleyen');
  await dialog.getByRole('textbox', { name: words.password }).fill('gizli parola');
  await endSession();
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(ended).toBeVisible();
  const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
  expect(stored).toContain('Işıl Bekleyen');
  expect(stored, 'passwords are not kept').not.toContain('gizli parola');
  await signInAgain(operator);
  await expect(page).toHaveURL('/visitors');
  await expect(page.getByText('What you typed was kept.')).toBeVisible();
  await page.getByRole('button', { name: words.addVisitor }).first().click();
  await expect(dialog.getByLabel(words.guestName).first()).toHaveValue('Işıl Bekleyen');
  await expect(dialog.getByLabel(words.username)).toHaveValue('isil-bekleyen');
  await dialog.getByRole('textbox', { name: words.password }).fill('gizli parola');
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Işıl Bekleyen' })).toBeVisible();

  // A form of a page, which asks before it is left otherwise. The dialog of the browser would fail the journey.
  const district = page.getByRole('textbox', { name: 'District' }).or(page.getByRole('combobox', { name: 'District' }));
  await page.goto(`/locations/${locationId}/edit`);
  await district.fill('Sultanahmet');
  await endSession();
  await page.getByRole('button', { name: words.save }).click();
  await signInAgain(operator);
  await expect(page).toHaveURL(`/locations/${locationId}/edit`);
  await expect(district).toHaveValue('Sultanahmet');
  await page.getByRole('button', { name: words.save }).click();
  await expect(page.getByText('Location updated')).toBeVisible();

  // Another user does not get it.
  await district.fill('Beyazıt');
  await endSession();
  await page.getByRole('button', { name: words.save }).click();
  await signInAgain(product);
  await expect(page, 'nor the place').toHaveURL('/admin');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('What you typed was kept.')).toHaveCount(0);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Beyazıt');

  // Another tab keeps what was typed there, and its place.
  const other = await page.context().newPage();
  await other.goto(`/locations/${locationId}/edit`);
  const otherDistrict = other
    .getByRole('textbox', { name: 'District' })
    .or(other.getByRole('combobox', { name: 'District' }));
  await otherDistrict.fill('Balat');
  await comeBack(`/locations/${locationId}/edit`);
  await expect(other).toHaveURL(`/auth/login?ended=1&next=${encodeURIComponent(`/locations/${locationId}/edit`)}`);
  await fillSignIn(other, product);
  await expect(otherDistrict).toHaveValue('Balat');
  await signInAgain(product);

  // The user signs out. The other tab leaves before the server refuses it, so it says nothing of an end.
  await other.getByRole('button', { name: words.save }).click();
  await expect(other.getByText('Location updated')).toBeVisible();
  const otherLeft = Promise.withResolvers<void>();
  await page.route('**/user/logout', async route => {
    const response = await route.fetch();
    await otherLeft.promise;
    await route.fulfill({ response });
  });
  await page.bringToFront();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(other).toHaveURL('/auth/login');
  otherLeft.resolve();
  await expect(page).toHaveURL('/auth/login');
  await other.close();
  await fillSignIn(page, product);

  // A panel that starts with an ended session, without an error in the console.
  await comeBack('/admin');
  await expect(ended).toBeVisible();
});

test('a tab with unsaved changes goes without a question when another user signs in beside it', async ({
  page,
  operator,
  product,
}) => {
  const { locationId, name } = await makeVenue(operator);
  await signIn(page, operator);
  // A question of the browser would be answered with "stay".
  const asked: string[] = [];
  page.on('dialog', dialog => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.goto(`/locations/${locationId}/edit`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().pressSequentially(' unsaved');
  const other = await page.context().newPage();
  await other.goto('/auth/login');
  const { token } = await makeOperator(product, 'Burak');
  await other.evaluate(value => localStorage.setItem('portico.token', value), token);
  await expect(page.getByRole('button', { name: 'Account: Burak İşleten' })).toBeVisible();
  await expect(page, 'not the place of the first user').not.toHaveURL(/locations/);
  await expect(page.getByText(`${name} unsaved`)).toHaveCount(0);
  expect(asked).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('unsaved');
});

async function fillSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(url => !url.pathname.startsWith('/auth/'));
}
