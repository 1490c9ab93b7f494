import { startProvider } from '../server/src/features/guests/testing/provider.ts';
import { joinNetwork } from './src/guest.ts';
import { refuseCookies } from './src/no-cookies.ts';
import type { Operator } from './src/operator.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

/** A venue where guests sign in with an OpenID account, and its provider. */
async function offerAccounts(operator: Operator) {
  const client = { id: 'portico', secret: 'their secret' };
  const provider = await startProvider(client);
  const { device, locationId } = await makeVenue(operator);
  const connection = {
    type: 'openid',
    issuer: provider.issuer,
    client_id: client.id,
    client_secret: client.secret,
    label: 'Köy Kimlik',
  };
  const form = { name: 'Kimlik', location_id: locationId, integration_id: 'openid', params: { connection } };
  await operator.call('POST', 'panel/integration', form);
  return { provider, device };
}

test('a guest signs in with an OpenID account', async ({ browser, operator, product }) => {
  const { provider, device } = await offerAccounts(operator);
  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  try {
    await guest.open();
    await guest.page.getByRole('button', { name: 'Continue with Köy Kimlik' }).click();
    // The intermediate page redirects by itself.
    await expect(guest.page.getByRole('heading', { name: 'Sign in with your account' })).toBeVisible();
    expect(new URL(guest.page.url()).origin).toBe(provider.issuer);
    await guest.page.getByRole('link', { name: 'Continue as Ada Deniz' }).click();
    await guest.expectOnline();
    const { data } = await operator.call<{ data: { name: string; email: string }[] }>('GET', 'panel/client?search=ada');
    expect(data).toMatchObject([{ name: 'Ada Deniz', email: 'ada@example.com' }]);
  } finally {
    await guest.close();
    await router.close();
    provider.close();
  }
});

for (const [language, script, width] of [
  ['tr', true, 390],
  ['en', false, 360],
] as const)
  test(`a guest whose browser refuses cookies reads that an OpenID account needs them (${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const { provider, device } = await offerAccounts(operator);
    const router = await openRouter(product, device);
    const phone = { viewport: { width, height: 844 } };
    // The answer is a refusal, which the browser notes.
    const guest = await joinNetwork(browser, router, { language, script, phone, complaint: /400/ });
    const { page } = guest;
    const [goOn, title, form] =
      language === 'tr'
        ? ['Köy Kimlik ile devam et', 'Bu giriş yolu çerez gerektirir', 'Giriş sayfasına dön']
        : ['Continue with Köy Kimlik', 'This sign-in needs cookies', 'To the sign-in page'];
    try {
      await refuseCookies(page.context(), product.captive);
      await guest.open();
      await page.getByRole('button', { name: goOn }).click();
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      if (script) await expectAccessible(page);
      await page.getByRole('link', { name: form }).click();
      await expect(page.getByRole('button', { name: goOn })).toBeVisible();
    } finally {
      await guest.close();
      await router.close();
      provider.close();
    }
  });
