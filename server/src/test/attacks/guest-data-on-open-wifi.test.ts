import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { packState } from '#features/guests/guest-state.ts';
import type { PageAnswer } from '#features/guests/testing/captive.ts';
import {
  cookiesOf,
  login,
  newGuestEachTest,
  onlineOf,
  startVenue,
  type Venue,
} from '#features/guests/testing/venue.ts';

/**
 * A stranger on an open network reads the plain request to the router, and opens the address in it from another device.
 */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const email = 'ada@example.com';

/** Signs a guest in, and returns the answer that leads to the router. */
async function comeOnline(): Promise<PageAnswer> {
  await venue.offer({ slug: 'email', options: {} });
  const answer = await venue.submit({ method: 'email', email });
  expect(answer.status, answer.html.slice(-500)).toBe(303);
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 1, downloadBytes: 2 });
  return answer;
}

test('the address that the router redirects to contains nothing about the guest', async () => {
  const answer = await comeOnline();
  const dst = new URL(answer.headers.get('location')!).searchParams.get('dst')!;
  expect(dst).toBe(`http://guests.example/w/${venue.nas}/online?new=1`);
  const cookie = answer.headers.getSetCookie().find(it => it.startsWith('portico_visit='))!;
  expect(cookie).toMatch(/; HttpOnly$/);
});

test('that address shows a stranger neither the visit nor the data, and ends nothing', async () => {
  const answer = await comeOnline();
  const stranger = await venue.captive.get(onlineOf(answer));
  expect(stranger.status).toBe(403);
  expect(stranger.html).toContain('Your visit is not shown here');
  expect(stranger.html).not.toMatch(/my-data|log-out|You are connected/);
  expect(stranger.html).not.toContain(venue.mac);
  const at = `/w/${venue.nas}`;
  expect((await venue.captive.get(`${at}/my-data`)).html).not.toContain(email);
  for (const what of ['mail', 'delete'])
    expect((await venue.captive.form(`${at}/my-data/${what}`, {})).status, what).toBe(404);
  expect((await venue.captive.form(`${at}/log-out`, {})).status).toBe(403);
  // The page of a log-out that this browser has begun; loading it ends nothing.
  expect((await venue.captive.get(`${at}/log-out`)).status).toBe(403);
  const [row] = await venue.rows<{ count: number }>(sql`select count(*)::int from visitors where email = ${email}`);
  expect(row!.count).toBeGreaterThan(0);
  // The guest's own browser still opens both.
  const cookie = cookiesOf(answer);
  expect((await venue.captive.get(onlineOf(answer), { cookie })).html).toContain('You are connected');
  expect((await venue.captive.get(`${at}/my-data`, { cookie })).html).toContain(email);
});

test('links of earlier versions, which carried the visit, open nothing', async () => {
  await comeOnline();
  const [row] = await venue.rows<{ id: string }>(sql`select id from visitors where email = ${email}`);
  const visit = { nas: venue.nas, mac: venue.mac, ip: '10.5.50.9', login, orig: '' };
  const old = packState(venue.api.app.secrets, { step: 'online', visit, visitor: row!.id });
  for (const page of ['online', 'my-data', 'log-out']) {
    const answer = await venue.captive.get(`/w/${venue.nas}/${page}?s=${old}`);
    expect(answer.status, page).toBeGreaterThanOrEqual(400);
    expect(answer.html, page).not.toContain(email);
    expect(answer.headers.getSetCookie(), page).toEqual([]);
  }
});

test('a browser that keeps the address after the end is told so, and can sign in again', async () => {
  const answer = await comeOnline();
  const cookie = cookiesOf(answer);
  await venue.api.app.db.pool.query('delete from online_sessions');
  const over = await venue.captive.get(`/w/${venue.nas}/online`, { cookie });
  expect(over.status).toBe(200);
  expect(over.html).toContain('Your session has ended');
  const again = /href="([^"]*step=form[^"]*)"[^>]*>Sign in again/.exec(over.html)![1]!.replaceAll('&amp;', '&');
  expect((await venue.captive.get(again)).html).toContain('name="email"');
});
