import type { Locator } from '@playwright/test';
import { startRouter } from '@portico/simulator/router.ts';
import { factoryDefault, pasteInto } from '@portico/simulator/router-os/terminal.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { addDevice, makeVenue, openRouter, randomMac, yearIn } from './src/venue.ts';

const account = { username: 'portico', password: 'yönlendirici parolası' };
/** Shorter than the panel's refresh every minute, so a change that shows in time was pushed. */
const live = { timeout: 30_000 };

test('a script refuses injected input, can be pasted twice, and has an undo script', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device } = await makeVenue(operator);
  await page.goto(`/devices/${device.id}/info`);
  const generate = page.getByRole('button', { name: words.wizard.generate });
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  const guests = page.getByRole('combobox', { name: words.wizard.guestInterfaces });
  await field(words.wizard.gatewayInterface).fill('ether1"; /user add name=x group=full');
  await field(words.wizard.gatewayIp).fill('192.168.88.2');
  await field(words.wizard.subnetMask).fill('$(reboot)');
  await guests.fill('ether2');
  await guests.press('Enter');
  await generate.click();
  await expect(page.getByText(words.wizard.interfaceFormat)).toBeVisible();
  await expect(page.getByText(words.wizard.subnetFormat)).toBeVisible();
  await expect(field(words.wizard.gatewayInterface)).toBeFocused();
  await field(words.wizard.gatewayInterface).fill('ether2');
  await field(words.wizard.subnetMask).fill('24');
  await generate.click();
  await expect(page.getByText(words.wizard.gatewayAmongGuests)).toBeVisible();
  await expect(page.getByRole('region', { name: words.wizard.script })).toHaveCount(0);
  await expectAccessible(page);

  await field(words.wizard.gatewayInterface).fill('ether1');
  await generate.click();
  const textOf = (name: string) => page.getByRole('region', { name, exact: true }).locator('pre').innerText();
  await expect(page.getByRole('region', { name: words.wizard.undo })).toBeVisible();
  const [script, undo] = [await textOf(words.wizard.script), await textOf(words.wizard.undo)];
  await expectAccessible(page);
  const router = factoryDefault();
  const ours = () =>
    [...router.values()].flat().filter(entry => [entry['comment'], entry['name'], entry['action']].includes('portico'));
  pasteInto(router, script);
  const once = ours().length;
  expect(once).toBeGreaterThan(15);
  pasteInto(router, script);
  expect(ours()).toHaveLength(once);
  pasteInto(router, undo);
  expect(ours()).toEqual([]);
  expect(router.get('/ip firewall filter'), 'what was there before').toMatchObject([
    { action: 'fasttrack-connection' },
  ]);
});

