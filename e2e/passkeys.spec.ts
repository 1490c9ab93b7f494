import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, test } from './src/test.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const inside = (url: URL) => !url.pathname.startsWith('/auth/');

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/auth\/login/);
}

test('a passkey is added, signs in, is a second factor and is removed', async ({ page, operator }) => {
  const authenticator = await page.context().newCDPSession(page);
  await authenticator.send('WebAuthn.enable');
  await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, operator);
  await page.goto('/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).first().click();
  await dialog(page).getByLabel('Current password').fill(operator.password);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await dialog(page).getByRole('checkbox').check();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  await expectAccessible(page);

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(inside);

  await signOut(page);
  await page.locator('input[name=email]').fill(operator.email);
  await page.locator('input[name=password]').fill(operator.password);
  await page.locator('button[type=submit]').click();
  // The account has no authenticator app, so only a recovery code needs a field.
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await expect(page.locator('input[name=code]')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByLabel('Recovery code')).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(inside);

  await page.goto('/account/security');
  await page.getByRole('table', { name: 'Passkeys' }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog(page).getByLabel('Current password').fill(operator.password);
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No passkeys yet')).toBeVisible();
});
