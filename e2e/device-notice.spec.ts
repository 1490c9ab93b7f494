import { inviteMember } from './src/members.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addDevice, makeVenue, openRouter, randomMac } from './src/venue.ts';

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

test('the first steps name who may take those that a member may not', async ({ page, operator, product }) => {
  const venue = await makeVenue(operator);
  const permissions = { clients: ['view', 'store'], 'basic-stats': ['view'] };
  const token = await inviteMember(product, operator, venue, { permissions });
  await enterPanel(page, { token, language: 'en' });
  await page.goto('/');
  const step = page
    .getByRole('region', { name: 'Getting started' })
    .getByRole('listitem')
    .filter({ hasText: 'router' });
  await expect(step.first()).toContainText('Lobi has not connected yet. An administrator who may see devices');
  await expect(step.first().getByRole('link')).toHaveCount(0);
  await operator.call('DELETE', `panel/device/${venue.device.id}`);
  await page.reload();
  await expect(step.first()).toContainText('An administrator who may add devices does this.');
  await expectAccessible(page);
});

test('a certificate that has ended is a failure, one that will end a warning', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { device, locationId, name } = await makeVenue(operator);
  const day = 24 * 60 * 60_000;
  const at = { location: { id: locationId, name }, amount: null };
  const problem = (kind: string, days: number) => ({
    ...{ ...at, kind, id: device.id, name: `${kind} ${days}` },
    since: new Date(Date.now() + days * day).toISOString(),
  });
  const data = [
    { ...problem('backlog', -1), amount: 3 },
    problem('certificate', -2),
    problem('certificate', 5),
    problem('integration', -1),
  ];
  await page.route('**/v1/panel/statistics/problems*', route => route.fulfill({ json: { data } }));
  await page.goto('/');
  const problems = page.getByRole('region', { name: 'Problems' }).getByRole('listitem');
  await expect(problems).toContainText([
    'backlog -1: 3 commands wait',
    'The certificate of certificate -2 ended',
    'The certificate of certificate 5 ends',
    'integration -1 doesn’t work',
  ]);
  await expect(problems.filter({ has: page.locator('[data-tone=bad]') })).toHaveCount(2);
});

test('with all locations chosen, a licence that ends soon leads to the next, and failures come before warnings', async ({
  page,
  operator,
  product,
}) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  const { locationId, name, device } = await makeVenue(operator);
  await addDevice(operator, { locationId, brand: 'sophos' });
  await operator.call('POST', `panel/location/${locationId}/license`, {
    license_end_at: new Date(Date.now() + 5 * 24 * 60 * 60_000).toISOString(),
  });
  const router = await openRouter(product, device);
  try {
    await router.settled();
    await operator.call('POST', 'panel/user/team/change/all', {});
    await page.goto(`/?locations=${locationId}`);
    const problem = page
      .getByRole('region', { name: 'Problems' })
      .getByRole('listitem')
      .filter({ hasText: `The licence of ${name} ends in` });
    await expect(problem).toContainText('After that, guests can sign in only at devices with their own licence.');
    const regions = page.getByRole('region', { name: /^(Problems|sophos has not connected yet|Lobi is offline)$/ });
    await expect(regions, 'a device that never connected is a warning').toHaveCount(2);
    await expect(regions.last()).toHaveAccessibleName('sophos has not connected yet');
    await expectAccessible(page);
    await problem.getByRole('link', { name: 'Extend the licence' }).click();
    await expect(page.getByRole('button', { name: 'Apply licence' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
  } finally {
    await router.close();
  }
});