test('the device doctor gives advice for each failure', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const { device, visitor } = await makeVenue(operator);
  await page.goto(`/devices/${device.id}`);
  const { advice } = words;
  const check = (name: string): Locator =>
    page.getByRole('list', { name: words.doctor.title }).getByRole('listitem').filter({ hasText: name }).first();
  /** Repeats the examination, because packets are stored with a delay. */
  const examine = (expected: () => Promise<void>) =>
    expect(async () => {
      const button = page.getByRole('button', { name: new RegExp(`${words.doctor.examine}|${words.doctorAgain}`) });
      const answered = page.waitForResponse(answer => answer.url().endsWith('/doctor'));
      await button.click();
      await answered;
      // The checks come one after another; the button waits for the last one.
      await expect(button).toBeEnabled();
      await expected();
    }).toPass({ timeout: 90_000 });
  const brief = { timeout: 1500 };
  const plugIn = (more: object) =>
    startRouter({
      nasIdentifier: device.nas_identifier,
      secret: device.secret,
      radius: { host: product.host, authPort: product.radiusAuthPort, acctPort: product.radiusAcctPort },
      address: `127.14.${Number(process.env.TEST_WORKER_INDEX ?? 0) % 250}.1`,
      coaPort: product.coaPort,
      timeoutMs: 500,
      attempts: 2,
      ...more,
    });

  await examine(async () => {
    await expect(check(advice.checks.secret)).toContainText(advice.nothingHeard, brief);
    await expect(page.getByRole('listitem').filter({ hasText: advice.unseen })).toHaveCount(7, brief);
  });

  const stranger = await plugIn({ secret: 'not the secret of this device' });
  await stranger.signIn(stranger.lease({ mac: randomMac() }), visitor.username, visitor.password);
  await stranger.close();
  await examine(async () => {
    await expect(check(advice.checks.secret)).toContainText(advice.fails, brief);
    await expect(check(advice.checks.secret)).toContainText(advice.wrongSecret(stranger.address), brief);
  });

  // Its accounting goes to a closed port.
  const deaf = await plugIn({
    radius: { host: product.host, authPort: product.radiusAuthPort, acctPort: 9 },
    attempts: 1,
  });
  expect((await deaf.signIn(deaf.lease({ mac: randomMac() }), visitor.username, visitor.password)).outcome).toBe(
    'accepted',
  );
  deaf.behaveOnCoa('silent');
  await examine(async () => {
    await expect(check(advice.checks.secret)).toContainText(words.doctor.works, brief);
    await expect(check(advice.checks.accounting)).toContainText(advice.noAccounting, brief);
    await expect(check(advice.checks.coa)).toContainText(advice.silent, brief);
    await expect(check(advice.checks.garden)).toContainText(advice.noGuest, brief);
  });
  await expectAccessible(page);
  deaf.behaveOnCoa('nak');
  await examine(async () => {
    await expect(check(advice.checks.coa)).toContainText(advice.refuses, brief);
  });
  await deaf.close();

  const late = await plugIn({ clockSkew: -4000 });
  try {
    await late.signIn(late.lease({ mac: randomMac() }), visitor.username, visitor.password);
    // A guest arrives from an outdated sign-in page.
    const query = new URLSearchParams({ mac: randomMac(), ip: '10.5.50.9', login: `${late.hotspotUrl}/login`, v: '1' });
    const portal = await fetch(`${product.captive}/w/${device.nas_identifier}?${query}`);
    expect(portal.status, portal.url).toBe(200);
    await examine(async () => {
      await expect(check(advice.checks.accounting)).toContainText(words.doctor.works, brief);
      await expect(check(advice.checks.clock)).toContainText(advice.clockOff, brief);
      await expect(check(advice.checks.garden)).toContainText(words.doctor.works, brief);
      await expect(check(advice.checks.page)).toContainText(advice.oldPage, brief);
    });
  } finally {
    await late.close();
  }
});

test('advice for a Sophos uses its terms; a device that stopped accounting is reported', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId, visitor } = await makeVenue(operator);
  const device = await addDevice(operator, { locationId, brand: 'sophos' });
  const firewall = await openRouter(product, device);
  try {
    firewall.behaveOnCoa('silent');
    await firewall.signIn(firewall.lease({ mac: randomMac() }), visitor.username, visitor.password);
    await firewall.settled();
    const query = new URLSearchParams({ mac: randomMac(), ip: '10.5.50.9', login: 'https://192.168.5.1:8090', v: '1' });
    await fetch(`${product.captive}/w/${device.nas_identifier}?${query}`);
    // That state takes ten minutes; doctor.test.ts of the server tests it with a controlled clock.
    await page.route('**/doctor', async route => {
      const response = await route.fetch();
      const { data } = await response.json();
      const stopped = { state: 'failed', reason: 'stopped' };
      const json = {
        data: data.map((it: object & { name: string }) => (it.name === 'accounting' ? { ...it, ...stopped } : it)),
      };
      await route.fulfill({ response, json });
    });
    await page.goto(`/devices/${device.id}`);
    const { advice } = words;
    const check = (name: string) =>
      page.getByRole('list', { name: words.doctor.title }).getByRole('listitem').filter({ hasText: name }).first();
    // Packets are stored with a delay.
    await expect(async () => {
      const button = page.getByRole('button', { name: new RegExp(`${words.doctor.examine}|${words.doctorAgain}`) });
      const answered = page.waitForResponse(answer => answer.url().endsWith('/doctor'));
      await button.click();
      await answered;
      // The checks come one after another; the button waits for the last one.
      await expect(button).toBeEnabled();
      await expect(check(advice.checks.page)).toContainText(advice.sophos.oldPage, { timeout: 1500 });
      await expect(check(advice.checks.coa)).toContainText(advice.sophos.silent, { timeout: 1500 });
    }).toPass({ timeout: 90_000 });
    await expect(check(advice.checks.accounting)).toContainText(advice.fails);
    await expect(check(advice.checks.accounting)).toContainText(advice.stopped);
    await expectAccessible(page);
  } finally {
    await firewall.close();
  }
});

