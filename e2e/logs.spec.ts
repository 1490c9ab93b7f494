import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { logMessage, openSyslog } from '@portico/simulator/syslog.ts';
import { enterPanel } from './src/panel.ts';
import { noonZone } from './src/passing-time.ts';
import type { Product } from './src/product.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

/** Shorter than the panel's refresh every minute, so a change that shows in time was pushed. */
const live = { timeout: 30_000 };

test('a device’s log lines update the chart and the tables, and can be downloaded @phone', async ({
  page,
  operator,
  product,
}, { project }) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const { device, locationId } = await makeVenue(operator);
  await page.goto(`/devices/${device.id}`);
  await expect(page.getByText(words.logs.none)).toBeVisible();

  const router = openSyslog({ host: product.host, port: product.syslogPort, nasIdentifier: device.nas_identifier });
  const guest = { ip: '10.5.50.9', mac: '02:00:00:00:00:09' };
  router.send('dhcp', logMessage.assigned({ ...guest, name: 'telefon' }));
  router.send('dns', logMessage.answer({ number: 1, domain: 'www.youtube.com', address: '142.250.1.1' }));
  for (let i = 0; i < 20; i++)
    router.send(
      'firewall',
      logMessage.connection({ ...guest, port: 50_000 + i, to: '142.250.1.1', toPort: 443, proto: 'UDP', length: 60 }),
    );
  const flow = page.getByRole('region', { name: words.logs.flow });
  await expect(flow, 'the chart moves by itself').toContainText(words.logs.lines(22), live);
  await expect(
    page.getByRole('table', { name: words.logs.sites }).getByRole('row', { name: /youtube\.com/ }),
  ).toContainText('20');
  await expectAccessible(page);
  await flow.getByText(words.logs.hour, { exact: true }).click();
  await expect(flow).toContainText(words.logs.perHour(22));
  expect(new URL(page.url()).searchParams.get('interval')).toBe('hour');

  await page.getByRole('link', { name: words.logs.tab, exact: true }).click();
  const row = page
    .getByRole('table', { name: words.logs.files })
    .getByRole('row', { name: new RegExp(words.logs.firewall) });
  await expect(row.getByRole('cell', { name: /(^|: )20$/ })).toBeVisible();
  await expect(row).toContainText(words.logs.open);
  await expect(page.getByText(words.logs.kept)).toBeVisible();
  await expectAccessible(page);
  const tab = page.waitForEvent('popup');
  const [file] = await Promise.all([page.context().waitForEvent('download'), row.getByRole('link').click()]);
  await tab;
  expect(file.suggestedFilename()).toMatch(/^Lobi-\d{4}-\d\d-\d\d-firewall\.log\.gz$/);
  const kept = gunzipSync(readFileSync(await file.path()))
    .toString('latin1')
    .trim()
    .split('\n');
  expect(kept).toHaveLength(20);
  for (const [i, line] of kept.entries()) expect(line).toContain(`${guest.ip}:${50_000 + i}->142.250.1.1:443`);
  const { data } = await operator.call<{ data: { verb: string; subject: { name: string } }[] }>(
    'GET',
    // Other journeys of the tenant take files too.
    `panel/audit?subject_type=log-file&location_id=${locationId}`,
  );
  expect(data[0], 'who took the file is written down').toMatchObject({
    verb: 'export',
    subject: { name: expect.stringMatching(/^Lobi .* firewall$/) },
  });

  router.send('firewall', 'x'.repeat(9000));
  await expect(page.getByText(words.logs.tooLong)).toBeVisible(live);

  await page.getByRole('button', { name: words.logs.live }).click();
  const view = page.getByRole('region', { name: words.logs.live });
  const lines = view.getByRole('log');
  await expect(lines).toContainText('telefon');
  await expect(view.getByText(words.logs.isLive, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await view.getByRole('button', { name: words.logs.pause }).click();
  for (const name of ['birinci', 'ikinci']) router.send('dhcp', logMessage.assigned({ ...guest, name }));
  await expect(view).toContainText(words.logs.held(2), live);
  await expect(lines, 'held lines stay as they are').not.toContainText('ikinci');
  await view.getByRole('button', { name: words.logs.resume }).click();
  await expect(lines).toContainText('ikinci');
  await view.getByRole('textbox', { name: words.logs.filter }).fill('BIRINCI');
  await expect(lines).not.toContainText('ikinci');
  await expect(lines).toContainText('birinci');
  router.close();
});

const cli = fileURLToPath(new URL('../server/src/cli.ts', import.meta.url));

/** The output and the exit code of `portico logs verify` while the product runs. */
const verify = ({ dataDir }: Product, ...args: string[]) =>
  new Promise<{ code: number; lines: string[] }>(resolve => {
    const env = { PATH: process.env.PATH, NODE_ENV: 'test', DATA_DIR: dataDir };
    execFile(process.execPath, [cli, 'logs', 'verify', '--offline', ...args], { env }, (error, out, complaints) => {
      resolve({ code: Number(error?.code ?? 0), lines: `${out}${complaints}`.trim().split('\n') });
    });
  });

test('a past day is sealed; its file can be verified, and a changed byte is detected', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'tr' });
  const guest = { ip: '10.5.50.9', mac: '02:00:00:00:00:09' };
  /** The log service may not know a new device yet at its first line. */
  const writeUntil = async (nasIdentifier: string, isSo: () => Promise<void> | void) => {
    const router = openSyslog({ host: product.host, port: product.syslogPort, nasIdentifier });
    await expect(async () => {
      router.send('dhcp', logMessage.assigned({ ...guest, name: 'telefon' }));
      await isSo();
    }).toPass({ timeout: 90_000, intervals: [1000, 2000] });
    router.close();
  };
  // The first device shows the folder of the tenant.
  const logs = path.join(product.dataDir, 'logs');
  const first = await makeVenue(operator);
  const folderOf = (id: string) =>
    (existsSync(logs) ? readdirSync(logs) : [])
      .map(tenant => path.join(logs, tenant))
      .find(it => existsSync(path.join(it, id)));
  await writeUntil(first.device.nas_identifier, () => expect(folderOf(first.device.id)).toBeDefined());
  const { device, locationId } = await makeVenue(operator);
  await operator.call('PUT', `panel/location/${locationId}`, { time_zone: noonZone() });
  const folder = path.join(folderOf(first.device.id)!, device.id);
  // Yesterday's lines as stored by the log service.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const line = `${yesterday} 10.0.0.1 <30>Nov 19 12:00:00 ${device.nas_identifier} dhcp1 assigned 10.5.50.9 to 02:00:00:00:00:09 dun`;
  mkdirSync(path.join(folder, 'raw'), { recursive: true });
  writeFileSync(path.join(folder, 'raw/0000000000000000.log'), `${line}\n${line}\n`);

  type Files = { data: { sealed: boolean }[] };
  await writeUntil(device.nas_identifier, async () => {
    const { data } = await operator.call<Files>('GET', `panel/device/${device.id}/logs`);
    expect(data.some(it => it.sealed)).toBe(true);
  });
  await page.goto(`/devices/${device.id}/logs`);
  const row = page.getByRole('table', { name: words.logs.files }).getByRole('row', { name: words.logs.sealed });
  const [file] = await Promise.all([page.context().waitForEvent('download'), row.getByRole('link').click()]);
  expect(file.suggestedFilename()).toMatch(/^Lobi-\d{4}-\d\d-\d\d-dhcp\.log\.gz$/);
  const downloaded = await file.path();
  expect(gunzipSync(readFileSync(downloaded)).toString('latin1')).toBe(`${line}\n${line}\n`);

  const known = await verify(product, `--file=${downloaded}`);
  expect(known.lines).toEqual([expect.stringContaining(`${device.id} files/`)]);
  expect(known.lines[0]).toContain('unchanged since it was sealed at');
  expect(known.code).toBe(0);
  const whole = await verify(product);
  expect(whole.lines.at(-1)).toMatch(/devices: all files are unchanged$/);
  expect(whole.code).toBe(0);

  const bytes = readFileSync(downloaded);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
  writeFileSync(downloaded, bytes);
  // `verify.test.ts` of the server changes the files of the installation in every way.
  expect(await verify(product, `--file=${downloaded}`)).toEqual({
    code: 1,
    lines: [
      `${downloaded}: not a sealed file of this installation; it was changed, or downloaded before its day was sealed`,
    ],
  });
});
