import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { logMessage, openSyslog } from '@portico/simulator/syslog.ts';
import { enterPanel } from './src/panel.ts';
import { noonZone } from './src/passing-time.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

/** Lines are read about a second after arrival; the log service may not know a new device yet at its first line. */
const patient = { timeout: 90_000, intervals: [1000, 2000] };
const guest = { ip: '10.5.50.9', mac: '02:00:00:00:00:09' };
const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();

test('log files are filtered by day and type and paginated; an expired link shows a message', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const logs = path.join(product.dataDir, 'logs');
  const first = await makeVenue(operator);
  const known = openSyslog({
    host: product.host,
    port: product.syslogPort,
    nasIdentifier: first.device.nas_identifier,
  });
  let tenant: string | undefined;
  await expect(() => {
    known.send('dhcp', logMessage.assigned({ ...guest, name: 'telefon' }));
    tenant = (existsSync(logs) ? readdirSync(logs) : []).find(it => existsSync(path.join(logs, it, first.device.id)));
    expect(tenant).toBeDefined();
  }).toPass(patient);
  known.close();

  // Nine days of lines as stored by the log service, each with a file of two types.
  const { device, locationId } = await makeVenue(operator);
  await operator.call('PUT', `panel/location/${locationId}`, { time_zone: noonZone() });
  const raw = path.join(logs, tenant!, device.id, 'raw');
  const lines = Array.from({ length: 9 }, (_, i) => dayOf(9 - i)).flatMap(at => [
    `${at} 10.0.0.1 <30>Nov 19 12:00:00 ${device.nas_identifier} dhcp1 assigned 10.5.50.9 to 02:00:00:00:00:09 dun`,
    `${at} 10.0.0.1 <30>Nov 19 12:00:00 ${device.nas_identifier} forward: in:a out:b, proto UDP, 10.5.50.9:5->1.2.3.4:443, len 60`,
  ]);
  mkdirSync(raw, { recursive: true });
  writeFileSync(path.join(raw, '0000000000000000.log'), `${lines.join('\n')}\n`);
  const router = openSyslog({ host: product.host, port: product.syslogPort, nasIdentifier: device.nas_identifier });
  type Files = { data: { day: string; download_url: string }[]; meta: { total: number } };
  const files = (query = '') => operator.call<Files>('GET', `panel/device/${device.id}/logs?${query}`);
  await expect(async () => {
    router.send('dhcp', logMessage.assigned({ ...guest, name: 'telefon' }));
    expect((await files()).meta.total).toBeGreaterThanOrEqual(19);
  }).toPass(patient);
  router.close();

  await page.goto(`/devices/${device.id}/logs`);
  const table = page.getByRole('table', { name: words.logs.files });
  const rows = table.getByRole('row').filter({ has: page.getByRole('cell') });
  await expect(rows).toHaveCount(15);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(rows).toHaveCount(4);
  expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Type', exact: true }).click();
  const types = page.getByRole('dialog', { name: 'Type' }).getByRole('checkbox');
  await expect(types).toHaveCount(3);
  for (const type of await types.all()) await expect(type).toBeChecked();
  await page.getByRole('button', { name: `Only: ${words.logs.firewall}` }).click();
  await expect(page).toHaveURL(/types=firewall/);
  await expect(rows).toHaveCount(9);
  await expect(page.getByRole('checkbox', { name: words.logs.firewall }), 'one stays').toBeDisabled();
  await page.getByRole('checkbox', { name: 'DHCP' }).check();
  await page.getByRole('checkbox', { name: 'Proxy' }).check();
  await expect(page).not.toHaveURL(/types=/);
  await page.goto(`/devices/${device.id}/logs?types=firewall`);
  await expect(rows).toHaveCount(9);
  for (const row of await rows.all()) await expect(row).toContainText(words.logs.firewall);
  const { data } = await files('types=firewall');
  const day = data[3]!.day;
  await page.goto(`/devices/${device.id}/logs?types=firewall&start_at=${day} 00:00:00&end_at=${day} 23:59:59`);
  await expect(rows).toHaveCount(1);

  // A separate page, because the 404 is reported in its console.
  const tab = await page.context().newPage();
  const { download_url: link } = data[0]!;
  await tab.goto(`${link.slice(0, -4)}0000`);
  await expect(tab.getByText(/Links to log files work for ten minutes/)).toBeVisible();
  await tab.close();
});

test('logging of a device is switched off and on; lines in between are counted', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { device } = await makeVenue(operator);
  const router = openSyslog({ host: product.host, port: product.syslogPort, nasIdentifier: device.nas_identifier });
  const send = () => router.send('dhcp', logMessage.assigned({ ...guest, name: 'telefon' }));
  const keep = page.getByRole('switch', { name: words.logs.keep });
  const turn = async (on: boolean) => {
    await page.goto(`/devices/${device.id}/edit`);
    await (on ? expect(keep).not.toBeChecked() : expect(keep).toBeChecked());
    await keep.setChecked(on, { force: true });
    const saved = page.waitForResponse(it => it.request().method() === 'PUT' && it.url().endsWith(device.id));
    await page.getByRole('button', { name: words.save, exact: true }).click();
    expect((await saved).ok()).toBe(true);
    await page.goto(`/devices/${device.id}/logs`);
  };
  await turn(false);
  await expect(page.getByText(words.logs.off)).toBeVisible();
  const lost = page.getByRole('listitem').filter({ hasText: words.logs.switchedOff });
  await expect(async () => {
    send();
    await expect(lost).toBeVisible({ timeout: 3000 });
  }).toPass(patient);
  await expectAccessible(page);
  await turn(true);
  const row = page.getByRole('table', { name: words.logs.files }).getByRole('row', { name: /DHCP/ });
  await expect(async () => {
    send();
    await expect(row).toBeVisible({ timeout: 3000 });
  }).toPass(patient);
  await expect(page.getByText(words.logs.off)).toBeHidden();
  await expect(lost, 'what was lost stays told').toBeVisible();
  router.close();
});
