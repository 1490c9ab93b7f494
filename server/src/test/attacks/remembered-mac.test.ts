import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { PageAnswer } from '#features/guests/testing/captive.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';

/**
 * The portal is told the MAC of a guest device by the browser's address, where any caller can put any MAC. The attack: a
 * stranger has an account, and signs in with the MAC of a guest who need not sign in again. The guest's device would become the
 * stranger's.
 */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const ticketOf = (answer: PageAnswer) => new URL(answer.headers.get('location')!).searchParams.get('username')!;
const remembered = () =>
  venue.rows<{ row: string; seen: string }>(
    sql`select visitor_id::text || encode(token_hash, 'hex') as row, seen_at as seen from remembered_guests where client_mac = ${venue.mac}::macaddr`,
  );
/** A guest who signed in, whose router redeemed the ticket, and who is away now. */
async function rememberedGuest(): Promise<void> {
  const answer = await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
  await venue.routerAccepts(ticketOf(answer));
  expect(await remembered()).toHaveLength(1);
}

test.for(['cookie', 'mac'] as const)('remembered by %s, a guest stays remembered', async remember => {
  await venue.offer({ slug: 'username', options: { remember } });
  await rememberedGuest();
  const before = await remembered();
  const state = stateOf((await venue.captive.get(venue.arrival({ step: 'form' }))).html);
  const own = { state, method: 'username', username: await venue.visitor(), password: 'parola 1' };
  const stranger = await venue.captive.form(venue.signInAt, own);
  expect(stranger.status).toBe(303);
  expect(await remembered()).toEqual(before);
  const ticket = ticketOf(stranger);
  const other = await venue.routerAccepts(ticket, '00:1B:63:99:99:99');
  expect(other.outcome, 'the router tells the stranger’s own MAC').toBe('reject');
  expect(await remembered()).toEqual(before);
});

test('visits in the guest’s name do not prolong the time for which its MAC is enough', async () => {
  await venue.offer({ slug: 'username', options: { remember: 'mac' } });
  await rememberedGuest();
  await venue.run(sql`update remembered_guests set seen_at = now() - interval '1 hour'`);
  const before = await remembered();
  expect((await venue.captive.get(venue.arrival())).status, 'admitted by its MAC').toBe(303);
  expect(await remembered()).toEqual(before);
});

test('a device that nobody signed in with is not remembered before its router asks', async () => {
  await venue.offer({ slug: 'username', options: { remember: 'mac' } });
  await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
  expect(await remembered()).toEqual([]);
  expect((await venue.captive.get(venue.arrival())).status, 'has to sign in').toBe(200);
});
