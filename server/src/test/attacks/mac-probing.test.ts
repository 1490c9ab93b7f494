import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';

/** A stranger asks the Captive Portal API about the MAC of another person, to learn whether that person is at a venue. */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ TRUST_PROXY: '127.0.0.1' });
  await venue.run(sql`update devices set hotspot_address = '10.5.50.1' where id = ${venue.device.id}`);
}, 120_000);
newGuestEachTest(() => venue);

test.for([
  ['from the internet', '203.0.113.7'],
  ['from the same Wi-Fi', '10.5.50.88'],
])('the answer %s does not depend on whether that device is online, blocked or unknown', async ([, address]) => {
  const ask = async (mac: string) => {
    const answer = await venue.captive.get(`/captive/${venue.nas}?mac=${mac}`, { 'x-forwarded-for': address! });
    // The answer repeats the MAC of the question, and an error page has an id of its own.
    return [answer.status, answer.status === 200 ? answer.html.replaceAll(encodeURIComponent(mac), '') : ''];
  };
  const online = venue.mac;
  const answer = await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
  await venue.routerStarts(ticket, { uploadBytes: 1, downloadBytes: 1 });
  venue.newMac();
  const blocked = venue.mac;
  await venue.create(`panel/device/${venue.device.id}/macs`, { mac: blocked, type: 'blocked', comment: '' });
  const unknown = await ask('AA:BB:CC:DD:EE:FF');
  expect(await ask(online)).toEqual(unknown);
  expect(await ask(blocked)).toEqual(unknown);
});
