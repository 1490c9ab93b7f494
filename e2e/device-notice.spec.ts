import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

test('the dashboard says first whether the devices work @phone', async ({ page, operator, product }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, visitor } = await makeVenue(operator);
  await page.goto('/');
  const setup = page.getByRole('region', { name: 'Getting started' });
  await expect(setup).toContainText('Lobi has not connected yet');
  await expectAccessible(page);
  const router = await openRouter(product, device);
  try {
    await router.signIn(router.lease({ mac: randomMac() }), visitor.username, visitor.password);
    await router.settled();
    await expect(page.getByText('The device is online.')).toBeVisible();
    await expect(setup).toBeHidden();
  } finally {
    await router.close();
  }
  const { data } = await operator.call<{ data: object[] }>('GET', 'panel/device');
  const lost = { ...data[0], status: 'offline' };
  await page.route('**/v1/panel/device?*', route => route.fulfill({ json: { data: [lost], meta: { total: 1 } } }));
  await page.reload();
  await expect(page.getByRole('region', { name: 'Lobi is offline' })).toContainText('Lobi (now)');
  await page.getByRole('link', { name: 'Open the device' }).click();
  await expect(page).toHaveURL(new RegExp(`/devices/${device.id}`));
});

test('the dashboard says when sign-ins fail more often than usual, and leads to the attempts', async ({
  page,
  operator,
  product,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, visitor, name } = await makeVenue(operator);
  const router = await openRouter(product, device);
  try {
    for (let i = 0; i < 10; i++)
      await router.signIn(router.lease({ mac: randomMac() }), `${visitor.username}${i}`, 'wrong');
  } finally {
    await router.close();
  }
  await page.goto('/');
  const problems = page.getByRole('region', { name: 'Problems' });
  await expect(problems).toContainText(`${name}: 10 failed sign-ins in the last hour`);
  await expectAccessible(page);
  await problems.getByRole('link', { name: 'Show the attempts' }).click();
  await expect(page.getByRole('dialog')).toContainText('10 attempts in this period');
});
