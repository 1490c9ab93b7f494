import { expect, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';
import { formulasIn, semicolonCells } from '../spreadsheet.ts';

/**
 * The attack: a text of a stranger with a formula behind a semicolon. Spreadsheets in Turkish split a CSV file at semicolons,
 * inside quotes too when the cell is not the first, and run what begins with `=`.
 */

const names = ['Ali;=HYPERLINK("http://evil.example")', 'Ali;"=HYPERLINK(1)', 'Ali; " "@SUM(1)'];

test('names and user names with a formula behind a semicolon are no formulas in the export', async () => {
  const venue = await startVenue();
  for (const name of names)
    await venue.create('panel/client', {
      ...{ location_id: venue.location, name, provider_type: 'username', username: name, password: 'secret 1' },
    });
  const { text } = await venue.api.post('panel/client/export', { token: venue.admin, body: {} });
  expect(semicolonCells(text).filter(it => /^'[=@]/.test(it))).toHaveLength(names.length);
  expect(formulasIn(text)).toEqual([]);
}, 120_000);
