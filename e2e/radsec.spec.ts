import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

/** Connects by TLS with the certificate of the panel; resolves when the connection ends. */
function plugIn(port: number, bundle: string) {
  const [cert = '', ca = ''] = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const key = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/.exec(bundle)?.[0] ?? '';
  const socket = connect({ host: 'localhost', port, cert, key, ca });
  const ended = new Promise<void>(resolve => socket.on('close', () => resolve()));
  socket.on('error', () => undefined).resume();
  const connected = new Promise<boolean>(resolve => {
    socket.on('secureConnect', () => resolve(socket.authorized));
    socket.on('close', () => resolve(false));
  });
  return { connected, ended };
}

test('a certificate is issued, used by the device, and revoked @phone', async ({ page, operator, product }, {
  project,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const { radsec } = words;
  const { device } = await makeVenue(operator);
  await page.goto(`/devices/${device.id}`);
  await page.getByRole('link', { name: words.deviceSettings, exact: true }).click();
  await page.getByRole('link', { name: 'RadSec' }).click();
  await expect(page.getByText(String(product.radsecPort), { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'RadSec' })).toBeInViewport({ ratio: 0.9 });
  await expectAccessible(page);

  await page.getByRole('button', { name: radsec.issue }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.name).fill('Kapı');
  await dialog.getByLabel(radsec.days).fill('0');
  await dialog.getByRole('button', { name: radsec.issueNow, exact: true }).click();
  await expect(dialog.getByLabel(radsec.days)).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel(radsec.days).fill('365');
  await dialog.getByRole('button', { name: radsec.issueNow, exact: true }).click();
  await expect(dialog.getByText('/radius set')).toBeVisible();
  await expectAccessible(page);
  const waiting = page.waitForEvent('download');
  await dialog.getByRole('button', { name: radsec.bundle }).click();
  const file = await waiting;
  expect(file.suggestedFilename()).toBe(`portico-radsec-${device.nas_identifier}.pem`);
  const bundle = readFileSync(await file.path(), 'utf8');
  await dialog.getByRole('button', { name: radsec.done }).click();
  await expect(dialog).toBeHidden();

  const router = plugIn(product.radsecPort, bundle);
  expect(await router.connected).toBe(true);
  const row = page.getByRole('row').filter({ hasText: 'Kapı' });
  await expect(row).toContainText(radsec.valid);
  await page.getByRole('button', { name: words.actionsFor('Kapı') }).click();
  await page.getByRole('menuitem', { name: radsec.revoke }).click();
  await page.getByRole('dialog').getByRole('button', { name: radsec.revoke }).click();
  await expect(row).toContainText(radsec.revoked);
  await router.ended;
  await plugIn(product.radsecPort, bundle).ended;
  await expectAccessible(page);
  await page.goto(`/guides/mikrotik?device=${device.id}`);
  await expect(page.getByRole('heading', { name: radsec.guide })).toBeVisible();
});

test('without RADIUS over TLS the panel explains how to enable it', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device } = await makeVenue(operator);
  await page.route(`**/v1/panel/device/${device.id}`, async route => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.radius.radsec_port = null;
    await route.fulfill({ response, json });
  });
  await page.goto(`/devices/${device.id}/certificates`);
  await expect(page.getByRole('region', { name: words.radsec.off })).toContainText('RADSEC_PORT=2083');
  await expect(page.getByRole('button', { name: words.radsec.issue })).toBeHidden();
  await expectAccessible(page);
  await page.goto(`/guides/mikrotik?device=${device.id}`);
  await expect(page.getByText(device.nas_identifier, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: words.radsec.guide })).toBeHidden();
  // An event of another journey may make the page ask again.
  await page.unrouteAll({ behavior: 'wait' });
});
