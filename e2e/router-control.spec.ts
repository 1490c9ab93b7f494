import { joinNetwork } from './src/guest.ts';
import { mailed } from './src/mail.ts';
import { callApi, tokenOf } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

/** Shorter than the panel's refresh every minute, so a change that shows in time was pushed. */
const live = { timeout: 30_000 };
const account = { username: 'portico', password: 'yönlendirici parolası' };

test('a device is blocked at a connected router and by RADIUS', async ({ page, browser, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device, { management: account });
  const guest = await joinNetwork(browser, router);
  try {
    await page.goto(`/devices/${device.id}/info`);
    const form = page.getByRole('form', { name: words.control.title });
    await form.getByLabel(words.control.host).fill(router.address);
    await form.getByLabel(words.control.port).fill(String(router.os?.ports.rest));
    await form.getByLabel(words.username).fill(account.username);
    const password = form.getByLabel(words.password, { exact: true });
    await password.fill('yanlış');
    await form.getByRole('button', { name: words.control.test }).click();
    await expect(form).toContainText('the router refused this username or password');
    await password.fill(account.password);
    await form.getByRole('button', { name: words.control.test }).click();
    await expect(form.getByRole('status')).toContainText(device.nas_identifier);
    await expect(form.getByRole('status')).toContainText('7.18.2');
    await form.getByRole('button', { name: words.save }).click();
    await expect(page.getByText(words.control.saved)).toBeVisible();
    await expectAccessible(page);

    await guest.open();
    await guest.signIn(visitor);
    await guest.expectOnline();
    await page.goto(`/devices/${device.id}/macs`);
    const card = page.getByRole('region', { name: words.control.blocked });
    await card.getByRole('button', { name: words.control.add }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(words.mac).fill(guest.device.mac);
    await dialog.getByRole('button', { name: words.save }).click();
    await expect(card.getByRole('cell', { name: guest.device.mac }).first()).toBeVisible();

    await page.goto(`/devices/${device.id}`);
    await page.getByRole('button', { name: words.doctor.examine }).click();
    const checks = page.getByRole('list', { name: words.doctor.title }).getByRole('listitem');
    await expect(checks).toHaveCount(7);
    await expect(checks.filter({ hasText: words.doctor.works })).toHaveCount(7);
    await expectAccessible(page);
    await page.goto(`/devices/${device.id}/info`);
    const row = page.getByRole('row').filter({ hasText: guest.device.mac });
    await expect(row).toContainText(words.control.done, live);
    await expectAccessible(page);
    expect(router.os?.bindings()).toMatchObject([{ 'mac-address': guest.device.mac, type: 'blocked' }]);
    expect(router.session(guest.device.mac), 'its session has ended').toBeUndefined();
    await guest.open();
    await expect(guest.page.getByRole('heading', { name: guest.words.blocked })).toBeVisible();
    expect((await router.signIn(guest.device, visitor.username, visitor.password)).outcome).toBe('rejected');

    // A refusal of the router shows its message; a retry succeeds.
    const other = randomMac();
    router.os?.refuseNext('failure: table is full');
    await operator.call('POST', `panel/device/${device.id}/macs`, { mac: other, type: 'bypassed' });
    const refused = page.getByRole('row').filter({ hasText: other });
    await expect(refused).toContainText('table is full', live);
    await refused.getByRole('button', { name: /./ }).click();
    await page.getByRole('menuitem', { name: words.control.retry }).click();
    await expect(refused).toContainText(words.control.done, live);
    expect(router.os?.bindings()).toHaveLength(2);
  } finally {
    await guest.close();
    await router.close();
  }
});

test('switching a hotspot off disconnects guests and prevents sign-ins', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device, { management: account });
  try {
    const connection = { host: router.address, port: router.os?.ports['api-ssl'], ...account, protocol: 'api-ssl' };
    await operator.call('PUT', `panel/device/${device.id}`, { connection });
    const phone = router.lease({ mac: randomMac() });
    const signIn = async () => (await router.signIn(phone, visitor.username, visitor.password)).outcome;
    expect(await signIn()).toBe('accepted');
    await page.goto(`/devices/${device.id}`);
    await page.getByRole('switch', { name: words.control.on }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.control.switchOff }).last().click();
    await expect(page.getByRole('switch', { name: words.control.off })).toBeVisible();
    await expect.poll(() => router.session(phone.mac), live).toBeUndefined();
    expect(await signIn()).toBe('rejected');
    await page.getByRole('switch', { name: words.control.off }).click();
    await expect(page.getByRole('switch', { name: words.control.on })).toBeVisible();
    expect(await signIn()).toBe('accepted');
  } finally {
    await router.close();
  }
});

test('a device is licensed', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const { device } = await makeVenue(operator);
  await page.goto(`/devices/${device.id}/license`);
  await expect(page.getByRole('region', { name: words.control.demo })).toBeVisible();
  await page.getByRole('button', { name: words.control.years(2) }).click();
  await page.getByRole('dialog').getByRole('button', { name: words.control.license }).click();
  await expect(page.getByText(words.control.licensed)).toBeVisible();
  await expect(page.getByRole('region', { name: words.control.demo })).toHaveCount(0);
  const { data } = await operator.call<{ data: { license_remain: number; is_trial: boolean } }>(
    'GET',
    `panel/device/${device.id}`,
  );
  expect(data.is_trial).toBe(false);
  expect(data.license_remain).toBeGreaterThan(725);
  // A licence that is given elsewhere meanwhile is shown, with its entry in the history.
  const entries = page.getByRole('table').getByRole('row');
  await expect(entries).toHaveCount(2);
  await operator.call('POST', `panel/device/${device.id}/license`, { year: 1 });
  await expect(entries).toHaveCount(3);
});

test('a member limited to one device sees only that device', async ({ page, operator, product }) => {
  const { device, locationId } = await makeVenue(operator);
  const brands = await operator.call<{ data: { id: string; slug: string }[] }>('GET', 'panel/device/brands');
  const hidden = await operator.call<{ data: { id: string } }>('POST', 'panel/device', {
    location_id: locationId,
    brand_id: brands.data.find(brand => brand.slug === 'mikrotik')?.id,
    name: 'Gizli arka ofis',
    mac_address: randomMac(),
  });
  const member = {
    email: `sinirli-${randomMac().replaceAll(':', '')}@example.com`.toLowerCase(),
    password: 'gizli-parola',
  };
  await operator.call('POST', `panel/location/${locationId}/user`, { email: member.email, deviceIds: [device.id] });
  const invite_token = await mailed(product, member.email, /invitation\/accept\/([\w-]+)/);
  const names = { first_name: 'Ece', last_name: 'Sınırlı', phone_number: '+905301112233' };
  await callApi(product, { method: 'POST', path: 'user/register', body: { ...names, ...member, invite_token } });

  const words = await enterPanel(page, { token: await tokenOf(product, member), language: 'tr' });
  await page.goto('/devices');
  await expect(page.getByRole('heading', { level: 1, name: words.nav.devices })).toBeVisible();
  await expect(page.getByText('Lobi').first()).toBeVisible();
  await expect(page.getByText('Gizli arka ofis')).toHaveCount(0);
  await page.goto(`/devices/${hidden.data.id}`);
  await expect(page.getByText('Gizli arka ofis')).toHaveCount(0);
  await expect(page.getByText(words.control.notFound).first()).toBeVisible();
});