test('a further hotspot of a device is accepted with one button @phone', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  const { locationId } = await makeVenue(operator);
  const device = await addDevice(operator, { locationId, brand: 'mikrotik' });
  const host = '10.60.0.1';
  let isAccepted = false;
  page.on('response', answer => {
    isAccepted ||= answer.url().endsWith('/login-hosts') && answer.status() === 204;
  });
  // A device refuses further hosts after a day; attacks/ticket-to-another-host.test.ts of the server moves its clock.
  await page.route('**/doctor', async route => {
    const response = await route.fetch();
    const { data } = await response.json();
    const unused = { name: 'login_host', state: 'failed', reason: 'unused', address: host, seconds: null, at: null };
    await route.fulfill({ response, json: { data: isAccepted ? data : [...data, unused] } });
  });
  await page.goto(`/devices/${device.id}`);
  await page.getByRole('button', { name: 'Examine the device' }).click();
  const check = page.getByRole('listitem').filter({ hasText: 'Sign-in page address' });
  await expect(check).toContainText(`a sign-in page at ${host}`);
  await expectAccessible(page);
  await check.getByRole('button', { name: `Accept ${host}` }).click();
  await expect(page.getByText('The address was accepted')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Sign-in page version' })).toBeVisible();
  await expect(check).toHaveCount(0);
});

test('a command is queued, sent and done, and shows the router’s messages', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device } = await makeVenue(operator);
  const router = await openRouter(product, device, { management: account });
  try {
    const mac = randomMac();
    const connection = { host: router.address, port: router.os?.ports.rest, ...account, protocol: 'rest' };
    await operator.call('PUT', `panel/device/${device.id}`, { connection });
    router.os?.behave('silent');
    await page.goto(`/devices/${device.id}/info`);
    await expect(page.getByRole('form', { name: words.control.title })).toBeVisible();
    await operator.call('POST', `panel/device/${device.id}/macs`, { mac, type: 'blocked' });
    const row = page.getByRole('row').filter({ hasText: mac });
    await expect(row).toContainText(words.sent, live);
    // While the router is unreachable, the command waits for its next attempt and shows the reason.
    await expect(row).toContainText(words.control.queued, { timeout: 30_000 });
    await expect(row).toContainText(words.control.attempts);
    router.os?.behave('good');
    await expect(row).toContainText(words.control.done, { timeout: 40_000 });
    expect(router.os?.bindings()).toMatchObject([{ 'mac-address': mac, type: 'blocked' }]);
  } finally {
    await router.close();
  }
});

test('the days of the demo and the history of licences are shown', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device } = await makeVenue(operator);
  await page.goto(`/devices/${device.id}/license`);
  await expect(page.getByRole('region', { name: words.licence.demoDays })).toBeVisible();
  const history = page.getByRole('region', { name: words.licence.history });
  const entries = history.getByRole('row').filter({ hasText: 'Özge İşleten' });
  await expect(history).toBeVisible();
  await expect(entries).toHaveCount(0);
  let total = 0;
  for (const years of [2, 3]) {
    total += years;
    await page.getByRole('button', { name: words.licence.term(years), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: words.control.license }).click();
    await expect(dialog).toBeHidden();
    const newest = entries.first();
    await expect(newest).toContainText(words.licence.term(years));
    await expect(newest).toContainText(String(yearIn(total)));
  }
  await expect(entries).toHaveCount(2);
  await expect(page.getByRole('region', { name: words.licence.demoDays })).toHaveCount(0);
  await expectAccessible(page);
});

test('a new secret of a device is shown; the old one stops working', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const { device, visitor } = await makeVenue(operator);
  // A packet with a wrong secret gets no answer: more attempts would only wait longer.
  const once = (secret: string) => openRouter(product, { ...device, secret }, { attempts: 1 });
  const old = await once(device.secret);
  try {
    const before = await old.signIn(old.lease({ mac: randomMac() }), visitor.username, visitor.password);
    expect(before.outcome).toBe('accepted');
    await page.goto(`/devices/${device.id}/info`);
    await page.getByRole('button', { name: words.renew.button }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.renew.confirm }).click();
    const made = page.getByRole('region', { name: words.renew.made });
    await expect(made).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const secret = await made.locator('code').innerText();
    expect(secret).toMatch(/^\w{32}$/);
    await expectAccessible(page);
    const now = await once(secret);
    try {
      // The account is for one device, and one whose answer came too late counts.
      const phone = now.lease({ mac: randomMac() });
      const signIn = () => now.signIn(phone, visitor.username, visitor.password);
      await expect.poll(async () => (await signIn()).outcome, live).toBe('accepted');
    } finally {
      await now.close();
    }
    const after = await old.signIn(old.lease({ mac: randomMac() }), visitor.username, visitor.password);
    expect(after.outcome).not.toBe('accepted');
    // The dialog shows it once; later it is on the device's page.
    await page.reload();
    await expect(page.getByRole('button', { name: words.renew.button })).toBeVisible();
    await expect(made).toHaveCount(0);
  } finally {
    await old.close();
  }
});
