import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

// More than a day behind the venue, so the dates always differ.
test.use({ timezoneId: 'Pacific/Pago_Pago' });

test('dates follow the time zone of the venue, not of the operator', async ({ page, operator, product }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { name, locationId, device, visitor } = await makeVenue(operator);
  await operator.call('PUT', `panel/location/${locationId}`, { name, time_zone: 'Pacific/Kiritimati' });
  const router = await openRouter(product, device);
  try {
    const phone = router.lease({ mac: randomMac() });
    await router.signIn(phone, visitor.username, visitor.password);
    router.signOut(phone);
    await router.settled();
    await page.goto('/?period=today');
    await expect(page.getByText('1 in total, by hour')).toBeVisible();
    await page.goto('/reports/session-history?period=last7Days');
    await expect(page.getByRole('row').filter({ hasText: phone.mac })).toBeVisible();
  } finally {
    await router.close();
  }
});
