import { measureEffort } from './src/effort.ts';
import { mailed } from './src/mail.ts';
import { callApi, tokenOf } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addDevice, makeVenue, openRouter, randomMac } from './src/venue.ts';

/** Shorter than the panel's refresh every minute, so a change that shows in time was pushed. */
const live = { timeout: 30_000 };

test('device filters are part of the URL; a device is deleted after confirmation @phone', async ({ page, operator }, {
  project,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const other = await makeVenue(operator);
  const { locationId, name } = await makeVenue(operator);
  await addDevice(operator, { locationId, brand: 'sophos' });
  await addDevice(operator, { locationId, brand: 'watchguard' });
  await page.goto('/devices');
  const device = (called: string) => page.getByRole('link', { name: called, exact: true });
  await expect(device('sophos')).toBeVisible();
  const choose = async (filter: string, option: string) => {
    await page.getByRole('search').getByRole('button', { name: filter }).click();
    await page.getByRole('radio', { name: option }).check();
    await page.keyboard.press('Escape');
  };
  await choose(words.brand, 'Sophos');
  await expect(page).toHaveURL(/\?brand=sophos$/);
  await expect(device('watchguard')).toHaveCount(0);
  await choose(words.status, words.online);
  await expect(page).toHaveURL(/brand=sophos&status=online/);
  await expect(page.getByText(words.noMatch)).toBeVisible();
  await page.reload();
  await expect(page.getByText(words.noMatch)).toBeVisible();

  // A link to a location other than the active one.
  await page.goto(`/devices?location=${other.locationId}`);
  await expect(device('Lobi')).toBeVisible();
  await expect(device('sophos')).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText(other.name);
  await page.goto(`/devices?location=${locationId}&search=watch`);
  await expect(device('watchguard')).toBeVisible();
  await expect(device('Lobi')).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText(name);

  await page.getByRole('button', { name: words.actionsFor('watchguard') }).click();
  await page.getByRole('menuitem', { name: words.delete }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(words.deleteDevice)).toBeVisible();
  await dialog.getByRole('button', { name: words.no }).click();
  await expect(device('watchguard')).toBeVisible();
  await page.getByRole('button', { name: words.actionsFor('watchguard') }).click();
  await page.getByRole('menuitem', { name: words.delete }).click();
  await dialog.getByRole('button', { name: words.yes }).click();
  await expect(device('watchguard')).toHaveCount(0);
  await expect(page.getByText(words.noMatch)).toBeVisible();
  await page.getByRole('button', { name: words.clearAll }).click();
  await expect(device('sophos')).toBeVisible();
  await expect(page).toHaveURL(/\/devices$/);
});

test('devices are ordered, and switched and deleted together @phone', async ({ page, operator }, { project }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  await addDevice(operator, { locationId, brand: 'sophos' });
  await addDevice(operator, { locationId, brand: 'watchguard' });
  await page.goto(`/devices?location=${locationId}`);
  const names = page.getByRole('table').getByRole('link');
  await expect(names).toHaveText(['watchguard', 'sophos', 'Lobi']);
  if (project.name === 'desktop') {
    const sort = page.getByRole('columnheader', { name: 'Name' }).getByRole('button');
    await sort.click();
    await expect(names).toHaveText(['Lobi', 'sophos', 'watchguard']);
    await expect(page).toHaveURL(/sort=name&order=asc/);
    await sort.click();
    await expect(names).toHaveText(['watchguard', 'sophos', 'Lobi']);
  }

  const { click, sum } = measureEffort();
  await click(page.getByRole('checkbox', { name: 'Select sophos' }));
  await click(page.getByRole('checkbox', { name: 'Select watchguard' }));
  const bar = page.getByRole('region', { name: 'Selection' });
  await expectAccessible(page);
  await click(bar.getByRole('button', { name: 'Hotspot off' }));
  await expectAccessible(page);
  await click(page.getByRole('dialog').getByRole('button', { name: 'Switch 2 hotspots off' }));
  await expect(page.getByText('2 hotspots switched off.')).toBeVisible();
  await expect(bar).toBeHidden();
  expect(sum().clicks).toBe(4);

  await page.getByRole('checkbox', { name: 'Select sophos' }).check();
  await page.getByRole('checkbox', { name: 'Select watchguard' }).check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 devices' }).click();
  await expect(names).toHaveText(['Lobi']);
});

test('a deleted device disappears from open screens', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  const { id } = await addDevice(operator, { locationId, brand: 'sophos' });
  const listening = page.waitForResponse('**/v1/panel/events');
  await page.goto(`/devices/${id}/macs`);
  await listening;
  await expect(page.getByRole('heading', { name: 'sophos' })).toBeVisible();
  await operator.call('DELETE', `panel/device/${id}`);
  // The lists on the screen may miss it a moment before the screen does.
  await expect(page.getByRole('heading', { name: 'sophos' })).toHaveCount(0, live);
  await expect(page.getByRole('heading', { name: words.control.notFound })).toBeVisible();
});

