import { startProvider } from '../server/src/features/guests/testing/provider.ts';
import { joinNetwork } from './src/guest.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

test('a guest signs in with an OpenID account', async ({ browser, operator, product }) => {
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
