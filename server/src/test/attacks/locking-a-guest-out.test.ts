import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';

/** Strangers type wrong passwords for a guest's user name from many addresses, so that the guest cannot sign in. */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ TRUST_PROXY: '127.0.0.1' });
  await venue.run(sql`update devices set last_address = '198.51.100.9' where id = ${venue.device.id}`);
}, 120_000);
newGuestEachTest(() => venue);

const tryFrom = async (address: string, username: string, password: string) => {
  venue.newMac();
  const headers = { 'x-forwarded-for': address };
  const page = await venue.captive.get(venue.arrival(), headers);
  const form = { state: stateOf(page.html), method: 'username', username, password };
  return (await venue.captive.form(venue.signInAt, form, headers)).status;
};

test('wrong tries from many addresses do not lock a guest out at the venue', async () => {
  const username = await venue.visitor();
  const statuses: number[] = [];
  for (let i = 1; i <= 30; i += 1) statuses.push(await tryFrom(`203.0.113.${i}`, username, 'wrong'));
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(422));
  expect(statuses.slice(20), 'the strangers have to wait').toContain(429);
  expect(await tryFrom('198.51.100.9', username, 'parola 1')).toBe(303);
});

test('guesses from the venue itself are limited as well', async () => {
  const username = await venue.visitor();
  const statuses: number[] = [];
  for (let i = 1; i <= 24; i += 1) statuses.push(await tryFrom('198.51.100.9', username, 'wrong'));
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(422));
  expect(statuses.slice(20)).toContain(429);
});
