import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PageAnswer } from '../testing/captive.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const offer = (remember: 'off' | 'cookie' | 'mac', more: object = {}) =>
  venue.offer({ slug: 'username', options: { remember, remember_days: 7, ...more } });
const cookieOf = (answer: PageAnswer) =>
  /portico_guest_\w+=[^;]*/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? '';
const ticketOf = (answer: PageAnswer) => {
  const to = answer.headers.get('location');
  return to && new URL(to, 'http://x').searchParams.get('username');
};

/** The router redeems the ticket of a sign-in. Returns the browser's cookie. */
async function redeem(answer: PageAnswer, mac?: string): Promise<string> {
  expect(answer.status, answer.html.slice(-600)).toBe(303);
  expect((await venue.routerAccepts(ticketOf(answer)!, mac)).outcome).toBe('accept');
  return cookieOf(answer);
}
/** Signs in, and returns the browser's cookie. */
const signIn = async (username: string): Promise<string> =>
  redeem(await venue.submit({ username, password: 'parola 1' }));
const comeAgain = (cookie = '', more: Record<string, string> = {}) =>
  venue.captive.get(venue.arrival(more), cookie ? { cookie } : {});
const asked = (page: PageAnswer) => page.html.includes('name="username"');
const age = (days: number) =>
  venue.run(sql`update remembered_guests set seen_at = seen_at - make_interval(days => ${days})`);

const factory = '00:1B:63:00:00';
const madeUp = '02:00:5E:00:00';
const at = (range: string, last: string, cookie = '') => comeAgain(cookie, { mac: `${range}:${last}` });

