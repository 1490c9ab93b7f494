import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

const dump = `INSERT INTO radcheck (username, attribute, op, value) VALUES
  ('moved.ada', 'NT-Password', ':=', '8846F7EAEE8FB117AD06BDD830B7586C'),
  ('moved.bob', 'Cleartext-Password', ':=', 'bob-secret'),
  ('moved.cem', 'Crypt-Password', ':=', '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7'),
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

  await expect(page.getByText(words.importDone)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: words.showVisitors }).click();
  await expect(page.getByText('moved.ada').first()).toBeVisible();
  await expect(page.getByText('moved.cem')).toHaveCount(0);
});
