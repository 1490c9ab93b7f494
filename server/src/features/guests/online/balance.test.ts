import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { PageAnswer } from '../testing/captive.ts';
import { newGuestEachTest, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ TRUST_PROXY: '127.0.0.1' });
  await venue.run(sql`update devices set hotspot_address = '10.5.50.1/24' where id = ${venue.device.id}`);
}, 120_000);
newGuestEachTest(() => venue);

const limit = (option: string, value: number) => ({ is_active: true, option, value });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const ticketOf = (answer: PageAnswer) => new URL(answer.headers.get('location')!).searchParams.get('username')!;

let addresses = 70;
/** A visitor whose two devices share 1 GB a day and have used 300 MB. */
async function onTwoDevices(more: object = {}) {
  const profile = await venue.create('panel/location/user-profile', {
    ...{ name: `Paylaşılan ${Math.random()}`, location_id: venue.location, shared_user: 3 },
    ...{ daily_quota: limit('gb', 1), total_quota: limit('gb', 3), daily_duration: limit('hour', 5) },
  });
  const username = await venue.visitor({ profile_id: profile.id, ...more });
  const used = [
    { uploadBytes: 1e8, downloadBytes: 0 },
    { uploadBytes: 0, downloadBytes: 2e8 },
  ];
  let answer: PageAnswer | undefined;
  for (const bytes of used) {
    addresses += 1;
    venue.newMac();
    answer = await venue.submit({ username, password: 'parola 1' });
    const ticket = ticketOf(answer);
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, bytes, { sessionId: `s${addresses}`, framedIp: `10.5.50.${addresses}` });
  }
  const at = `10.5.50.${addresses}`;
  const [visitor] = await venue.rows<{ id: string }>(sql`select id from visitors where username = ${username}`);
  const panel = async () => {
    const { body } = await venue.api.get(`panel/client/${visitor!.id}`, { token: venue.admin });
    return body.data.balance;
  };
  const phone = async () => {
    const { html } = await venue.captive.get(`/captive/${venue.nas}`, { 'x-forwarded-for': at });
    return JSON.parse(html);
  };
  const page = async () => (await venue.openOnline(answer!)).html;
  return { id: visitor!.id, panel, phone, page };
}

const secondsOn = (html: string) => Number(/data-left="(\d+)"/.exec(html)?.[1]);

/** The figures are read one after another, so the time left may be some seconds less in the later ones. */
const slow = 30;

test('the panel, the guest’s page and the phone have the same figures of devices that share limits', async () => {
  const guest = await onTwoDevices({ session_end_at: inHours(2) });
  const balance = await guest.panel();
  expect(balance).toMatchObject({ bytes: 7e8, bytes_today: 7e8, bytes_total: 2.7e9, devices: 2 });
  const told = await guest.phone();
  expect(told['bytes-remaining']).toBe(balance.bytes);
  const html = await guest.page();
  expect(html).toContain('700');
  for (const seconds of [told['seconds-remaining'], secondsOn(html)]) {
    expect(seconds).toBeLessThanOrEqual(balance.seconds);
    expect(seconds).toBeGreaterThan(balance.seconds - slow);
  }
});

test('an end that has passed leaves no time in any of them, and never less than none', async () => {
  const guest = await onTwoDevices();
  await venue.run(sql`update visitors set session_end_at = now() - interval '1 hour' where id = ${guest.id}`);
  expect((await guest.panel()).seconds).toBe(0);
  expect(secondsOn(await guest.page())).toBe(0);
});

test('a paused visitor has no time left in any of them, and the rest of it once resumed', async () => {
  const guest = await onTwoDevices({ session_end_at: inHours(2) });
  for (const [isPaused, least, most] of [
    [true, 0, 0],
    [false, 7200 - slow, 7200],
  ] as const) {
    // The sessions of a paused visitor stay open until their router has ended them.
    await venue.run(sql`update visitors set blocked = ${isPaused} where id = ${guest.id}`);
    const left = [
      (await guest.panel()).seconds,
      (await guest.phone())['seconds-remaining'],
      secondsOn(await guest.page()),
    ];
    for (const seconds of left) {
      expect(seconds).toBeGreaterThanOrEqual(least);
      expect(seconds).toBeLessThanOrEqual(most);
    }
  }
});

test('a visitor whose access begins later has the time of its stay, and none of it now', async () => {
  const end = inHours(30);
  const guest = await onTwoDevices({ session_end_at: end });
  const start = new Date(Date.parse(end) - 3 * 3_600_000);
  await venue.run(sql`update visitors set session_start_at = ${start} where id = ${guest.id}`);
  expect((await guest.panel()).seconds).toBe(3 * 3600);
  expect((await guest.phone())['seconds-remaining']).toBe(0);
  expect(secondsOn(await guest.page())).toBe(0);
});

test('a day that is over on the clocks of the location gives the daily volume back, not the total', async () => {
  const guest = await onTwoDevices();
  await venue.api.app.db.withSystem(tx =>
    tx.run(sql`insert into visitor_days (tenant_id, location_id, day, visitor_id, sessions, upload, download, seconds)
      select l.tenant_id, l.id, local_day(l.time_zone) - 1, ${guest.id}, 1, ${5e8}, 0, 60
      from locations l where l.id = ${venue.location}`),
  );
  const balance = await guest.panel();
  expect(balance).toMatchObject({ bytes_today: 7e8, bytes_total: 2.2e9 });
  expect((await guest.phone())['bytes-remaining']).toBe(7e8);
});
