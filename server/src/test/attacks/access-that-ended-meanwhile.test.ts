import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { sessionJobs } from '#features/sessions/public.ts';

/**
 * The attack: access is taken away after the router has let the guest device in, and before it reports the session. No session is
 * there to end, and the router keeps the time that it was given: days. The same happens while the reports of a router are lost.
 */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const post = async (at: string, body: object = {}) => {
  const answer = await venue.api.post(at, { token: venue.admin, body });
  expect(answer.status, answer.text).toBeLessThan(300);
};

/** A guest who was let in by its router. */
async function letIn(fields: Record<string, string>) {
  const answer = await venue.submit(fields);
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
  return ticket;
}

async function letInByName() {
  await venue.offer({ slug: 'username' });
  const username = await venue.visitor();
  const ticket = await letIn({ username, password: 'parola 1' });
  const [visitor] = await venue.rows(sql`select id from visitors where username = ${username}`);
  return { ticket, id: visitor!['id'] as string };
}

const report = (ticket: string, status: 'start' | 'interim' | 'stop', sessionSeconds = 0) =>
  venue.routerStarts(
    ticket,
    { uploadBytes: 9, downloadBytes: 9 },
    { sessionId: `of ${venue.mac}`, status, sessionSeconds },
  );

/** The commands to the router about the session of the guest device. */
const told = () =>
  venue.rows(sql`
    select k.kind, k.reason from session_commands k join online_sessions s on s.id = k.session_id
    where s.acct_session_id = ${`of ${venue.mac}`}`);

const endBlocked = () => sessionJobs.find(it => it.name === 'sessions of blocked devices')!.run(venue.api.app);

describe('a session that begins after access ended is ended at its next report', () => {
  test('but not that of a guest who keeps access', async () => {
    const { ticket } = await letInByName();
    await report(ticket, 'start');
    await report(ticket, 'interim');
    expect(await told()).toEqual([]);
  });

  test.each([
    ['paused', (id: string) => post(`panel/client/${id}/pause`)],
    ['deleted', (id: string) => venue.api.delete(`panel/client/${id}`, { token: venue.admin })],
    [
      'given an end',
      (id: string) => venue.run(sql`update visitors set session_end_at = now() - interval '1 second' where id = ${id}`),
    ],
  ])('%s', async (_, end) => {
    const { ticket, id } = await letInByName();
    await end(id);
    await report(ticket, 'start');
    await report(ticket, 'interim');
    await report(ticket, 'interim');
    expect(await told()).toEqual([{ kind: 'end', reason: 'limit' }]);
  });

  test('voucher revoked', async () => {
    await venue.offer({ slug: 'voucher' });
    const terms = { valid_for: { is_active: true, option: 'day', value: 1 }, price: 0, currency: 'eur' };
    const form = { name: 'Havuz', location_id: venue.location, count: 1, ...terms };
    const batch = await venue.create('panel/voucher-batch', form);
    const cards = await venue.api.post(`panel/voucher-batch/${batch.id}/cards`, { token: venue.admin, body: {} });
    const ticket = await letIn({ method: 'voucher', voucher: cards.body.data[0].code });
    await post(`panel/voucher-batch/${batch.id}/revoke`, { all: true });
    await report(ticket, 'start');
    await report(ticket, 'interim');
    expect(await told()).toEqual([{ kind: 'end', reason: 'limit' }]);
  });
});

test('a session that is found again after its reports were lost ends, if its guest was paused meanwhile', async () => {
  const { ticket, id } = await letInByName();
  await report(ticket, 'start');
  await venue.api.app.db.withSystem(tx =>
    tx.run(sql`
      update online_sessions set started_at = now() - interval '2 hours', updated_at = now() - interval '1 hour'
      where visitor_id = ${id}`),
  );
  await sessionJobs.find(it => it.name === 'close stale sessions')!.run(venue.api.app);
  expect(await venue.rows(sql`select 1 from online_sessions where visitor_id = ${id}`)).toEqual([]);
  await post(`panel/client/${id}/pause`);
  await report(ticket, 'interim', 7200);
  expect(await told()).toEqual([{ kind: 'end', reason: 'limit' }]);
});

test.each([
  ['at its router', () => post(`panel/device/${venue.device.id}/macs`, { mac: venue.mac, type: 'blocked' })],
  [
    'at the location',
    () => venue.update(`panel/location/${venue.location}`, { mac_blacklist: [venue.mac], mac_blacklist_enabled: true }),
  ],
])(
  'a guest device that is blocked %s before its session begins is told to leave, once in ten minutes',
  async (_, block) => {
    const { ticket } = await letInByName();
    await block();
    await report(ticket, 'start');
    await endBlocked();
    await endBlocked();
    expect(await told()).toEqual([{ kind: 'end', reason: 'blocked' }]);
  },
);

test('a guest device that is blocked at another router, or on a list that is off, goes on', async () => {
  const { ticket } = await letInByName();
  const other = await venue.create('panel/device', {
    ...{
      location_id: venue.location,
      brand_id: venue.device.brand_id,
      name: 'Havuz',
      mac_address: 'A1:B2:C3:D4:E5:77',
    },
  });
  await post(`panel/device/${other.id}/macs`, { mac: venue.mac, type: 'blocked' });
  await venue.update(`panel/location/${venue.location}`, { mac_blacklist: [venue.mac], mac_blacklist_enabled: false });
  await report(ticket, 'start');
  await endBlocked();
  expect(await told()).toEqual([]);
});

test('a guest who was moved to another location is told to leave', async () => {
  const { ticket, id } = await letInByName();
  const elsewhere = await venue.create('panel/location', { name: 'Kafe' });
  await venue.run(sql`update visitors set location_id = ${elsewhere.id} where id = ${id}`);
  await report(ticket, 'start');
  await report(ticket, 'interim');
  expect(await told()).toEqual([{ kind: 'end', reason: 'limit' }]);
});
