import { expect, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';

/**
 * The attack: a text of a stranger with a formula behind a semicolon. Spreadsheets in Turkish split a CSV file at semicolons,
 * inside quotes too when the cell is not the first, and run what begins with `=`.
 */

test('a name with a formula behind a semicolon is no formula in the export', async () => {
  const venue = await startVenue();
  const name = `Ali;=HYPERLINK("http://evil.example")`;
  await venue.create('panel/client', {
    ...{ location_id: venue.location, name, provider_type: 'username', username: 'ali', password: 'secret 1' },
  });
  const { text } = await venue.api.post('panel/client/export', { token: venue.admin, body: {} });
  expect(text).toContain('Ali;');
  const cells = text.split(/[;,\r\n]/).map(it => it.replace(/^"/, '').trim());
  expect(cells.filter(it => /^[=+\-@]/.test(it))).toEqual([]);
}, 120_000);
