import { expect, expectAccessible, signIn, test } from './src/test.ts';

test('an operator signs in; a wrong password shows a message @phone', async ({ page, product }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/auth\/login/);
  await expectAccessible(page);
  await page.locator('input[name=email]').fill(product.email);
  await page.locator('input[name=password]').fill('not the password');
  await page.locator('button[type=submit]').click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await expect(page).toHaveURL(/\/auth\/login/);
  await expectAccessible(page);
  await signIn(page, product);
  await expect(page.getByRole('main')).toBeVisible();
  await page.reload();
  await expect(page).not.toHaveURL(/\/auth\//);
});

test('screens before sign-in are in English and offer Türkçe; the choice is remembered', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ locale: 'tr-TR', ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  const chosen = (name: string) => page.getByRole('button', { name, exact: true, pressed: true });
  const html = page.locator('html');
  for (const path of ['login', 'register', 'complete', 'forgot-password', 'reset-password']) {
    await page.goto(`/auth/${path}`);
    await expect(chosen('English'), path).toBeVisible();
    await expect(html).toHaveAttribute('lang', 'en');
  }
  await page.goto('/auth/login');
  await page.getByRole('button', { name: 'Türkçe', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Giriş yapın');
  await expect(html).toHaveAttribute('lang', 'tr');
  await page.goto('/auth/register');
  await expect(chosen('Türkçe')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hesap oluşturun');
  await context.close();
});
