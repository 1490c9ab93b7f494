import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { startFirebox } from '@portico/simulator/firebox.ts';
import { startRouter } from '@portico/simulator/router.ts';
import { joinNetwork } from './src/guest.ts';
import type { Operator } from './src/operator.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';
import type { PanelWords } from './src/words.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Shorter than the panel's refresh every minute, so a change that shows in time was pushed. */
const live = { timeout: 30_000 };

interface Added {
  readonly id: string;
  readonly nas_identifier: string;
  readonly serial_number: string | null;
  readonly secret: string;
  readonly portal_url: string;
  readonly radius: { readonly host: string; readonly auth_port: number };
}

const findDevice = async (operator: Operator, name: string): Promise<Added> => {
  const { data } = await operator.call<{ data: { id: string; name: string }[] }>('GET', 'panel/device');
  const id = data.find(each => each.name === name)?.id;
  return (await operator.call<{ data: Added }>('GET', `panel/device/${id}`)).data;
};

/** Opens the wizard at its second step. */
async function openWizard(page: Page, words: PanelWords, brand: string): Promise<Locator> {
  await page.getByRole('button', { name: words.addDevice }).first().click();
  const wizard = page.getByRole('dialog');
  const next = wizard.getByRole('button', { name: words.next });
  await expect(wizard.getByRole('radio', { name: brand })).toBeAttached();
  for (const radio of await wizard.getByRole('radio').all()) await expect(radio).not.toBeChecked();
  await expect(next).toBeDisabled();
  await wizard.getByRole('radio', { name: brand }).check();
  await next.click();
  return wizard;
}

