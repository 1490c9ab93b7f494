import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { logMessage, openSyslog } from '@portico/simulator/syslog.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

/** Lines are read about a second after they come, and told to screens every five seconds at most. */
const live = { timeout: 15_000 };

test('a device’s log lines move the chart, fill the tables and come home as a file', async ({
  page,
  operator,
  product,
}, { project }) => {
  const words = await enterPanel(page, { token: operator.token, language: project.name === 'phone' ? 'tr' : 'en' });
  const { device } = await makeVenue(operator);
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
  await expect(row).toContainText('20');
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
    'panel/audit?subject_type=log-file',
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
