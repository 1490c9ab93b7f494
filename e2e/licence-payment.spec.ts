import { mailed } from './src/mail.ts';
import { callApi, tokenOf } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { startProduct } from './src/product.ts';
import { expect, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

// Other journeys expect requests, and all share one tenant.
test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  // oxlint-disable-next-line no-empty-pattern -- as above
  product: async ({}, use) => {
    const { product, stop } = await startProduct();
    await use(product);
    await stop();
  },
  baseURL: async ({ product }, use) => use(product.panel),
});

test('a customer pays a licence, which is in force at once; the tenant pays it back', async ({
  page,
  operator,
  product,
}) => {
  const { locationId, name } = await makeVenue(operator);
  const email = `buyer-${Date.now()}@example.com`;
  const password = 'a password for journeys';
  await operator.call('POST', `panel/location/${locationId}/user`, { email });
  const invite_token = await mailed(product, email, /accept\/([\w-]+)/);
  const who = { first_name: 'Vedat', last_name: 'Otelci', email, phone_number: '+905551112233', password };
  await callApi(product, { method: 'POST', path: 'user/register', body: { ...who, invite_token } });
  await operator.call('POST', 'panel/integration', {
    name: 'Licences',
    location_id: null,
    integration_id: 'test-payment',
    params: { connection: { type: 'test-payment' } },
  });
  const licence = () =>
    operator
      .call<{ data: { license_end_at: string | null } }>('GET', `panel/location/${locationId}`)
      .then(it => it.data.license_end_at);
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto('/settings/licences');
  await page.getByRole('switch', { name: 'Customers pay online' }).check();
  await page.getByLabel('Price per year').fill('99,50');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Price of licences saved')).toBeVisible();

  await enterPanel(page, { token: await tokenOf(product, { email, password }), language: 'en' });
  await page.goto('/onboarding/subscribe');
  await page.getByText('2 years', { exact: true }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByText('€199', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.getByRole('button', { name: 'Pay · Öde' }).click();
  await expect(page.getByText('Payment received, your licence is in force')).toBeVisible();
  expect(Date.parse((await licence())!)).toBeGreaterThan(Date.now() + 700 * 86_400_000);

  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto('/settings/licences');
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Refund' }).click();
  await page.getByLabel('Reason').fill('Bought twice');
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(Date.parse((await licence())!)).toBeLessThan(Date.now() + 60_000);
});