/** Presses a copy button and returns the clipboard's text. */
async function copied(page: Page, part: Locator, words: PanelWords, label: string): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await part.getByRole('button', { name: words.copy(label), exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
  return page.evaluate(() => navigator.clipboard.readText());
}

async function downloaded(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent('download');
  await button.click();
  const file = await waiting;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

/** Expects the brand's guide to open in a new tab with the device's values. */
async function expectGuide(wizard: Locator, words: PanelWords, slug: string, value: string): Promise<void> {
  const link = wizard.getByRole('link', { name: words.wizard.guide });
  await expect(link).toHaveAttribute('href', new RegExp(`^/guides/${slug}\\?device=`));
  const opening = link.page().waitForEvent('popup');
  await link.click();
  const guide = await opening;
  await expect(guide.getByRole('heading', { level: 1 })).toHaveText(words.wizard.guides[slug as 'mikrotik']);
  await expect(guide.getByText(value, { exact: true })).toBeVisible();
  expect(await guide.getByRole('article').getByRole('heading', { level: 2 }).count()).toBeGreaterThan(4);
  await guide.close();
}

test('the wizard for MikroTik: the script is fetched once, and the first packet completes it @phone', async ({
  page,
  operator,
  product,
}, { project }) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  await makeVenue(operator);
  await page.goto('/devices');
  const name = 'Havuz başı';
  let wizard = await openWizard(page, words, 'MikroTik');
  const save = () => wizard.getByRole('button', { name: words.save });
  const mac = randomMac();
  await expect(save()).toBeDisabled();
  await wizard.getByLabel(words.mac).pressSequentially(`${mac.toLowerCase().replaceAll(':', '-')}99`);
  await expect(wizard.getByLabel(words.mac)).toHaveValue(mac);
  await expect(save()).toBeDisabled();
  await wizard.getByRole('textbox', { name: words.name, exact: true }).fill(name);
  await expect(save()).toBeEnabled();

  // Reopened it is empty; going back keeps the input, except the address of another brand's device.
  await page.keyboard.press('Escape');
  await expect(wizard).toBeHidden();
  wizard = await openWizard(page, words, 'MikroTik');
  await expect(wizard.getByLabel(words.mac)).toHaveValue('');
  await expect(wizard.getByRole('textbox', { name: words.name, exact: true })).toHaveValue('');
  await wizard.getByRole('textbox', { name: words.name, exact: true }).fill(name);
  await wizard.getByRole('button', { name: words.back }).click();
  await expect(wizard.getByRole('radio', { name: 'MikroTik' })).toBeChecked();
  await wizard.getByRole('button', { name: words.next }).click();
  await expect(wizard.getByRole('textbox', { name: words.name, exact: true })).toHaveValue(name);

  // A part of a MAC address cannot be saved.
  await wizard.getByLabel(words.mac).fill(mac.slice(0, 8));
  await expect(save()).toBeDisabled();
  // Characters typed in the middle stay together.
  await wizard.getByLabel(words.mac).fill(mac.slice(2));
  await wizard.getByLabel(words.mac).press('Home');
  await wizard.getByLabel(words.mac).pressSequentially(mac.slice(0, 2));
  await expect(wizard.getByLabel(words.mac)).toHaveValue(mac);
  await save().click();
  await expect(wizard.getByText(words.wizard.made(name))).toBeVisible();
  await expect(wizard.getByText(words.wizard.waiting)).toBeVisible();
  const device = await findDevice(operator, name);

  expect(await copied(page, wizard, words, words.wizard.radiusHost)).toBe(device.radius.host);
  expect(await copied(page, wizard, words, words.secret)).toBe(device.secret);
  expect(await copied(page, wizard, words, words.nas)).toBe(device.nas_identifier);
  expect(await copied(page, wizard, words, words.wizard.portalUrl)).toBe(device.portal_url);
  await expect(wizard).not.toContainText(device.secret);
  await wizard.getByRole('button', { name: words.showSecret }).click();
  await expect(wizard).toContainText(device.secret);
  await expectGuide(wizard, words, 'mikrotik', device.nas_identifier);

  const page1 = await downloaded(page, wizard.getByRole('button', { name: words.wizard.loginFile }));
  expect(page1.name).toBe('login.html');
  expect(page1.text).toContain(`${device.portal_url}?mac=$(mac-esc)`);

  // All five fields are required, and conflicts are reported.
  await wizard.getByRole('button', { name: words.wizard.generate }).click();
  await expect(wizard.getByLabel(words.wizard.gatewayIp)).toHaveAttribute('aria-invalid', 'true');
  await wizard.getByLabel(words.wizard.gatewayIp).fill('10.5.50.9');
  await wizard.getByRole('combobox', { name: words.wizard.guestInterfaces }).pressSequentially('ether2,wlan1');
  await wizard.getByRole('combobox', { name: words.wizard.guestInterfaces }).press('Enter');
  await wizard.getByRole('button', { name: words.wizard.generate }).click();
  await expect(wizard.getByText(words.wizard.overlap)).toBeVisible();
  await wizard.getByLabel(words.wizard.gatewayIp).fill('192.168.88.2');
  await wizard.getByRole('button', { name: words.wizard.generate }).click();
  const line = await copied(page, wizard, words, words.wizard.line);
  const script = await copied(page, wizard, words, words.wizard.script);
  expect(script).toContain(`/system identity set name="${device.nas_identifier}"`);
  expect(script).toContain(`secret="${device.secret}"`);
  const file = await downloaded(page, wizard.getByRole('button', { name: words.wizard.downloadScript }));
  expect(file).toEqual({ name: `portico-${device.nas_identifier}.rsc`, text: script });
  const [, url = ''] = /^\/tool fetch url="([^"]+)" .*\/import file-name=/.exec(line) ?? [];
  expect(await (await fetch(url)).text()).toBe(script);
  expect((await fetch(url)).status, 'a second time there is nothing').toBe(404);
  await expectAccessible(page);

  // A packet with another secret does not count; the router's Accounting-On does.
  const stranger = await startRouter({
    nasIdentifier: device.nas_identifier,
    secret: 'another secret',
    radius: { host: product.host, authPort: product.radiusAuthPort, acctPort: product.radiusAcctPort },
    timeoutMs: 200,
    attempts: 1,
  });
  await stranger.close();
  await expect(wizard.getByText(words.wizard.waiting)).toBeVisible();
  const router = await openRouter(product, device, { management: { username: 'admin', password: 'gizli' } });
  try {
    await expect(wizard.getByText(words.wizard.heard)).toBeVisible(live);
    await expect(wizard.getByText(words.wizard.waiting)).toHaveCount(0);
    await expectAccessible(page);

    // The pasted script fetches commands with its own token.
    router.os?.paste(script);
    expect(await router.os?.poll()).toMatchObject({ status: 200 });
    await wizard.getByRole('button', { name: words.openDevice }).click();
    await expect(page).toHaveURL(new RegExp(`/devices/${device.id}$`));
    await expect(page.getByText(words.online, { exact: true }).first()).toBeVisible();
  } finally {
    await router.close();
  }
});

