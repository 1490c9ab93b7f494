import { expect, expectAccessible, signIn, test } from './src/test.ts';

test('an operator signs in, and is told in words when the password is wrong', async ({ page, product }) => {
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

test('the sign-in screen speaks Turkish', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('portico.language', 'tr'));
  await page.goto('/auth/login');
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Oturum aç|Giriş/);
});
