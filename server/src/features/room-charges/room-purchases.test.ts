import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { stopHotelLinks } from '#features/integrations/public.ts';
import { packageJobs } from '#features/packages/public.ts';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { hotelLinkJobs } from '../integrations/hotel/links.jobs.ts';
import { type FiasPms, startFiasPms } from '../integrations/testing/fias-pms.ts';

let venue: Venue;
let pms: FiasPms;
let integration: string;
let day: string;

const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 25_000, interval: 100 });
const reconcile = () => packageJobs[0]!.run(venue.api.app);
const connection = () => ({ type: 'fias', host: '127.0.0.1', port: pms.port, currency: 'eur' });

beforeAll(async () => {
  venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  pms = await startFiasPms();
  for (const [number, name, more] of [
    ['1', 'Kaya', {}],
    ['2', 'Sade', { NP: 'Y' }],
    ['3', 'Şişkin', {}],
  ] as const)
    pms.guests.set(number, { 'G#': number, RN: `10${number}`, GN: name, GF: 'Ali', ...more });
  const paid_sale = { is_active: true, option: 'eur', value: 5 };
  const profile = { name: 'Gün', location_id: venue.location, paid_sale, shared_user: 2 };
  const { id: profile_id } = await venue.create('panel/location/user-profile', profile);
  const pack = { location_id: venue.location, profile_id, price: 499, tax_rate: 2000, max_days: 7 };
  day = (await venue.create('panel/package', { ...pack, name: { en: 'Day pass' }, currency: 'eur' })).id;
  await venue.create('panel/package', { ...pack, name: { en: 'In dollars' }, currency: 'usd' });
  const body = { name: 'Opera', location_id: venue.location, integration_id: 'fias' };
  integration = (await venue.create('panel/integration', { ...body, params: { connection: connection() } })).id;
  await venue.offer({ slug: 'room-number', options: { method: 'surname' } });
  const hold = () => hotelLinkJobs[0]!.run(venue.api.app);
  await hold();
  const keep = setInterval(() => void hold().catch(() => undefined), 1000);
  await eventually(async () => expect(await venue.rows(sql`select 1 from hotel_stays`)).toHaveLength(3));
  afterFile(async () => {
    clearInterval(keep);
    await stopHotelLinks(venue.api.app);
    await pms.stop();
  });
}, 120_000);
newGuestEachTest(() => venue);

let people = 0;
const newEmail = () => `room${++people}@example.com`;
const buyAt = () => `/w/${venue.nas}/buy`;
const query = () =>
  new URLSearchParams({ mac: venue.mac, ip: '10.5.50.9', login: 'http://10.5.50.1/login', orig: '', lang: 'en' });
const summary = (headers = {}, days = 3) =>
  venue.captive.get(`${buyAt()}?${query()}&package=${day}&days=${days}`, headers);
const kaya = { room_number: '101', last_name: 'kaya' };
const order = async (email: string, fields: Record<string, string>, headers = {}) => {
  const page = await summary(headers);
  expect(page.status, page.html).toBe(200);
  return venue.captive.post(buyAt(), { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...fields }, headers);
};
const payPage = (cookie: string) => venue.captive.get(`/w/${venue.nas}/pay?check=1&lang=en`, { cookie });
/** The page once the hotel has answered. A busy machine may take longer than one request of the page waits. */
const answered = async (cookie: string) => {
  let page = await payPage(cookie);
  await eventually(async () => {
    if (page.status === 200) page = await payPage(cookie);
    expect(page.status, page.html).not.toBe(200);
  });
  return page;
};
const purchase = async (email: string): Promise<Body> => {
  const { body } = await venue.api.get(`panel/purchase?search=${email}`, { token: venue.admin });
  return body.data[0];
};
const refund = (id: string) =>
  venue.api.post(`panel/purchase/${id}/refund`, { token: venue.admin, body: { reason: 'Too slow' } });
const charges = async (): Promise<Body[]> =>
  (await venue.api.get(`panel/integration/${integration}/room-charges`, { token: venue.admin })).body.data;
const saleOf = async (id: string): Promise<Body> =>
  (await venue.api.get('panel/reports/sales?per_page=200', { token: venue.admin })).body.data.find(
    (it: Body) => it.purchase_id === id && !it.reverses,
  );
