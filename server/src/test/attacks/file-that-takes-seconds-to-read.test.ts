import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';
import { readApart } from '#features/imports/read/read-apart.ts';
import { readTable } from '#http/csv-upload.ts';
import { fileForm } from '../uploads.ts';

/**
 * The attack: a member uploads a file that takes many seconds to read, such as one statement with millions of values. RADIUS,
 * guests and all other tenants share the event loop.
 */

const megabytes = 3_000_000;
const hostile = {
  'a list of columns': `insert into radcheck (${'a,'.repeat(megabytes / 2)}`,
  'words before VALUES': `insert into radcheck ${'a '.repeat(megabytes / 2)}`,
  'a row of millions of values': `insert into radcheck values (${'1,'.repeat(megabytes / 2)}`,
  'a definition of millions of columns': `create table radcheck (${'a,'.repeat(megabytes / 2)}`,
  'a text of quotes': `insert into radcheck values ('${"''".repeat(megabytes / 2)}`,
  'parts of a name': `insert into \`a\` ${'. a '.repeat(megabytes / 4)}`,
};

/** How many turns of the event loop there were until the work ended. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let over = false;
  const working = work().then(
    () => undefined,
    () => undefined,
  );
  void working.then(() => (over = true));
  let turns = 0;
  for (; !over; turns += 1) await setImmediate();
  return turns;
}

test.each(Object.entries(hostile))('%s in an import does not hold up the others', async (_, text) => {
  const bytes = Buffer.from(text);
  expect(await turnsDuring(() => readApart(bytes))).toBeGreaterThan(100);
});

test('a CSV file of millions of quotes does not hold up the others', async () => {
  const bytes = Buffer.from(`name,username\n"${'""'.repeat(megabytes / 2)}"\n`);
  const upload = { bytes, filename: 'a.csv', mimetype: 'text/csv' };
  expect(await turnsDuring(() => readTable(upload, 10))).toBeGreaterThan(100);
});

test('such a file is refused on its field, and a large good one is read', async () => {
  const venue = await startVenue();
  const upload = (content: string) =>
    venue.api.post('panel/client-import', {
      token: venue.admin,
      language: 'en',
      body: fileForm(content, { name: 'dump.sql', location_id: venue.location }),
    });
  const refused = await upload(hostile['a row of millions of values']);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['file']]);
  const rows = Array.from({ length: 3000 }, (_, i) => `('guest${i}','Cleartext-Password',':=','secret ${i}')`);
  const good = await upload(`INSERT INTO radcheck (username, attribute, op, value) VALUES ${rows.join(', ')};`);
  expect([good.status, good.body.data?.total]).toEqual([201, 3000]);
});
