import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { jobs, runJob } from '../../services/jobs.ts';

/** An attacker lets a tenant send mails to strangers, one kind after the other, until its mail server is on every block list. */

const limit = 20;
let venue: Venue;
beforeAll(async () => {
  venue = await startVenue({ MAILS_PER_DAY: String(limit) });
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(async () => {
  await venue.run(sql`delete from outbox_mails`);
  await venue.run(sql`delete from notifications`);
});

const run = (name: string) => runJob(venue.api.app, jobs.find(job => job.name === name)!);
const mails = async () => (await venue.rows<{ n: number }>(sql`select count(*)::int as n from outbox_mails`))[0]!.n;
const notices = async () =>
  (await venue.api.get('panel/notification', { token: venue.admin })).body.data.filter(
    (it: { kind: string }) => it.kind === 'mail_limit',
  );
/** Invites people until no mail of the day is left. */
const useUp = async () => {
  for (let n = 0; n < limit; n += 1) expect((await invite()).status).toBe(201);
  expect((await invite()).body.code).toBe('mails_over');
};
let addresses = 0;
const address = () => `hedef${++addresses}@example.com`;
const invite = () =>
  venue.api.post(`panel/location/${venue.location}/user`, { token: venue.admin, body: { email: address() } });
const guest = () => {
  venue.newMac();
  return venue.submit({ method: 'email', email: address() });
};

test('all mails to others together are limited per day, and the administrators are told before and at the limit', async () => {
  await venue.offer({ slug: 'email', options: { confirm_email: true } });
  const first = await guest();
  const ticket = new URL(first.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 });
  const cookie = cookiesOf(first);
  for (let n = 1; n < limit * 0.6; n += 1) expect((await guest()).status).toBe(303);
  await run('mail limits');
  expect(await notices()).toEqual([]);
  for (let n = 0; n < limit * 0.2; n += 1) expect((await invite()).status).toBe(201);
  await run('mail limits');
  await run('mail limits');
  expect(await notices()).toMatchObject([{ title: '80% of the e-mails of a day are used', data: { used: 16, limit } }]);
  for (let n = 0; n < limit * 0.2; n += 1) expect((await guest()).status).toBe(303);
  const refused = await invite();
  expect([refused.status, refused.body.code]).toEqual([429, 'mails_over']);
  expect(refused.body.message).toContain(`limit of ${limit} e-mails a day`);
  const visitors = await venue.rows(sql`select id from visitors`);
  const page = await guest();
  expect([page.status, page.html.includes('No messages can be sent')]).toEqual([422, true]);
  expect(await venue.rows(sql`select id from visitors`)).toEqual(visitors);
  const again = await venue.captive.post(`/w/${venue.nas}/mail`, { lang: 'en' }, { cookie });
  const status = await venue.captive.get(again.headers.get('location')!, { cookie });
  expect([status.status, status.html.includes('No messages can be sent')]).toEqual([200, true]);
  const names = { first_name: 'A', last_name: 'B', phone_number: '+905301112233', location_name: 'X' };
  const body = { ...names, email: address(), password: 'kahve-fincanı-7' };
  expect((await venue.api.post('user/register', { body })).body.code).toBe('mails_over');
  expect(await mails()).toBe(limit);
  await run('mail limits');
  expect((await notices()).map((it: { data: { percent: number } }) => it.data.percent)).toEqual([100, 80]);
});

test('the limit is the tenant’s own, and does not keep a code for a new password from an account', async () => {
  await useUp();
  const { email } = await venue.api.user('member', { location: venue.location });
  expect((await venue.api.post('user/forgot-password', { body: { email } })).status).toBe(204);
  expect(await mails()).toBe(limit + 1);
  const other = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
  const as = { token: other.token, tenant: 'elsewhere' };
  const { id } = (await venue.api.post('panel/location', { ...as, body: { name: 'X' } })).body.data;
  expect((await venue.api.post(`panel/location/${id}/user`, { ...as, body: { email: address() } })).status).toBe(201);
});

test('mails of the day before do not count', async () => {
  await useUp();
  await venue.run(sql`update outbox_mails set created_at = created_at - interval '1 day'`);
  expect((await invite()).status).toBe(201);
});

test('one number gets a bounded number of messages, however many tenants are asked', async () => {
  await venue.offer({ slug: 'sms' });
  const statuses: number[] = [];
  for (let n = 0; n < 14; n += 1) {
    venue.newMac();
    // Each message counts as another tenant’s, because tenants do not see each other’s messages.
    await venue.run(sql`update sms_messages set created_at = created_at - interval '1 hour'`);
    statuses.push((await venue.submit({ method: 'sms', phone: '+905321119988' })).status);
    await holdBlocks(venue.api.app);
  }
  expect(statuses[0]).toBe(200);
  expect(statuses.at(-1)).toBe(429);
  const [sent] = await venue.rows<{ n: number }>(sql`select count(*)::int as n from sms_messages`);
  // After ten, each further one waits twice as long as the one before.
  expect(sent!.n).toBe(statuses.indexOf(429));
  expect(sent!.n).toBeLessThanOrEqual(12);
});
