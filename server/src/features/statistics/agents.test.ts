import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';

test('the browser of a guest who signed in just before the process ended is counted', async () => {
  const venue = await startVenue();
  venue.newMac();
  const username = await venue.visitor();
  const headers = { 'user-agent': 'TestBrowser/1.0 (x)' };
  const { status } = await venue.submit({ username, password: 'parola 1' }, headers);
  expect(status, 'signed in').toBe(303);
  await venue.captive.close();
  expect(await venue.rows(sql`select value, sign_ins from guest_agent_days where kind = 'browser'`)).toEqual([
    { value: 'TestBrowser', sign_ins: 1 },
  ]);
});