test('the wizard for Sophos is completed by the first packet', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  await makeVenue(operator);
  await page.goto('/devices');
  const wizard = await openWizard(page, words, 'Sophos');
  await wizard.getByLabel(words.mac).fill(randomMac());
  await wizard.getByRole('textbox', { name: words.name, exact: true }).fill('Güvenlik duvarı');
  await wizard.getByRole('button', { name: words.save }).click();
  await expect(wizard.getByText(words.wizard.waiting)).toBeVisible();
  const device = await findDevice(operator, 'Güvenlik duvarı');
  expect(await copied(page, wizard, words, words.secret)).toBe(device.secret);
  await expectGuide(wizard, words, 'sophos', device.nas_identifier);
  await expect(wizard.getByRole('button', { name: words.wizard.generate })).toHaveCount(0);
  const template = await downloaded(page, wizard.getByRole('button', { name: words.wizard.loginFile }));
  expect(template.name).toBe('login.html');
  expect(template.text).toContain(device.portal_url);
  await expectAccessible(page);
  const firewall = await openRouter(product, device, { sophosPage: template.text });
  try {
    await expect(wizard.getByText(words.wizard.heard)).toBeVisible(live);
  } finally {
    await firewall.close();
  }
});

test('the wizard for WatchGuard asks for the serial number and is completed by the first guest', async ({
  page,
  browser,
  operator,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { visitor } = await makeVenue(operator);
  await page.goto('/devices');
  let wizard = await openWizard(page, words, 'WatchGuard');
  await expect(wizard.getByLabel(words.mac)).toHaveCount(0);
  const secretBox = wizard.getByRole('textbox', { name: words.secret });
  await expect(secretBox).not.toBeEditable();
  const first = await secretBox.inputValue();
  expect(first).toHaveLength(32);
  await page.keyboard.press('Escape');
  wizard = await openWizard(page, words, 'WatchGuard');
  const secret = await secretBox.inputValue();
  expect(secret, 'a fresh one each time').not.toBe(first);
  expect(await copied(page, wizard, words, words.secret)).toBe(secret);
  const serial = `D0FE${randomMac().replaceAll(':', '').slice(4)}`;
  await wizard.getByLabel(words.wizard.serial).fill(serial);
  await expect(wizard.getByLabel(words.wizard.serial), 'no colons go into it').toHaveValue(serial);
  await wizard.getByRole('textbox', { name: words.name, exact: true }).fill('Firebox');
  await wizard.getByRole('button', { name: words.save }).click();
  await expect(wizard.getByText(words.wizard.waitingForGuest)).toBeVisible();
  const device = await findDevice(operator, 'Firebox');
  expect(device).toMatchObject({ serial_number: serial, secret });
  await expectGuide(wizard, words, 'watchguard', serial);
  await expect(wizard.getByRole('button', { name: words.wizard.loginFile })).toHaveCount(0);
  const portalUrl = await copied(page, wizard, words, words.wizard.portalUrl);
  await expectAccessible(page);
  const firebox = await startFirebox({ serialNumber: serial, secret, portalUrl, address: '127.0.0.1' });
  const guest = await joinNetwork(browser, firebox);
  try {
    await guest.open();
    await guest.signIn(visitor);
    await guest.expectOnline();
    await expect(wizard.getByText(words.wizard.heard)).toBeVisible(live);
  } finally {
    await guest.close();
    await firebox.close();
  }
});

test('MAC rules are exported and imported, and apply at the device', async ({ page, operator, product }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const { device, visitor } = await makeVenue(operator);
  const blocked = randomMac();
  // The vendor of the MAC prefix is shown.
  const allowed = `F0:18:98${randomMac().slice(8)}`;
  await page.goto(`/devices/${device.id}/macs`);
  const dialog = page.getByRole('dialog');
  const take = (text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'mac.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const { head, blockedWord, allowedWord } = words.macFile;

  // An invalid line is reported, and nothing can be imported.
  await page.getByRole('button', { name: words.importMacs, exact: true }).click();
  await take(`${head}\n${blocked};${blockedWord};gürültücü;\nA1:B2;${allowedWord};;\n`);
  await expect(dialog.getByText(words.toCorrect)).toBeVisible();
  await expect(dialog.getByRole('button', { name: words.importMacs, exact: true })).toBeDisabled();
  await expectAccessible(page);
  await take(`${head}\n${blocked};${blockedWord};gürültücü;\n${allowed};${allowedWord};yazıcı;\n`);
  await dialog.getByRole('button', { name: words.macFile.addTwo }).click();
  await expect(page.getByText(words.macFile.added)).toBeVisible();
  await expect(page.getByRole('region', { name: words.control.blocked })).toContainText(blocked);
  await expect(page.getByRole('region', { name: words.macFile.allowed })).toContainText(allowed);
  await expect(page.getByRole('region', { name: words.macFile.allowed })).toContainText('Apple, Inc.');

  // Each card has a filter with an input mask for MAC addresses.
  const filter = page.getByRole('region', { name: words.macFile.allowed }).getByRole('textbox');
  await filter.pressSequentially(`${blocked.toLowerCase().replaceAll(':', '-')}0`);
  await expect(filter).toHaveValue(blocked);
  await expect(page.getByText(words.noMatch)).toBeVisible();
  await expect(page).toHaveURL(/bypassed=/);
  await filter.fill(allowed.slice(9));
  await expect(page.getByRole('region', { name: words.macFile.allowed })).toContainText(allowed);
  await filter.fill('');
  // The list follows the address: a menu that is open meanwhile would close.
  await expect(page).not.toHaveURL(/bypassed=/);

  const file = await downloaded(page, page.getByRole('button', { name: words.macFile.export }));
  expect(file.name).toBe('mac-list.csv');
  expect(file.text).toContain(blocked);

  const router = await openRouter(product, device);
  try {
    const asks = async (mac: string) =>
      (await router.signIn(router.lease({ mac }), visitor.username, visitor.password)).outcome;
    expect(await asks(blocked)).toBe('rejected');
    await page.getByRole('button', { name: words.actionsFor(blocked) }).click();
    await page.getByRole('menuitem', { name: words.delete }).click();
    await expect(page.getByRole('region', { name: words.control.blocked })).not.toContainText(blocked);
    expect(await asks(blocked)).toBe('accepted');
  } finally {
    await router.close();
  }

  // The exported file can be imported unchanged.
  const allowedList = page.getByRole('region', { name: words.macFile.allowed });
  for (const isUndone of [true, false]) {
    await page.getByRole('button', { name: words.actionsFor(allowed) }).click();
    await page.getByRole('menuitem', { name: words.delete }).click();
    // Until then, the button to undo is that of the deletion before.
    await expect(allowedList.filter({ hasText: allowed })).toHaveCount(0);
    if (!isUndone) continue;
    await page.getByRole('button', { name: words.undo }).click();
    await expect(allowedList.filter({ hasText: allowed })).toHaveCount(1);
  }
  await page.getByRole('button', { name: words.importMacs, exact: true }).click();
  await take(file.text);
  await dialog.getByRole('button', { name: words.macFile.addTwo }).click();
  await expect(page.getByRole('region', { name: words.macFile.allowed })).toContainText('yazıcı');
});

test('a router that was not added fills the wizard in', async ({ page, operator, product }) => {
  const { device } = await makeVenue(operator);
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const known = await openRouter(product, device);
  // Another router behind the same address.
  const { host, radiusAuthPort: authPort, radiusAcctPort: acctPort } = product;
  const name = `FGT60F ${device.nas_identifier}`;
  const stranger = await startRouter({
    ...{ nasIdentifier: name, secret: 'of another server', radius: { host, authPort, acctPort } },
    ...{ address: known.address, timeoutMs: 100, attempts: 1 },
  });
  try {
    const found = async () =>
      (await operator.call<{ data: { nas_identifier: string }[] }>('GET', 'panel/unknown-device')).data;
    await expect.poll(async () => (await found()).map(it => it.nas_identifier), live).toContain(name);
    await page.goto('/devices');
    await page.getByRole('button', { name: new RegExp(name) }).click();
    const wizard = page.getByRole('dialog');
    await expect(wizard).toContainText(`${known.address}`);
    await expect(wizard.getByRole('radio', { name: 'FortiGate' })).toBeChecked();
    await wizard.getByRole('button', { name: words.next }).click();
    await expect(wizard.getByRole('textbox', { name: words.name, exact: true })).toHaveValue(name);
    await wizard.getByLabel(words.mac).fill(randomMac());
    await wizard.getByRole('button', { name: words.save }).click();
    await expect(wizard.getByText(words.wizard.made(name))).toBeVisible();
    const made = await findDevice(operator, name);
    await expect(wizard).toContainText(words.wizard.foundAdvice({ name, nas: made.nas_identifier }));
    await expectAccessible(page);
  } finally {
    await known.close();
    await stranger.close();
  }
});
