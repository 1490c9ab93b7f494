import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { cookiesOf, stateOf } from '#features/guests/testing/venue.ts';
import { packageJobs } from '#features/packages/public.ts';
import { eventually, kaya, startHotel } from './testing/hotel.ts';

const {
  venue,
  pms,
  integration,
  reconcile,
  newEmail,
  buyAt,
  summary,
  order,
  payPage,
  answered,
  purchase,
  charges,
  answerNow,
  allPosted,
} = await startHotel();

/** Ordering again leads to the purchase that waits: its charge is the only one, and the hotel's answer pays it. */
async function expectOneCharge(email: string): Promise<void> {
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
}

describe('a purchase on the bill of a hotel room, while the hotel has not answered', () => {
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
    await answerNow();
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
    // A phone that changed its address has no cookie either.
    venue.newMac();
    await expectOneCharge(email);
    // Once it is booked, the guest may buy for another device.
    venue.newMac();
    const later = newEmail();
    const cookie = cookiesOf(await order(later, kaya));
    await eventually(async () => {
      await payPage(cookie);
      expect(await purchase(later)).toMatchObject({ state: 'paid' });
    });
  }, 60_000);

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

  test('is found although the process died after it queued the charge', async () => {
    const email = newEmail();
    const page = await summary();
    const body = { state: stateOf(page.html), lang: 'en', email, pay: 'room', ...kaya };
    const before = (await charges()).length;
    await venue.captive.form(buyAt(), body);
    await venue.run(sql`update purchases set reference = null, asked_at = now() where email = ${email}`);
    const again = await venue.captive.form(buyAt(), body);
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
    // The state that an older version left.
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
    await venue.captive.form(buyAt(), body);
    const { id } = await purchase(email);
    // The state after a process that died between the two writes.
    await venue.run(sql`delete from room_charges where purchase_id = ${id}`);
    await venue.run(
      sql`update purchases set reference = null, created_at = now() - interval '2 minutes' where id = ${id}`,
    );
    await venue.run(sql`update purchases set state = 'failed' where id = ${id}`);
    const before = (await charges()).length;
    const again = await venue.captive.form(buyAt(), body);
    expect([again.status, again.html.includes('cannot add this to your room bill')]).toEqual([422, true]);
    expect(await charges()).toHaveLength(before);
    // The page has a new purchase.
    const anew = await venue.captive.form(buyAt(), { ...body, state: stateOf(again.html) });
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
    // The state that an older version left.
    await venue.run(sql`update purchases set state = 'failed' where email = ${email}`);
    await expectOneCharge(email);
  }, 60_000);

  test('that the hotel does not hear of in time is given up, and never sent', async () => {
    pms.send('NS', { DA: '261124', TI: '230000' });
    const before = pms.bill.length;
    const email = newEmail();
    const answer = await order(email, kaya);
    await venue.run(sql`
      update room_charges set give_up_at = now() - interval '1 second'
      where purchase_id = (select id from purchases where email = ${email})`);
    // A later charge is sent after those before it.
    await order(newEmail(), { room_number: '103', last_name: 'siskin' });
    pms.send('NE', { DA: '261124', TI: '231000' });
    await eventually(() => expect(pms.bill.slice(before)).toMatchObject([{ room: '103' }]));
    const page = await answered(cookiesOf(answer));
    expect(page.status).toBe(422);
    expect(await purchase(email)).toMatchObject({ state: 'failed' });
    expect(pms.bill).toHaveLength(before + 1);
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
});