test('a router with a changed certificate gets no password until the old certificate is forgotten', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const { device } = await makeVenue(operator);
  const account = { username: 'portico', password: 'yönlendirici parolası' };
  const router = await openRouter(product, device, { management: account });
  try {
    const connection = { host: router.address, port: router.os?.ports.rest, ...account, protocol: 'rest' };
    const block = async () => {
      const mac = randomMac();
      await operator.call('POST', `panel/device/${device.id}/macs`, { mac, type: 'blocked' });
      return page.getByRole('row').filter({ hasText: mac });
    };
    // An unreachable router is retried with growing delays, and at once when its connection is changed.
    await operator.call('PUT', `panel/device/${device.id}`, { connection: { ...connection, port: 9 } });
    await page.goto(`/devices/${device.id}/info`);
    const first = await block();
    await expect(first).toContainText('ECONNREFUSED', live);
    await expect(first).toContainText(words.control.queued);
    await expect(first).toContainText(words.control.attempts);
    await operator.call('PUT', `panel/device/${device.id}`, { connection });
    await expect(first).toContainText(words.control.done, { timeout: 20_000 });
    await page.reload();
    const form = page.getByRole('form', { name: words.control.title });
    await expect(form).toContainText(/[0-9A-F]{2}(:[0-9A-F]{2}){31}/);

    router.os?.renewCertificate();
    const asked = router.os?.requests('rest');
    const refused = await block();
    await expect(refused).toContainText(words.control.failed, live);
    await expect(refused).toContainText('another certificate');
    await form.getByRole('button', { name: words.control.test }).click();
    await expect(form).toContainText('another certificate');
    expect(router.os?.requests('rest'), 'nothing was asked of it, so nothing told').toBe(asked);

    await form.getByRole('button', { name: words.control.forget }).click();
    await expect(page.getByText(words.control.forgotten)).toBeVisible();
    // Failed commands are sent again automatically.
    await expect(refused).toContainText(words.control.done, live);
    expect(router.os?.bindings()).toHaveLength(2);
  } finally {
    await router.close();
  }
});

test('a router behind NAT fetches its commands, and the panel shows its error messages', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device } = await makeVenue(operator);
  const router = await openRouter(product, device, { management: { username: 'admin', password: 'gizli' } });
  try {
    router.os?.paste(
      await operator.call<string>('POST', `panel/device/mikrotik/script/${device.id}`, {
        gateway_interface: 'ether1',
        gateway_ip: '192.168.88.2',
        hotspot_address: '10.5.50.1',
        hotspot_subnet: '24',
        guestInterfaces: ['ether2'],
      }),
    );
    await page.goto(`/devices/${device.id}/info`);
    const [first, second] = [randomMac(), randomMac()];
    for (const mac of [first, second])
      await operator.call('POST', `panel/device/${device.id}/macs`, { mac, type: 'blocked' });
    const row = (mac: string) => page.getByRole('row').filter({ hasText: mac });
    await expect(row(first)).toContainText(words.control.queued, live);
    router.os?.refuseNext('failure: table is full (/ip/hotspot/ip-binding/add; line 6)');
    await router.os?.poll();
    await expect(row(first)).toContainText('failure: table is full (/ip/hotspot/ip-binding/add; line 6)', live);
    await expect(row(first)).toContainText(words.control.failed);
    await expect(row(second)).toContainText(words.control.done);
    await expectAccessible(page);
    await row(first).getByRole('button', { name: /./ }).click();
    await page.getByRole('menuitem', { name: words.control.retry }).click();
    await expect(row(first)).toContainText(words.control.queued);
    await router.os?.poll();
    await expect(row(first)).toContainText(words.control.done, live);
    expect(router.os?.bindings()).toHaveLength(2);
  } finally {
    await router.close();
  }
});

test('a member with view permission sees no secret and cannot change a device', async ({ page, operator, product }) => {
  const { device, locationId } = await makeVenue(operator);
  const { data } = await operator.call<{ data: { secret: string; radius: { host: string } } }>(
    'GET',
    `panel/device/${device.id}`,
  );
  const member = {
    email: `bakan-${randomMac().replaceAll(':', '')}@example.com`.toLowerCase(),
    password: 'gizli-parola',
  };
  const permissions = ['view-devices', 'view-basic-stats'];
  await operator.call('POST', `panel/location/${locationId}/user`, { email: member.email, permissions });
  const invite_token = await mailed(product, member.email, /invitation\/accept\/([\w-]+)/);
  const names = { first_name: 'Ece', last_name: 'Bakan', phone_number: '+905301112233' };
  await callApi(product, { method: 'POST', path: 'user/register', body: { ...names, ...member, invite_token } });
  const token = await tokenOf(product, member);
  const answer = await callApi<{ data: object }>(product, { method: 'GET', path: `panel/device/${device.id}`, token });
  expect(JSON.stringify(answer)).not.toContain(data.secret);

  const words = await enterPanel(page, { token, language: 'tr' });
  await page.goto('/devices');
  await expect(page.getByRole('link', { name: 'Lobi', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: words.addDevice })).toHaveCount(0);
  await page.goto(`/devices/${device.id}/info`);
  await expect(page.getByText(data.radius.host, { exact: true })).toBeVisible();
  for (const name of [words.showSecret, words.doctor.examine, words.control.test, words.wizard.loginFile])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await expect(page.getByText(words.secret)).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/devices/${device.id}/macs`);
  await expect(page.getByRole('button', { name: words.macFile.export })).toBeVisible();
  for (const name of [words.control.add, words.importMacs])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await page.goto(`/devices/${device.id}`);
  await expect(page.getByRole('switch', { name: words.control.on })).toBeDisabled();
  await expect(page.getByRole('button', { name: words.control.years(2) })).toHaveCount(0);
});
