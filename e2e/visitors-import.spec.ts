import { truncate, writeFile } from 'node:fs/promises';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

const dump = `INSERT INTO radcheck (username, attribute, op, value) VALUES
  ('moved.ada', 'NT-Password', ':=', '8846F7EAEE8FB117AD06BDD830B7586C'),
  ('moved.bob', 'Cleartext-Password', ':=', 'bob-secret'),
  ('moved.cem', 'Crypt-Password', ':=', '$sm3$abcdefgh$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7'),
  ('moved.bob', 'Max-All-Session', ':=', '86400');
INSERT INTO radusergroup (username, groupname, priority) VALUES ('moved.ada', 'students', 1);
`;

test('visitors of another program are imported after a report', async ({ page, operator }) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  await page.goto('/visitors');
  await page.getByRole('button', { name: words.importOther }).click();
  await expectAccessible(page);

  const choose = page.locator('input[type=file]');
  await choose.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(page.getByRole('region', { name: words.fileRefused })).toBeVisible();
  const sent = page.waitForRequest(it => it.method() === 'POST' && it.url().endsWith('/client-import'));
  await choose.setInputFiles({ name: 'radius.sql', mimeType: 'application/sql', buffer: Buffer.from(dump) });
  expect((await sent).headers()['idempotency-key'], 'the panel can send it again').toMatch(/^[0-9a-f]{32}$/);

  await expect(page.getByRole('heading', { level: 1, name: 'radius.sql' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Max-All-Session/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /moved\.cem/ })).toContainText('crypt');
  await expectAccessible(page);
  await page.getByRole('button', { name: words.importTwo }).click();

  await expect(page.getByText(words.importDone)).toBeVisible();
  await page.getByRole('link', { name: words.showVisitors }).click();
  await expect(page.getByText('moved.ada').first()).toBeVisible();
  await expect(page.getByText('moved.cem')).toHaveCount(0);
});

test('past sessions are sent in parts, go on after an interruption, and are listed @phone', async ({
  page,
  operator,
}, testInfo) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  await page.goto('/visitors/import');
  await page.getByText(words.pastSessions, { exact: true }).click();
  const choose = page.locator('input[type=file]');

  // A file with a hole takes no place on the disk.
  const large = testInfo.outputPath('large.sql');
  await writeFile(large, '');
  await truncate(large, 1_200_000_000);
  await choose.setInputFiles(large);
  await expect(page.getByRole('region', { name: words.fileRefused })).toContainText('large.sql has 1.2 GB');

  const rows = `CREATE TABLE radacct (acctuniqueid text, username text, callingstationid text, acctstarttime datetime, acctstoptime datetime, acctinputoctets bigint, acctoutputoctets bigint);
INSERT INTO radacct VALUES ('j1', 'moved.past', '02-AA-BB-CC-DD-01', '2026-05-01 10:00:00', '2026-05-01 11:00:00', 1000, 2000),
  ('j2', 'moved.open', '02-AA-BB-CC-DD-02', '2026-05-01 10:00:00', NULL, 1000, 2000);
`;
  // Longer than one part.
  const file = testInfo.outputPath('radacct.sql');
  await writeFile(file, `-- ${'x'.repeat(9_000_000)}\n${rows}`);
  let parts = 0;
  await page.route('**/part', async route => {
    parts += 1;
    // The second part never arrives.
    if (parts !== 2) await route.continue();
  });
  await choose.setInputFiles(file);
  await expect(page.getByRole('heading', { level: 1, name: 'radacct.sql' })).toBeVisible();
  await expect(page.getByText('8.4 MB of 9 MB sent', { exact: true })).toBeVisible();
  await page.reload();
  const stopped = page.getByRole('region', { name: words.sendingStopped });
  await expect(stopped).toContainText('8.4 MB of 9 MB sent');
  await expectAccessible(page);
  await choose.setInputFiles(large);
  await expect(page.getByRole('region', { name: words.fileRefused })).toContainText('Choose radacct.sql with 9 MB');
  await choose.setInputFiles(file);
  await page.getByRole('button', { name: words.importOneSession }).click();
  expect(parts, 'the first part is sent once').toBe(3);

  await expect(page.getByText(words.importDone)).toBeVisible();
  await page.getByRole('link', { name: words.showSessions }).click();
  const row = page.getByRole('row', { name: /moved\.past/ });
  await expect(row).toContainText('02:AA:BB:CC:DD:01');
  await expectAccessible(page);
});
