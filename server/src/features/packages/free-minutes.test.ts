import sql from 'sql-template-tag';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { startControllers } from '#features/guests/testing/controllers.ts';
import { cookiesOf, stateOf } from '#features/guests/testing/venue.ts';
import { farZones } from '#test/far-zones.ts';
import { startShop, ticketIn } from './testing/shop.ts';

const { venue: place, unifi, devices } = await startControllers({ COA_TIMEOUT: '30' });
const { venue, begin, buyAt, confirm, day, goOffline, newEmail, purchaseOf, summary } = await startShop(place);
afterEach(() => unifi.interfere(undefined));

const windowsOf = async (email: string): Promise<number> => (await purchaseOf(email))[0]!['windows'];
const expireTickets = () =>
  venue.run(sql`update tickets set expires_at = now() - interval '1 second' where client_mac = ${venue.mac}::macaddr`);
const expireMinutes = (email: string) =>
  venue.run(sql`
    update visitors set session_end_at = now() - interval '1 second'
    where id = (select visitor_id from purchases where email = ${email})`);
const isLetOut = (answer: { headers: Headers }) =>
  answer.headers.get('location')!.startsWith('http://10.5.50.1/login?');

/** Sends the form of one purchase, as often as the result is called. */
async function oneForm(email: string) {
  const form = { state: stateOf((await summary()).html), lang: 'en', email };
  return (headers: Record<string, string> = {}) => venue.captive.form(buyAt(), form, headers);
}

test('a guest whom the router did not let out goes through it again, within the same minutes', async () => {
  const email = newEmail();
  const send = await oneForm(email);
  const first = await send();
  expect(isLetOut(first)).toBe(true);
  const again = await send({ cookie: cookiesOf(first) });
  expect(isLetOut(again)).toBe(true);
  expect(await windowsOf(email)).toBe(1);
  expect((await venue.routerAccepts(ticketIn(again.headers.get('location')!))).outcome).toBe('accept');
});

test('minutes whose ticket no router took do not count, others do, also those of one purchase', async () => {
  const email = newEmail();
  await begin(email);
  await goOffline();
  for (let n = 0; n < 4; n += 1) {
    expect(isLetOut(await confirm(newEmail())), `purchase ${n}`).toBe(true);
    await expireTickets();
  }
  const last = newEmail();
  const send = await oneForm(last);
  for (const left of [true, true, false]) {
    const answer = await send();
    expect(isLetOut(answer)).toBe(left);
    if (left) expect((await venue.routerAccepts(ticketIn(answer.headers.get('location')!))).outcome).toBe('accept');
    await expireMinutes(last);
  }
  expect(await windowsOf(last)).toBe(2);
});

test('minutes count until the day of the venue ends', async () => {
  const move = (zone: string) => venue.run(sql`update locations set time_zone = ${zone} where id = ${venue.location}`);
  onTestFinished(async () => void (await move('Europe/Istanbul')));
  await move(farZones().behind);
  for (let n = 0; n < 3; n += 1) {
    await begin(newEmail());
    await goOffline();
  }
  const begun = (minutesAfterMidnight: number) =>
    venue.run(sql`
      update purchases b set window_at = local_day(l.time_zone)::timestamp at time zone l.time_zone
        + make_interval(mins => ${minutesAfterMidnight})
      from locations l where l.id = b.location_id and b.client_mac = ${venue.mac}::macaddr and b.windows > 0`);
  await begun(1);
  expect(isLetOut(await confirm(newEmail())), 'today').toBe(false);
  await begun(-1);
  expect(isLetOut(await confirm(newEmail())), 'yesterday').toBe(true);
});

test('a controller that does not answer costs the guest no minutes: the next purchase gets the last ones', async () => {
  for (let n = 0; n < 2; n += 1) {
    await begin(newEmail());
    await goOffline();
  }
  unifi.join(venue.mac);
  const nas: string = devices['unifi']!['nas_identifier'];
  const page = await venue.captive.get(`/w/${nas}/guest/s/default/?${unifi.arrival(venue.mac)}`);
  const link = /href="([^"]*\/buy\?[^"]*)"/.exec(page.html)![1]!.replaceAll(/&(amp|#38);/g, '&');
  const buy = async (email: string) => {
    const terms = await venue.captive.get(`${link}&package=${day['id']}&days=3`);
    return venue.captive.form(`/w/${nas}/buy`, { state: stateOf(terms.html), lang: 'en', email });
  };

  unifi.interfere((_request, response) => {
    response.destroy();
    return true;
  });
  const lost = newEmail();
  const failed = await buy(lost);
  expect([failed.status, failed.html]).toEqual([422, expect.stringMatching(/did not let you in|is not answering/)]);
  expect(await windowsOf(lost)).toBe(0);
  unifi.interfere(undefined);
  const email = newEmail();
  expect((await buy(email)).headers.get('location')).toContain('/online');
  expect(await windowsOf(email)).toBe(1);
  expect(unifi.guest(venue.mac)!.authorized).toBe(true);
});
