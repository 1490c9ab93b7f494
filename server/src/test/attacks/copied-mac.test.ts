import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';

/**
 * MACs are visible to everybody on an open network. A stranger signs in with the MAC of a guest who has free access, which
 * asks for nothing that only the guest knows, and wants that guest's data.
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