describe('a returning guest', () => {
  test('has to sign in again by default', async () => {
    await offer('off');
    const cookie = await signIn(await venue.visitor());
    expect(cookie).toBe('');
    expect(asked(await comeAgain())).toBe(true);
  });

  test('is admitted by its cookie, with a ticket that the router accepts', async () => {
    await offer('cookie');
    const answer = await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
    expect(answer.headers.getSetCookie().find(it => it.startsWith('portico_guest_'))).toMatch(
      /^portico_guest_[0-9a-f]{12}=[\w-]{43}; Path=\/; Max-Age=604800; SameSite=Lax; HttpOnly$/,
    );
    const cookie = await redeem(answer);
    const again = await comeAgain(cookie);
    expect(await redeem(again)).toBe(cookie);
    expect(asked(await comeAgain()), 'a MAC can be copied').toBe(true);
    expect(asked(await comeAgain(cookie, { error: 'not allowed' })), 'the router has just refused it').toBe(true);
    const someoneElse = await venue.visitor();
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const fields = { state, method: 'username', username: someoneElse, password: 'parola 1' };
    const other = await redeem(await venue.captive.form(venue.signInAt, fields, { cookie }));
    expect(other, 'another visitor in the same browser').not.toBe(cookie);
    expect(asked(await comeAgain(cookie))).toBe(true);
    expect((await comeAgain(other)).status).toBe(303);
  });

  test('is admitted by its cookie only on the same device, or with random MACs', async () => {
    await offer('cookie');
    const username = await venue.visitor({ special_profile: true, shared_user: 9 });
    const start = async (mac: string) => {
      const page = await venue.captive.get(venue.arrival({ mac }));
      const state = /name="state" value="([^"]*)"/.exec(page.html)![1]!;
      const fields = { state, method: 'username', username, password: 'parola 1' };
      return redeem(await venue.captive.form(venue.signInAt, fields), mac);
    };
    expect(asked(await at(factory, '02', await start(`${factory}:01`)))).toBe(true);
    expect(asked(await at(madeUp, '02', await start(`${factory}:03`)))).toBe(true);
    expect(asked(await at(factory, '05', await start(`${madeUp}:04`)))).toBe(true);
    const moved = await at(madeUp, '07', await start(`${madeUp}:06`));
    await redeem(moved, `${madeUp}:07`);
    const left = await venue.rows(sql`select 1 from remembered_guests where client_mac = ${`${madeUp}:06`}::macaddr`);
    expect(left, 'the earlier MAC is free').toEqual([]);
  });

  test('is admitted by its MAC if the operator allows it, by a random MAC for a day only', async () => {
    await offer('mac');
    const username = await venue.visitor({ special_profile: true, shared_user: 9 });
    for (const [range, days, straight] of [
      [factory, 6, true],
      [factory, 8, false],
      [madeUp, 0, true],
      [madeUp, 2, false],
    ] as const) {
      const mac = `${range}:2${days}`;
      const page = await venue.captive.get(venue.arrival({ mac }));
      const state = /name="state" value="([^"]*)"/.exec(page.html)![1]!;
      const fields = { state, method: 'username', username, password: 'parola 1' };
      await redeem(await venue.captive.form(venue.signInAt, fields), mac);
      await age(days);
      expect((await comeAgain('', { mac })).status, `${mac} after ${days} days`).toBe(straight ? 303 : 200);
    }
  });

  test('gets no access to the guest’s data or cookie by its MAC alone', async () => {
    await offer('mac');
    const proved = await venue.submit({ username: await venue.visitor(), password: 'parola 1' });
    const ticket = ticketOf(proved)!;
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 1, downloadBytes: 1 });
    const onlineOf = async (answer: PageAnswer) => (await venue.openOnline(answer)).html;
    expect(await onlineOf(proved)).toContain('/my-data');
    const named = await comeAgain();
    expect(named.status).toBe(303);
    expect(named.headers.get('set-cookie') ?? '').not.toContain('portico_guest_');
    expect(await onlineOf(named)).not.toContain('/my-data');
    const known = await comeAgain(cookieOf(proved));
    expect(cookieOf(known), 'the guest’s browser is still known').toBe(cookieOf(proved));
    expect(await onlineOf(known)).toContain('/my-data');
  });

  test('is refused when blocked or expired, when the service has stopped, and at other locations', async () => {
    await offer('mac');
    const username = await venue.visitor();
    const cookie = await signIn(username);
    const set = (column: string, value: string) =>
      venue.run(
        column === 'blocked'
          ? sql`update visitors set blocked = ${value}::boolean where username = ${username}`
          : sql`update visitors set session_end_at = ${value || null}::timestamptz where username = ${username}`,
      );
    await set('blocked', 'true');
    expect((await comeAgain(cookie)).html).toContain('Your access is paused');
    await set('blocked', 'false');
    await set('session_end_at', '2020-01-01');
    expect((await comeAgain(cookie)).html).toContain('Your access has ended');
    await set('session_end_at', '');
    await venue.run(sql`update locations set trial_end_at = now() - interval '1 day' where id = ${venue.location}`);
    await venue.run(sql`update devices set trial_end_at = now() - interval '1 day' where id = ${venue.device.id}`);
    expect((await comeAgain(cookie)).status).toBe(403);
    await venue.run(sql`update locations set trial_end_at = now() + interval '9 days' where id = ${venue.location}`);

    const other = await venue.create('panel/location', { name: 'Other' });
    await venue.run(sql`update locations set portal_id = ${venue.portal.id} where id = ${other.id}`);
    const brands = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
    const made = await venue.create('panel/device', {
      name: 'R',
      brand_id: brands.find((it: { slug: string }) => it.slug === 'mikrotik').id,
      mac_address: '02:00:00:00:00:02',
      location_id: other.id,
    });
    const device = (await venue.api.get(`panel/device/${made.id}`, { token: venue.admin })).body.data;
    const value = cookie.split('=')[1];
    const forged = [cookie, ...Array.from({ length: 3 }, (_, i) => `portico_guest_${'0'.repeat(11)}${i}=${value}`)];
    const elsewhere = await venue.captive.get(venue.arrival({}, device.nas_identifier), { cookie: forged.join('; ') });
    expect(asked(elsewhere)).toBe(true);
    expect((await comeAgain(cookie)).status).toBe(303);
  });

  test('is not known where the visitor was moved away from, by cookie or MAC', async () => {
    await offer('mac');
    const username = await venue.visitor();
    const cookie = await signIn(username);
    expect((await comeAgain(cookie)).status).toBe(303);
    const [visitor] = await venue.rows(sql`select id from visitors where username = ${username}`);
    const elsewhere = await venue.create('panel/location', { name: 'Elsewhere' });
    const move = async (location_id: string) => {
      const body = { ids: [visitor!['id']], location_id };
      const moved = await venue.api.post('panel/client/selected/move', { token: venue.admin, body });
      expect(moved.body.data.changed, moved.text).toBe(1);
    };
    await move(elsewhere['id']);
    expect(asked(await comeAgain(cookie))).toBe(true);
    expect(asked(await comeAgain())).toBe(true);
    await move(venue.location);
    expect((await comeAgain(cookie)).status).toBe(303);
  });

  test('has to sign in again after changed agreements, a disabled method or a log-out', async () => {
    await offer('mac');
    const terms = (text: string) =>
      venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: text } } });
    await terms('<p>One</p>');
    const username = await venue.visitor();
    const cookie = await signIn(username);
    await terms('<p>Two</p>');
    expect(asked(await comeAgain(cookie))).toBe(true);
    await terms('<p>One</p>');
    const again = await comeAgain(cookie);
    expect(again.status).toBe(303);
    await terms('');
    await offer('mac', {});
    await venue.offer({ slug: 'temp', options: { remember: 'mac' } });
    expect((await comeAgain(cookieOf(again))).status).toBe(200);
    await offer('mac');
    const straight = await comeAgain(cookieOf(again));
    const ticket = ticketOf(straight)!;
    await venue.routerAccepts(ticket);
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 });
    const logOut = await venue.captive.form(`/w/${venue.nas}/log-out`, {}, { cookie: cookiesOf(straight) });
    expect(logOut.headers.get('set-cookie')).toMatch(/^portico_guest_\w+=; Path=\/; Max-Age=0;/);
    expect(asked(await comeAgain(cookieOf(straight)))).toBe(true);
  });
});
