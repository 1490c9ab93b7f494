import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';

/** An attacker registers a location with a made-up device, and lets guests ask for codes at numbers of their choice. */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ SMS_PER_DAY: '5', TRUST_PROXY: '127.0.0.1' });
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(async () => {
  await venue.run(sql`delete from sms_messages`);
  // Each test begins a new day of the tenant.
  await venue.api.app.db.pool.query('delete from throttles');
  await venue.offer({ slug: 'sms' });
});
let phones = 0;
const ask = () => venue.submit({ method: 'sms', phone: `+90532${String(2_000_000 + ++phones)}` });
const messages = async () => (await venue.rows<{ n: number }>(sql`select count(*) as n from sms_messages`))[0]!.n;

test('no message is sent while the owner’s address is unconfirmed', async () => {
  const { id } = await venue.api.user('member', { location: venue.location });
  const own = (confirmed: boolean) =>
    venue.run(sql`
      with u as (update users set email_confirmed_at = case when ${confirmed} then now() end where id = ${id} returning id)
      update locations set owner_id = u.id from u where locations.id = ${venue.location}`);
  await own(false);
  expect((await ask()).status).toBe(422);
  expect(await messages()).toBe(0);
  await own(true);
  expect((await ask()).status).toBe(200);
  expect(await messages()).toBe(1);
});

test('the messages of a tenant are limited per day', async () => {
  // After five messages each further one waits for twice as long, at first for a second: a slow machine gets one or two more.
  const statuses: number[] = [];
  while (!statuses.includes(422) && statuses.length < 20) {
    venue.newMac();
    statuses.push((await ask()).status);
  }
  const accepted = statuses.slice(0, -1);
  expect(statuses.at(-1)).toBe(422);
  expect(accepted.length).toBeGreaterThanOrEqual(5);
  expect(await messages()).toBe(accepted.length);
});

const from = async (address: string) => {
  venue.newMac();
  const fields = { method: 'sms', phone: `+90533${String(2_000_000 + ++phones)}` };
  return (await venue.submit(fields, { 'x-forwarded-for': address })).status;
};
/** Stores this many messages, each to another number from another address: `*` is replaced by a number. */
const sent = (count: number, addresses: string) =>
  venue.run(sql`
    insert into sms_messages (id, location_id, phone_hash, client_mac, address, state)
    select gen_random_uuid(), ${venue.location}, sha256(n::text::bytea), null, replace(${addresses}, '*', to_hex(n))::inet, 'sent'
    from generate_series(1, ${count}::int) n`);

test('a line with many IPv6 addresses is one line', async () => {
  await sent(300, '2001:db8:7:1::*');
  expect(await from('2001:db8:7:1:aaaa:bbbb:cccc:1')).toBe(429);
  expect(await from('2001:db8:7:2::1')).not.toBe(429);
});

test('a customer with many IPv6 networks has sixteen times the limit of one', async () => {
  await sent(4799, '2001:db8:7:*::1');
  expect(await from('2001:db8:7:ffff::1')).not.toBe(429);
  await sent(1, '2001:db8:7:fff*::1');
  expect(await from('2001:db8:7:ffff::1')).toBe(429);
  expect(await from('2001:db8:8::1')).not.toBe(429);
});
