import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';
import { addAgents } from './statistics.queries.ts';

test('the browser of a guest who signed in just before the process ended is counted', async () => {
  const venue = await startVenue();
  venue.newMac();
  const username = await venue.visitor();
  const headers = { 'user-agent': 'TestBrowser/1.0 (x)' };
  const { status } = await venue.submit({ username, password: 'parola 1' }, headers);
  expect(status, 'signed in').toBe(303);
  await venue.captive.close();
  const counted = () => venue.rows(sql`select value, sign_ins from guest_agent_days where kind = 'browser'`);
  expect(await counted()).toEqual([{ value: 'TestBrowser', sign_ins: 1 }]);
  // Later guests of the same day are added.
  const [row] = await venue.rows<{ locationId: string; deviceId: string; noon: string }>(
    sql`select location_id as "locationId", device_id as "deviceId", day || 'T12:00:00Z' as noon from guest_agent_days where kind = 'browser'`,
  );
  const later = { ...row!, at: new Date(row!.noon), kind: 'browser' as const, value: 'TestBrowser', signIns: 2 };
  await venue.api.inTenant(tx => addAgents(tx, [later]));
  expect(await counted()).toEqual([{ value: 'TestBrowser', sign_ins: 3 }]);
});
