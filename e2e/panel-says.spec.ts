import { mailed } from './src/mail.ts';
import { callApi, tokenOf } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('an unknown path redirects to the dashboard with a message', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  await page.goto('/no/such/page');
  await expect(page.getByText(words.noSuchPage)).toBeVisible();
  await expect(page).toHaveURL(url => url.pathname === '/');
  await expect(page.getByRole('button', { name: words.metricOnline })).toBeVisible();
});

test('a wrong password is reported at its field, which gets the focus', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  await page.goto('/account/security');
  await page.getByLabel(/^Current password\s*\*?$/).fill(operator.password);
  const field = page.getByLabel(/^New password\s*\*?$/);
  await field.fill('abc');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toBeFocused();
  await expect(page.getByText(/at least \d+ characters/i), 'one message for one fault').toHaveCount(1);
  await expectAccessible(page);
});

test('reports over all devices are hidden from members limited to some', async ({ page, operator, product }) => {
  const { locationId, device } = await makeVenue(operator);
  const email = `limited.${Date.now()}.${process.pid}@example.com`;
  await operator.call('POST', `panel/location/${locationId}/user`, {
    email,
    deviceIds: [device.id],
    permissions: ['view-integrations', 'store-integrations', 'update-location', 'view-basic-stats'],
  });
  const password = 'a quiet harbour 7';
  const invite_token = await mailed(product, email, /invitation\/accept\/([\w-]+)/);
  const name = { first_name: 'Ece', last_name: 'Yılmaz', phone_number: '+90 533 000 00 00' };
  await callApi(product, { method: 'POST', path: 'user/register', body: { ...name, email, password, invite_token } });
  await operator.call('POST', 'panel/reports/mail', {
    ...{ location_id: locationId, name: 'Haftalık', frequency: 'weekly', reports: ['visits'] },
    ...{ recipients: ['a@example.com'], language: 'tr', is_active: true },
  });

  await enterPanel(page, { token: await tokenOf(product, { email, password }), language: 'en' });
  await page.goto('/reports/mails');
  await expect(page.getByRole('row').filter({ hasText: 'Haftalık' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add e-mail report' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for Haftalık' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Delete']);
  await page.goto('/integrations');
  await page.getByRole('button', { name: 'Add integration' }).first().click();
  await expect(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
  await expect(page.getByRole('dialog').locator('input[value=webhook]')).toHaveCount(0);
});
