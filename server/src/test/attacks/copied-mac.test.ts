import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';

/**
 * All devices on an open network can see MACs. The attack: a stranger signs in with the MAC of a guest who has free access, and
 * wants that guest's data. Free access asks for nothing that only the guest knows.
 */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const victim = { email: 'kurban@example.com', phone: '+905321112233' };
const dataAt = () => `/w/${venue.nas}/my-data`;
const rows = () =>
  venue.rows<{ row: string }>(sql`select v::text as row from visitors v where portal_mac = ${venue.mac}::macaddr`);
const offers = [
  ['temp', { collect_email: true, collect_phone: true, remember: 'cookie' }, { method: 'temp', ...victim }],
  ['email', { collect_phone: true, remember: 'cookie' }, { method: 'email', ...victim }],
] as const;

test('a stranger with an account of their own sees and ends nothing of the guest’s visit', async () => {
  await venue.offer({ slug: 'email', options: { remember: 'cookie' } }, { slug: 'username', options: {} });
  const answer = await venue.submit({ method: 'email', email: victim.email });
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 7_000_000, downloadBytes: 0 });
  expect((await venue.openOnline(answer)).html).toContain('You are connected');
  const remembered = () =>
    venue.rows(
      sql`select visitor_id::text || encode(token_hash, 'hex') as row from remembered_guests where client_mac = ${venue.mac}::macaddr`,
    );
  const before = await remembered();
  expect(before).toHaveLength(1);
  const username = await venue.visitor();
  const own = await venue.submit({ method: 'username', username, password: 'parola 1' });
  const byAddress = await venue.submit({ method: 'email', email: 'hirsiz@example.com' });
  for (const stranger of [own, byAddress]) {
    expect(stranger.status).toBe(303);
    const cookie = cookiesOf(stranger);
    const page = await venue.captive.get(`/w/${venue.nas}/online`, { cookie });
    expect(page.html).toContain('Your session has ended');
    expect(page.html).not.toContain('You are connected');
    await venue.captive.form(`/w/${venue.nas}/log-out`, {}, { cookie });
  }
  expect(await remembered()).toEqual(before);
});

describe.for(offers)('with the method %s', ([slug, options, fields]) => {
  const arrive = async () => {
    await venue.offer({ slug, options });
    const answer = await venue.submit(fields);
    expect(answer.status, answer.html.slice(-500)).toBe(303);
    return cookiesOf(answer);
  };

  test.for([
    ['the guest’s address', victim],
    ['another address', { email: 'hirsiz@example.com', phone: '+905559998877' }],
  ])('the browser of a stranger who types %s neither sees, changes nor erases the data', async ([, typed]) => {
    await arrive();
    const before = await rows();
    expect(before).toHaveLength(1);
    const stranger = await venue.submit({ ...fields, ...(typed as object) });
    expect(stranger.status, stranger.html.slice(-500)).toBe(303);
    const cookie = cookiesOf(stranger);
    expect(cookie).not.toContain('portico_guest_');
    const page = await venue.captive.get(dataAt(), { cookie });
    expect([page.status, page.html.includes(victim.email)]).toEqual([404, false]);
    for (const what of ['mail', 'delete'])
      expect((await venue.captive.form(`${dataAt()}/${what}`, {}, { cookie })).status, what).toBe(404);
    expect(await rows()).toEqual(before);
  });

  test('the guest’s own browser still sees the data after a second sign-in', async () => {
    const cookie = await arrive();
    const form = await venue.captive.get(venue.arrival({ step: 'form' }), { cookie });
    const state = stateOf(form.html);
    const again = await venue.captive.form(venue.signInAt, { ...fields, state }, { cookie });
    expect(again.status).toBe(303);
    const page = await venue.captive.get(dataAt(), { cookie: cookiesOf(again) });
    expect([page.status, page.html.includes(victim.email)]).toEqual([200, true]);
  });
});