/** The hotel system is ready again, and gets what waits at once. */
const answerNow = async () => {
  pms.answer = 'OK';
  await venue.run(sql`update room_charges set next_at = now() where state = 'waiting'`);
};
const allPosted = () =>
  eventually(async () => {
    const open = sql`select 1 from room_charges where state in ('waiting', 'sent')`;
    expect(await venue.rows(open)).toEqual([]);
  });
/** The field that says the way to pay. */
const wayOf = (html: string, way: string) =>
  (html.match(/<input[^>]*>/g) ?? []).find(it => it.includes('name="pay"') && it.includes(`value="${way}"`)) ?? '';
const usernameIn = (location: string | null) => new URL(location ?? '').searchParams.get('username')!;
const visitorOf = (email: string) =>
  venue.rows(sql`
    select v.id, coalesce(v.session_end_at > now(), true) as runs from purchases b join visitors v on v.id = b.visitor_id where b.email = ${email}`);

describe('a purchase on the bill of a hotel room', () => {
  test('is offered in the currency of the hotel, without a payment provider', async () => {
    const { html } = await venue.captive.get(`${buyAt()}?${query()}`);
    expect([html.includes('Day pass'), html.includes('In dollars')]).toEqual([true, false]);
    const page = await summary();
    expect(page.html).toContain('Charge to my room');
    expect(page.html).toContain('name="room_number"');
  });

  test('is offered only while a package in the currency of the hotel is sold', async () => {
    const isOffered = async () => (await venue.captive.get(venue.arrival())).html.includes(`${buyAt()}?`);
    // The payment provider of another location sells nothing here.
    const elsewhere = await venue.api.location(venue.admin, 'Kafe');
    const params = { connection: { type: 'test-payment' } };
    const provider = { name: 'Test', location_id: elsewhere, integration_id: 'test-payment', params };
    const { id } = await venue.create('panel/integration', provider);
    const offered = [await isOffered()];
    for (const is_active of [false, true]) {
      await venue.update(`panel/package/${day}`, { is_active });
      offered.push(await isOffered());
    }
    expect(offered).toEqual([true, false, true]);
    expect((await venue.api.delete(`panel/integration/${id}`, { token: venue.admin })).status).toBeLessThan(300);
  });

  test('is posted once though the line breaks twice, then gives access, and ends with its refund', async () => {
    const email = newEmail();
    pms.breaksAfterPosting = 1;
    const answer = await order(email, kaya);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/w/${venue.nas}/pay?check=1&lang=en`]);
    const cookie = cookiesOf(answer);
    // The same page, sent again.
    await eventually(() => expect(pms.breaksAfterPosting).toBe(0));
    pms.breaksAfterPosting = 1;
    const waiting = await payPage(cookie);
    if (waiting.status === 200) expect(waiting.html).toContain('putting it on the bill');
    const page = await answered(cookie);
    expect(page.status, page.html).toBe(303);
    expect(pms.bill).toMatchObject([{ room: '101', reservation: '1', amount: 1497 }]);
    expect(await charges()).toMatchObject([
      { state: 'posted', amount: 1497, currency: 'eur', attempts: 3, visitor: { name: 'Ali Kaya' } },
    ]);
    expect((await venue.routerAccepts(usernameIn(page.headers.get('location')))).outcome).toBe('accept');
    const bought = await purchase(email);
    expect(bought).toMatchObject({ state: 'paid', provider: 'room', amount: 1497, tax: 250, currency: 'eur' });
    expect(await saleOf(bought['id'])).toMatchObject({ total: 14.97, room_charge: 'posted' });
    expect(await visitorOf(email)).toMatchObject([{ runs: true }]);

    pms.breaksAfterPosting = 1;
    expect((await refund(bought['id'])).body.data.state).toBe('refunding');
    await eventually(() => expect(pms.bill.map(it => it.amount)).toEqual([1497, -1497]));
    await eventually(async () => {
      await reconcile();
      expect(await purchase(email)).toMatchObject({ state: 'refunded' });
    });
    expect(await visitorOf(email)).toMatchObject([{ runs: false }]);
    expect(pms.bill).toHaveLength(2);
    expect((await refund(bought['id'])).status).toBe(422);
    const file = await venue.api.get('panel/purchase?download=true', { token: venue.admin });
    expect(file.text).toMatch(/room,/);
  }, 90_000);

  test('by a guest whose bought days are running adds to them', async () => {
    const first = newEmail();
    const cookie = cookiesOf(await order(first, kaya));
    await eventually(async () => expect((await payPage(cookie)).status).toBe(303));
    const [before] = await visitorOf(first);
    const second = newEmail();
    const more = await order(second, kaya, { cookie });
    await eventually(async () => expect((await payPage(cookiesOf(more))).status).toBe(303));
    expect(await visitorOf(second)).toEqual([before]);
    const [days] = await venue.rows(sql`select total_paid_day from visitors where id = ${before!['id']}`);
    expect(days).toEqual({ total_paid_day: 6 });
  }, 60_000);

  test('that still waits for the hotel leads back to itself instead of a second charge', async () => {
    pms.answer = 'RY';
    const email = newEmail();
    const cookie = cookiesOf(await order(email, kaya));
    const count = async () => (await charges()).length;
    const before = await count();
    const other = newEmail();
    const again = await order(other, kaya, { cookie });
    expect([again.status, again.headers.get('location')]).toEqual([303, `/w/${venue.nas}/pay?check=1&lang=en`]);
    expect(await count()).toBe(before);
    expect(await purchase(other)).toBeUndefined();
    pms.answer = 'OK';
    await eventually(async () => {
      await payPage(cookie);
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
  }, 60_000);

  test('that still waits is found without the cookie too, by the guest and its device', async () => {
    pms.answer = 'RY';
    const email = newEmail();
    await order(email, kaya);
    const before = (await charges()).length;
    const again = await order(newEmail(), kaya);
    expect([again.status, again.headers.get('location')]).toEqual([303, `/w/${venue.nas}/pay?check=1&lang=en`]);
    expect(await charges()).toHaveLength(before);
    // Another guest at the same address does not get the purchase.
    const other = await order(newEmail(), { room_number: '103', last_name: 'siskin' });
    expect(await charges()).toHaveLength(before + 1);
    expect(cookiesOf(other)).not.toBe(cookiesOf(again));
    await answerNow();
    await eventually(async () => {
      await payPage(cookiesOf(again));
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
    await allPosted();
  }, 60_000);

  test('that still waits is the same on another device of the guest', async () => {
    pms.answer = 'RY';
    const email = newEmail();
    await order(email, kaya);
    const before = (await charges()).length;
    // A phone that changed its address has no cookie either.
    venue.newMac();
    const other = newEmail();
    const again = await order(other, kaya);
    expect([again.status, again.headers.get('location')]).toEqual([303, `/w/${venue.nas}/pay?check=1&lang=en`]);
    expect(await charges()).toHaveLength(before);
    expect(await purchase(other)).toBeUndefined();
    await answerNow();
    await eventually(async () => {
      await payPage(cookiesOf(again));
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
    await allPosted();
    // Once it is booked, the guest may buy for another device.
    venue.newMac();
    const later = newEmail();
    const cookie = cookiesOf(await order(later, kaya));
    await eventually(async () => {
      await payPage(cookie);
      expect(await purchase(later)).toMatchObject({ state: 'paid' });
    });
  }, 60_000);

  test('from two pages at once is one charge', async () => {
    const before = pms.bill.length;
    const pages = await Promise.all([summary(), summary()]);
    const email = newEmail();
    const both = await Promise.all(
      pages.map(page =>
        venue.captive.post(buyAt(), { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...kaya }),
      ),
    );
    expect(both.map(it => it.status)).toEqual([303, 303]);
    await answered(cookiesOf(both[0]!));
    expect(pms.bill).toHaveLength(before + 1);
  }, 30_000);

  test('that the hotel does not answer lets the guest go on, and does not load itself for ever', async () => {
    pms.answer = 'RY';
    const email = newEmail();
    const cookie = cookiesOf(await order(email, kaya));
    const first = await payPage(cookie);
    expect([first.html.includes('data-refresh'), first.html.includes('step=form')]).toEqual([true, true]);
    await venue.run(sql`update purchases set created_at = created_at - interval '1 minute' where email = ${email}`);
    const later = await payPage(cookie);
    expect([later.html.includes('data-refresh'), later.html.includes('You don’t need to wait here')]).toEqual([
      false,
      true,
    ]);
    await answerNow();
    await eventually(async () => {
      await reconcile();
      await payPage(cookie);
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
  }, 60_000);

  test('keeps room and surname while the guest looks at another language', async () => {
    const page = await summary();
    const body = { state: stateOf(page.html), lang: 'en', email: 'a@example.com', pay: 'room', go: 'tr', ...kaya };
    const away = await venue.captive.post(buyAt(), body);
    expect(away.status).toBe(303);
    const back = await venue.captive.get(away.headers.get('location')!, { cookie: cookiesOf(away) });
    expect(back.html).toMatch(/name="room_number"[^>]*value="101"/);
    expect(back.html).toMatch(/name="last_name"[^>]*value="kaya"/);
  });

  test('is what the Enter key buys where it is the chosen way', async () => {
    // Enter presses a button without a name, so a field says the way.
    const only = await summary();
    expect(wayOf(only.html, 'room')).toContain('hidden');
    const body = { name: 'Test', location_id: venue.location, integration_id: 'test-payment' };
    const params = { connection: { type: 'test-payment' } };
    const { id } = await venue.create('panel/integration', { ...body, params });
    const both = await summary();
    expect([wayOf(both.html, 'card'), wayOf(both.html, 'room')].map(it => it.includes('checked'))).toEqual([
      true,
      false,
    ]);
    expect(both.html).not.toMatch(/<button[^>]*name="pay"/);
    const typed = {
      state: stateOf(both.html),
      lang: 'en',
      email: newEmail(),
      pay: 'room',
      room_number: '101',
      last_name: 'x',
    };
    const wrong = await venue.captive.post(buyAt(), typed);
    expect(wayOf(wrong.html, 'room')).toContain('checked');
    expect((await venue.api.delete(`panel/integration/${id}`, { token: venue.admin })).status).toBeLessThan(300);
  });

  test('is found although the process died after it queued the charge', async () => {
    const email = newEmail();
    const page = await summary();
    const body = { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...kaya };
    const before = (await charges()).length;
    await venue.captive.post(buyAt(), body);
    await venue.run(sql`update purchases set reference = null, asked_at = now() where email = ${email}`);
    const again = await venue.captive.post(buyAt(), body);
    expect([again.status, again.headers.get('location')]).toEqual([303, `/w/${venue.nas}/pay?check=1&lang=en`]);
    expect((await answered(cookiesOf(again))).status).toBe(303);
    expect(await charges()).toHaveLength(before + 1);
  });

  test('is kept for as long as its charge is in doubt', async () => {
    pms.answer = 'RY';
    const [email, old] = [newEmail(), newEmail()];
    await order(email, kaya);
    await order(old, { room_number: '103', last_name: 'siskin' });
    const both = sql`email in (${email}, ${old})`;
    const refused = sql`
      select 1 from room_charges where answer = 'RY' and purchase_id in (select id from purchases where ${both})`;
    await eventually(async () => expect(await venue.rows(refused)).toHaveLength(2));
    await venue.run(sql`
      update room_charges set state = 'unknown', give_up_at = null, next_at = 'infinity'
      where purchase_id in (select id from purchases where ${both})`);
    await venue.run(sql`update purchases set created_at = now() - interval '40 days' where ${both}`);
    // As an older version has left it.
    await venue.run(sql`update purchases set state = 'failed' where email = ${old}`);
    await reconcile();
    await packageJobs[1]!.run(venue.api.app);
    expect([await purchase(email), await purchase(old)]).toMatchObject([{ state: 'open' }, { state: 'failed' }]);
    for (const it of (await charges()).filter(row => row['state'] === 'unknown')) {
      const at = `panel/integration/${integration}/room-charges/${it['id']}/settle`;
      expect((await venue.api.post(at, { token: venue.admin, body: { outcome: 'posted' } })).status).toBe(200);
    }
    await answerNow();
    await reconcile();
    expect([await purchase(email), await purchase(old)]).toMatchObject([{ state: 'paid' }, { state: 'paid' }]);
  });

  test('that was given up before its charge was queued charges nothing when its page is sent again', async () => {
    pms.answer = 'RY';
    const email = newEmail();
    const page = await summary();
    const body = { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...kaya };
    await venue.captive.post(buyAt(), body);
    const { id } = await purchase(email);
    // As if the process had died between the two.
    await venue.run(sql`delete from room_charges where purchase_id = ${id}`);
    await venue.run(
      sql`update purchases set reference = null, created_at = now() - interval '2 minutes' where id = ${id}`,
    );
    await venue.run(sql`update purchases set state = 'failed' where id = ${id}`);
    const before = (await charges()).length;
    const again = await venue.captive.post(buyAt(), body);
    expect([again.status, again.html.includes('does not put this on the bill of your room')]).toEqual([422, true]);
    expect(await charges()).toHaveLength(before);
    // The page has a new purchase.
    const anew = await venue.captive.post(buyAt(), { ...body, state: stateOf(again.html) });
    expect(anew.status).toBe(303);
    expect(await charges()).toHaveLength(before + 1);
    await answerNow();
    await eventually(async () => {
      await payPage(cookiesOf(anew));
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
    expect(await venue.rows(sql`select state from purchases where id = ${id}`)).toEqual([{ state: 'failed' }]);
    await allPosted();
  }, 60_000);

  test('that was given up while its charge may reach the bill leads back to itself', async () => {
    pms.answer = 'RY';
    const email = newEmail();
    await order(email, kaya);
    // As an older version has left it.
    await venue.run(sql`update purchases set state = 'failed' where email = ${email}`);
    const before = (await charges()).length;
    const other = newEmail();
    const again = await order(other, kaya);
    expect([again.status, again.headers.get('location')]).toEqual([303, `/w/${venue.nas}/pay?check=1&lang=en`]);
    expect(await charges()).toHaveLength(before);
    expect(await purchase(other)).toBeUndefined();
    await answerNow();
    await eventually(async () => {
      await payPage(cookiesOf(again));
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
    await allPosted();
  }, 60_000);

  test('sent twice at once is one charge', async () => {
    const email = newEmail();
    const before = pms.bill.length;
    const page = await summary();
    const body = { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...kaya };
    const both = await Promise.all([1, 2].map(() => venue.captive.post(buyAt(), body)));
    expect(both.map(it => it.status)).toEqual([303, 303]);
    await eventually(() => expect(pms.bill).toHaveLength(before + 1));
    await answered(cookiesOf(both[0]!));
    expect(pms.bill).toHaveLength(before + 1);
    expect(await venue.rows(sql`select 1 from purchases where email = ${email}`)).toHaveLength(1);
  });

  test('is refused by the hotel: the guest sees it, nothing is given, and it cannot be sent again', async () => {
    pms.answer = 'NP';
    const email = newEmail();
    const answer = await order(email, { room_number: '103', last_name: 'siskin' });
    const page = await answered(cookiesOf(answer));
    pms.answer = 'OK';
    expect([page.status, page.html.includes('does not put this on the bill of your room')]).toEqual([422, true]);
    expect(await purchase(email)).toMatchObject({ state: 'failed', reported: 'NP', visitor: null });
    expect(
      await venue.rows(sql`select 1 from sales s join purchases b on b.id = s.purchase_id where b.email = ${email}`),
    ).toEqual([]);
    const [charge] = await charges();
    expect(charge).toMatchObject({ state: 'refused', answer: 'NP' });
    const at = `panel/integration/${integration}/room-charges/${charge!['id']}/settle`;
    const again = await venue.api.post(at, { token: venue.admin, body: { outcome: 'again' } });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['outcome']]);
  });

  test('needs the right surname of a guest who is in the house, and a room that takes charges', async () => {
    const before = pms.bill.length;
    const email = newEmail();
    for (const [fields, text] of [
      [{}, 'Something is missing'],
      [{ room_number: '101' }, 'Something is missing'],
      [{ room_number: '101', last_name: 'Demir' }, 'These details do not match'],
      [{ room_number: '999', last_name: 'Kaya' }, 'These details do not match'],
      [{ room_number: '102', last_name: 'Sade' }, 'does not put this on the bill of your room'],
    ] as const) {
      const answer = await order(email, fields as Record<string, string>);
      expect([answer.status, answer.html.includes(text)], JSON.stringify(fields)).toEqual([422, true]);
    }
    expect(await purchase(email)).toBeUndefined();
    expect(pms.bill).toHaveLength(before);
  });

  test('cannot be had by guessing, and guesses count together with those at the sign-in', async () => {
    let last = 0;
    for (let i = 0; i < 22; i += 1) {
      venue.newMac();
      if (i === 21) await holdBlocks(venue.api.app);
      const typed = { room_number: '303', last_name: `Ad${String.fromCharCode(97 + i)}` };
      last =
        i % 2
          ? (await venue.submit({ method: 'room-number', ...typed })).status
          : (await order(newEmail(), typed)).status;
    }
    expect(last).toBe(429);
    venue.newMac();
    expect((await order(newEmail(), { room_number: '303', last_name: 'Kaya' })).status).toBe(429);
  });

  test('needs nothing typed by the guest who is signed in with this browser; a copied address does not charge the room', async () => {
    const signed = await venue.submit({ method: 'room-number', ...kaya });
    expect(signed.status).toBe(303);
    const cookie = cookiesOf(signed);
    const page = await summary({ cookie });
    expect([page.html.includes('Charge to room 101'), page.html.includes('name="room_number"')]).toEqual([true, false]);
    const email = newEmail();
    const stranger = await order(email, {});
    expect([stranger.status, stranger.html.includes('Something is missing')]).toEqual([422, true]);
    const answer = await order(email, {}, { cookie });
    expect(answer.status, answer.html).toBe(303);
    const paid = await answered([cookie, cookiesOf(answer)].join('; '));
    expect(paid.status, paid.html).toBe(303);
    expect(await purchase(email)).toMatchObject({ state: 'paid', provider: 'room' });
  });

  test('costs the price on the page; the form cannot change it', async () => {
    const email = newEmail();
    const page = await summary();
    const state = stateOf(page.html);
    const more = { amount: '1', price: '1', days: '1' };
    const answer = await venue.captive.post(buyAt(), { state, lang: 'en', email, pay: 'room', ...kaya, ...more });
    expect(answer.status).toBe(303);
    await answered(cookiesOf(answer));
    expect(await purchase(email)).toMatchObject({ amount: 1497, days: 3 });
    const forged = await venue.captive.post(buyAt(), { state: `${state}x`, lang: 'en', email, pay: 'room', ...kaya });
    expect(forged.status).toBe(400);
  });

  test('that the hotel does not hear of in time is given up, and never sent', async () => {
    pms.send('NS', { DA: '261124', TI: '230000' });
    const before = pms.bill.length;
    const email = newEmail();
    const answer = await order(email, kaya);
    await venue.run(sql`
      update room_charges set give_up_at = now() - interval '1 second'
      where purchase_id = (select id from purchases where email = ${email})`);
    pms.send('NE', { DA: '261124', TI: '231000' });
    await new Promise(resolve => setTimeout(resolve, 2500));
    expect(pms.bill).toHaveLength(before);
    const page = await answered(cookiesOf(answer));
    expect(page.status).toBe(422);
    expect(await purchase(email)).toMatchObject({ state: 'failed' });
    expect(pms.bill).toHaveLength(before);
  });

  test('whose guest closed the page is finished by the job', async () => {
    const email = newEmail();
    const before = pms.bill.length;
    await order(email, kaya);
    await eventually(() => expect(pms.bill).toHaveLength(before + 1));
    await eventually(async () => {
      await reconcile();
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
  });

  test('whose refund the hotel refuses stays paid, and can be refunded later, once', async () => {
    const email = newEmail();
    await answered(cookiesOf(await order(email, kaya)));
    const { id } = await purchase(email);
    const count = pms.bill.length;
    pms.answer = 'CO';
    await refund(id);
    await eventually(async () => {
      await reconcile();
      expect(await purchase(email)).toMatchObject({ state: 'paid' });
    });
    pms.answer = 'OK';
    expect(await visitorOf(email)).toMatchObject([{ runs: true }]);
    await refund(id);
    await eventually(async () => {
      await reconcile();
      expect(await purchase(email)).toMatchObject({ state: 'refunded' });
    });
    expect(pms.bill.slice(count).map(it => it.amount)).toEqual([-1497]);
    expect(
      (await charges())
        .filter(it => it['amount'] < 0)
        .map(it => it['state'])
        .slice(0, 2),
    ).toEqual(['posted', 'cancelled']);
  }, 60_000);
});
