import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { cookiesOf, stateOf } from '#features/guests/testing/venue.ts';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { eventually, kaya, startHotel, usernameIn } from './testing/hotel.ts';

const {
  venue,
  pms,
  integration,
  day,
  reconcile,
  newEmail,
  buyAt,
  query,
  summary,
  order,
  payPage,
  answered,
  purchase,
  refund,
  charges,
  saleOf,
  wayOf,
  visitorOf,
} = await startHotel();

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
    const before = pms.bill.length;
    const bill = () => pms.bill.slice(before);
    pms.breaksAfterPosting = 1;
    const answer = await order(email, kaya);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/w/${venue.nas}/pay?check=1&lang=en`]);
    const cookie = cookiesOf(answer);
    // The same page, sent again.
    await eventually(() => expect(pms.breaksAfterPosting).toBe(0));
    pms.breaksAfterPosting = 1;
    const waiting = await payPage(cookie);
    if (waiting.status === 200) expect(waiting.html).toContain('adding it to your room bill');
    const page = await answered(cookie);
    expect(page.status, page.html).toBe(303);
    expect(bill()).toMatchObject([{ room: '101', reservation: '1', amount: 1497 }]);
    expect((await charges()).slice(0, 1)).toMatchObject([
      { state: 'posted', amount: 1497, currency: 'eur', attempts: 3, visitor: { name: 'Ali Kaya' } },
    ]);
    expect((await venue.routerAccepts(usernameIn(page.headers.get('location')))).outcome).toBe('accept');
    const bought = await purchase(email);
    expect(bought).toMatchObject({ state: 'paid', provider: 'room', amount: 1497, tax: 250, currency: 'eur' });
    expect(await saleOf(bought['id'])).toMatchObject({ total: 14.97, room_charge: 'posted' });
    expect(await visitorOf(email)).toMatchObject([{ runs: true }]);

    pms.breaksAfterPosting = 1;
    expect((await refund(bought['id'])).body.data.state).toBe('refunding');
    await eventually(() => expect(bill().map(it => it.amount)).toEqual([1497, -1497]));
    await eventually(async () => {
      await reconcile();
      expect(await purchase(email)).toMatchObject({ state: 'refunded' });
    });
    expect(await visitorOf(email)).toMatchObject([{ runs: false }]);
    expect(bill()).toHaveLength(2);
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

  test('from two pages at once is one charge', async () => {
    const before = pms.bill.length;
    const pages = await Promise.all([summary(), summary()]);
    const email = newEmail();
    const both = await Promise.all(
      pages.map(page =>
        venue.captive.form(buyAt(), { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...kaya }),
      ),
    );
    expect(both.map(it => it.status)).toEqual([303, 303]);
    await answered(cookiesOf(both[0]!));
    expect(pms.bill).toHaveLength(before + 1);
  }, 30_000);

  test('keeps room and surname while the guest looks at another language', async () => {
    const page = await summary();
    const body = { state: stateOf(page.html), lang: 'en', email: 'a@example.com', pay: 'room', go: 'tr', ...kaya };
    const away = await venue.captive.form(buyAt(), body);
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
    const wrong = await venue.captive.form(buyAt(), typed);
    expect(wayOf(wrong.html, 'room')).toContain('checked');
    expect((await venue.api.delete(`panel/integration/${id}`, { token: venue.admin })).status).toBeLessThan(300);
  });

  test('sent twice at once is one charge', async () => {
    const email = newEmail();
    const before = pms.bill.length;
    const page = await summary();
    const body = { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...kaya };
    const both = await Promise.all([1, 2].map(() => venue.captive.form(buyAt(), body)));
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
    expect([page.status, page.html.includes('cannot add this to your room bill')]).toEqual([422, true]);
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
      [{ room_number: '102', last_name: 'Sade' }, 'cannot add this to your room bill'],
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
    const answer = await venue.captive.form(buyAt(), { state, lang: 'en', email, pay: 'room', ...kaya, ...more });
    expect(answer.status).toBe(303);
    await answered(cookiesOf(answer));
    expect(await purchase(email)).toMatchObject({ amount: 1497, days: 3 });
    const forged = await venue.captive.form(buyAt(), { state: `${state}x`, lang: 'en', email, pay: 'room', ...kaya });
    expect(forged.status).toBe(400);
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
