import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';
import { forgetClosed } from '#features/integrations/payment/closed-accounts.queries.ts';
import { takeMails } from '#mail/testing.ts';
import type { Body } from '#test/harness.ts';
import * as queries from './purchases.queries.ts';
import { startShop } from './testing/shop.ts';

const { venue, day, read, post, purchases, purchaseOf, reconcile, newEmail, begin, confirm, decide, bought } =
  await startShop();

const inTenant = venue.api.inTenant;
const setBooks = (id: string, change: ReturnType<typeof sql>) =>
  venue.run(sql`update test_payments set ${change} where reference = ${id}`);
const set = (id: string, change: ReturnType<typeof sql>) =>
  venue.run(sql`update purchases set ${change} where id = ${id}`);
const check = async (id: string): Promise<Body> => (await post(`panel/purchase/${id}/check`)).body.data;
const salesOf = (id: string) =>
  venue.rows(sql`select days, total::float8, reason from sales where purchase_id = ${id} order by sold_at, id`);
const daysOf = async (email: string): Promise<[number, number]> => {
  const [{ visitor_id }] = (await purchaseOf(email)) as [Body];
  const { total_paid_day, session_end_at } = (await read(`panel/client/${visitor_id}`)).data;
  return [total_paid_day, Math.round((Date.parse(session_end_at) - Date.now()) / 86_400_000)];
};

describe('money that goes back', () => {
  test('in parts takes whole days each time, and the rest with the rest', async () => {
    const { purchase, email } = await bought(3);
    const { id } = purchase;
    const sold = { days: 3, total: 14.97, reason: '' };
    for (const [refunded, days, left] of [
      [498, 0, 3],
      [499, 1, 2],
      [1100, 1, 1],
    ] as const) {
      await setBooks(id, sql`refunded = ${refunded}`);
      expect(await check(id)).toMatchObject({ state: 'paid', returned: refunded });
      expect([(await salesOf(id)).at(-1)!['days'], await daysOf(email)]).toEqual([0 - days, [left, left]]);
    }
    // A smaller sum, and the same again, take nothing.
    for (const refunded of [1100, 900]) {
      await setBooks(id, sql`refunded = ${refunded}`);
      expect(await check(id)).toMatchObject({ returned: 1100 });
    }
    await setBooks(id, sql`refunded = 1497`);
    expect(await check(id)).toMatchObject({ state: 'refunded', returned: 1100, refund_reason: '' });
    const back = { reason: 'refund' };
    expect(await salesOf(id)).toEqual([
      sold,
      { ...back, days: 0, total: -4.98 },
      { ...back, days: -1, total: -0.01 },
      { ...back, days: -1, total: -6.01 },
      { ...back, days: -1, total: -3.97 },
    ]);
    await setBooks(id, sql`disputed = true`);
    expect(await check(id)).toMatchObject({ state: 'refunded' });
    expect(await salesOf(id)).toHaveLength(5);
  });

  test('before the payment is known gives no access that lasts', async () => {
    const back = [
      [sql`refunded = 998`, 'refunded', 0, 'refund'],
      [sql`disputed = true`, 'charged-back', 0, 'chargeback'],
      [sql`refunded = 499`, 'paid', 1, 'refund'],
    ] as const;
    for (const [change, state, mails, reason] of back) {
      venue.newMac();
      const email = newEmail();
      const { purchase } = await begin(email, 2);
      await takeMails(venue.api.app);
      await setBooks(purchase['id'], sql`state = 'paid', ${change}`);
      expect(await check(purchase['id'])).toMatchObject({ state, paid_at: expect.any(String) });
      const left = state === 'paid' ? 1 : 0;
      // Rounded to zero from below it is -0.
      expect((await daysOf(email)).map(it => it + 0)).toEqual([left, left]);
      expect((await salesOf(purchase['id'])).map(it => it['days'])).toEqual([2, left - 2]);
      expect((await salesOf(purchase['id'])).at(-1)).toMatchObject({ reason });
      expect(await takeMails(venue.api.app)).toHaveLength(mails);
    }
  });

  test('has the reason of the operator, or that the bank took it', async () => {
    const asked = await bought(1);
    await post(`panel/purchase/${asked.purchase['id']}/refund`, { reason: 'Çalışmadı' });
    venue.newMac();
    const taken = await bought(1);
    await setBooks(taken.purchase['id'], sql`disputed = true`);
    expect(await check(taken.purchase['id'])).toMatchObject({ state: 'charged-back', refunded_at: expect.any(String) });
    const reasons = [await salesOf(asked.purchase['id']), await salesOf(taken.purchase['id'])];
    expect(reasons.map(it => it.at(-1)!['reason'])).toEqual(['Çalışmadı', 'chargeback']);
    const audits = (await read(`panel/audit?subject_type=purchase&subject_id=${asked.purchase['id']}`)).data;
    expect(audits[0]).toMatchObject({ verb: 'reverse', after: { amount: 499, currency: 'eur', reason: 'Çalışmadı' } });
    const looked = (await read(`panel/audit?subject_type=purchase&subject_id=${taken.purchase['id']}`)).data;
    expect(looked[0]).toMatchObject({ verb: 'look-up', after: { state: ['paid', 'charged-back'] } });
  });

  test('is refused by the provider, or waits for it', async () => {
    const { purchase, email } = await bought(1);
    const { id } = purchase;
    const at = `panel/purchase/${id}/refund`;
    await setBooks(id, sql`state = 'open'`);
    const refused = await post(at, { reason: 'x' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['reason']]);
    expect(refused.text).toContain(id);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'paid', refunds: 1 });
    // Its account is gone.
    await set(id, sql`integration_id = null`);
    const gone = await post(at, { reason: 'x' });
    expect([gone.status, gone.text.includes('test-payment')]).toEqual([422, true]);
    expect(await daysOf(email)).toEqual([1, 1]);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'paid', refunds: 2 });
  });
});

describe('a payment', () => {
  test('for another purchase gives no access, and shows which one', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    const strange = `elsewhere-${'x'.repeat(80)}`;
    await setBooks(purchase['id'], sql`reference = ${strange}, state = 'paid'`);
    await set(purchase['id'], sql`reference = ${strange}`);
    expect(await check(purchase['id'])).toMatchObject({
      state: 'refused',
      problem: 'reference',
      reported: strange.slice(0, 64),
    });
    expect(await salesOf(purchase['id'])).toEqual([]);
  });

  test('that comes after the purchase was given up still counts', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    await set(purchase['id'], sql`created_at = now() - interval '1 day 1 minute'`);
    venue.newMac();
    const other = await begin(newEmail(), 1);
    await set(other.purchase['id'], sql`created_at = now() - interval '23 hours 59 minutes'`);
    await reconcile();
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'failed', check_at: null });
    expect(await check(other.purchase['id'])).toMatchObject({ state: 'open' });
    await decide(purchase, 'pay');
    expect(await check(purchase['id'])).toMatchObject({ state: 'paid', problem: null, paid_at: expect.any(String) });
    expect(await daysOf(email)).toEqual([1, 1]);
  });

  test('of an account that is gone or was exchanged changes nothing', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    await decide(purchase, 'pay');
    const [{ integration_id }] = (await purchaseOf(email)) as [Body];
    await set(purchase['id'], sql`integration_id = null`);
    expect(await check(purchase['id'])).toMatchObject({ state: 'open' });
    await set(purchase['id'], sql`integration_id = ${integration_id}`);
    expect(await check(purchase['id'])).toMatchObject({ state: 'paid' });
  });

  test('whose router was deleted meanwhile goes on at another one, else tells what became of it', async () => {
    const place = await startShop(await startVenue());
    place.venue.newMac();
    const { purchase, cookie } = await place.begin('gone@example.com', 2);
    const deviceId = purchase['device_id'] as string;
    const [old] = await place.venue.rows(sql`select * from devices where id = ${deviceId}`);
    const back = await place.decide(purchase, 'pay');
    expect((await place.venue.api.delete(`panel/device/${deviceId}`, { token: place.venue.admin })).status).toBe(204);
    const alone = await place.venue.captive.get(back, { cookie });
    expect([alone.status, alone.html.includes(purchase['id']), alone.html.includes('€9.98')]).toEqual([
      200,
      true,
      true,
    ]);
    expect(alone.html).toContain('Thank you for your purchase');
    expect((await place.purchaseOf('gone@example.com'))[0]).toMatchObject({ state: 'paid', device_id: null });
    for (const [state, said] of [
      ['open', 'check again'],
      ['failed', 'Nothing was bought'],
      ['refunded', 'The money goes back to you'],
    ] as const) {
      await place.venue.run(
        sql`update purchases set state = ${state}, integration_id = null where id = ${purchase['id']}`,
      );
      const page = await place.venue.captive.get(back, { cookie });
      expect([page.status, page.html.includes(said), page.html.includes(purchase['id'])]).toEqual([200, true, true]);
    }
    await place.venue.run(sql`update purchases set state = 'paid' where id = ${purchase['id']}`);
    const more = {
      name: 'Lobi 2',
      location_id: place.venue.location,
      brand_id: old!['brand_id'],
      mac_address: '02:00:00:00:77:01',
    };
    const router = await place.venue.create('panel/device', more);
    const led = await place.venue.captive.get(back, { cookie });
    expect(led.headers.get('location')).toBe(`/w/${router.nas_identifier}/pay?check=1&lang=en`);
    expect((await place.venue.captive.get(led.headers.get('location')!, { cookie })).status).toBeLessThan(400);
  });

  test('counts also if its account was deleted or exchanged meanwhile', async () => {
    const account = { name: 'Yeni', location_id: venue.location, integration_id: 'test-payment' };
    const exchange = async () => {
      const [{ id }] = await venue.rows(
        sql`select id from integrations where kind = 'test-payment' and location_id = ${venue.location}`,
      );
      expect((await venue.api.delete(`panel/integration/${id}`, { token: venue.admin })).status).toBe(204);
      await venue.create('panel/integration', { ...account, params: { connection: { type: 'test-payment' } } });
      return id as string;
    };
    const kept = async (id: string) => (await venue.rows(sql`select 1 from closed_accounts where id = ${id}`)).length;
    const forget = () => venue.api.app.db.withSystem(forgetClosed);
    const { purchase, cookie, email } = await begin(newEmail(), 2).then(it => ({ ...it, email: it.purchase['email'] }));
    // Those of other tests.
    await venue.run(sql`update purchases set state = 'failed' where state = 'open' and id <> ${purchase['id']}`);
    const old = await exchange();
    await forget();
    expect(await kept(old)).toBe(1);
    const back = await venue.captive.get(await decide(purchase, 'pay'));
    expect((await venue.captive.get(back.headers.get('location')!, { cookie })).status).toBe(303);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'paid', integration_id: old });
    expect(await daysOf(email)).toEqual([2, 2]);
    // Its credentials go as soon as nothing is open.
    await forget();
    expect(await kept(old)).toBe(0);
    const refused = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'x' });
    expect(refused.status, refused.text).toBe(422);
    // Nothing is kept of an account with which nobody pays.
    expect(await kept(await exchange())).toBe(0);
  });

  test('of an account that is gone takes no turn of the job any more', async () => {
    const { purchase, email } = await bought(1);
    await set(purchase['id'], sql`integration_id = null, check_at = now()`);
    await reconcile();
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'paid', check_at: null });
  });

  test('is asked about soon, then less often, and not for ever', async () => {
    const { purchase } = await begin(newEmail(), 1);
    const { id } = purchase;
    const minutes = async (change: ReturnType<typeof sql>) => {
      await set(id, change);
      await inTenant(tx => queries.scheduleCheck(tx, id));
      const [row] = await venue.rows(
        sql`select checks, round(extract(epoch from check_at - now()) / 60)::int as minutes from purchases where id = ${id}`,
      );
      return [row!['checks'], row!['minutes']];
    };
    const open = sql`state = 'open', created_at = now() - interval '23 hours', checks =`;
    expect(await minutes(sql`${open} 0`)).toEqual([1, 1]);
    expect(await minutes(sql`${open} 3`)).toEqual([4, 8]);
    expect(await minutes(sql`${open} 9`)).toEqual([10, 60]);
    expect(await minutes(sql`created_at = now() - interval '25 hours'`)).toEqual([11, null]);
    expect(await minutes(sql`state = 'refunding', checks = 2`)).toEqual([3, 4]);
    expect(await minutes(sql`state = 'refunding', checks = 20`)).toEqual([21, 60]);
    expect(await minutes(sql`state = 'paid', paid_at = now() - interval '119 days'`)).toEqual([22, 1440]);
    expect(await minutes(sql`state = 'paid', paid_at = now() - interval '121 days'`)).toEqual([23, null]);
    expect(await minutes(sql`state = 'refunded', paid_at = now()`)).toEqual([24, null]);
  });
});

describe('purchases', () => {
  test('are listed newest first by page, and found by their receipts while they run', async () => {
    const { purchase, email } = await bought(1);
    // The same purchase at other times, of which two are at once.
    for (const hours of [1, 2, 2, 3, 4, 5])
      await venue.run(sql`
        insert into purchases (id, location_id, device_id, profile_id, visitor_id, provider, package, days, unit_price, amount, tax, tax_rate,
          currency, email, phone, language, code, code_hash, state, created_at, paid_at)
        select new_id(), location_id, device_id, profile_id, visitor_id, provider, package, days, unit_price, amount, tax, tax_rate,
          currency, email, '+905321110000', language, code, uuid_send(gen_random_uuid()), 'paid',
          date_trunc('hour', now()) - make_interval(hours => ${hours}), now()
        from purchases where id = ${purchase['id']}`);
    const all = await venue.rows(
      sql`select id from purchases where email = ${email} order by created_at desc, id desc`,
    );
    const ids = all.map(it => it['id'] as string);
    const page = async (query: string) => {
      const { data, meta } = await read(`panel/purchase?search=${email}&${query}`);
      return [data.map((it: Body) => it.id), meta.total];
    };
    expect(await page('')).toEqual([ids, 7]);
    expect(await page('per_page=3&page=2')).toEqual([ids.slice(3, 6), 7]);
    expect((await read('panel/purchase?search=%2B905321110000')).data).toHaveLength(6);
    const running = (at: string, to: { email: string | null; phone: string | null }) =>
      inTenant(async tx => (await queries.findRunning(tx, at, to)).map(it => it.id));
    const newest = (await running(venue.location, { email, phone: null })).map(id => ids.indexOf(id));
    expect([newest.slice(0, 2), newest.slice(2, 4).sort(), newest.slice(4)]).toEqual([[0, 1], [2, 3], [4]]);
    expect(await running(venue.location, { email: null, phone: '+905321110000' })).toHaveLength(5);
    expect(await running(day['id'], { email, phone: null })).toEqual([]);
    await venue.run(sql`update purchases set state = 'refunded' where id = any(${ids.slice(1)})`);
    expect(await running(venue.location, { email, phone: null })).toEqual([ids[0]]);
    const { visitor_id } = (await purchaseOf(email))[0]!;
    await venue.run(sql`update visitors set session_end_at = now() where id = ${visitor_id}`);
    expect(await running(venue.location, { email, phone: null })).toEqual([]);
    await venue.run(sql`update visitors set session_end_at = null where id = ${visitor_id}`);
    expect(await running(venue.location, { email, phone: null })).toEqual([ids[0]]);
    expect((await purchases()).length).toBeGreaterThan(6);
  });

  test('are found by any of the ids that a notification may name, for its own account only', async () => {
    const { purchase, email } = await bought(1);
    const { id } = purchase;
    const [{ integration_id: account, payment }] = (await purchaseOf(email)) as [Body];
    await set(id, sql`reference = 'checkout-7'`);
    const found = (hint: { id?: string; reference?: string; payment?: string }, of: string = account) =>
      inTenant(async tx => (await queries.findHinted(tx, of, hint))?.id);
    for (const hint of [{ id }, { reference: 'checkout-7' }, { payment }]) {
      expect(await found(hint), JSON.stringify(hint)).toBe(id);
      expect(await found(hint, day['id'])).toBeUndefined();
    }
    expect([await found({}), await found({ reference: 'other', id }), await found({ payment: 'other', id })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('on the bill of a room are found while they may still reach it, the newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      venue.newMac();
      ids.push((await begin(newEmail(), 1)).purchase['id']);
    }
    const [old, newer, newest] = ids as [string, string, string];
    venue.newMac();
    const [{ visitor_id }] = (await purchaseOf((await bought(1)).email)) as [Body];
    const hotelGuest: string = visitor_id;
    const find = (except: string, more: { hotelGuest?: string; locationId?: string } = {}) =>
      inTenant(tx => queries.findCharging(tx, { hotelGuest, locationId: venue.location, except, ...more }));
    expect(await find(day['id'])).toBeUndefined();
    await venue.run(sql`update purchases set charged_visitor_id = ${hotelGuest} where id = any(${ids})`);
    await set(old, sql`created_at = now() - interval '1 hour'`);
    expect([await find(day['id']), await find(newest)]).toEqual([newest, newer]);
    expect([await find(old, { hotelGuest: day['id'] }), await find(old, { locationId: day['id'] })]).toEqual([
      undefined,
      undefined,
    ]);
    // One that was given up counts only as long as its charge may get onto the bill.
    await venue.run(sql`update purchases set state = 'failed' where id = any(${ids})`);
    expect(await find(newest)).toBeUndefined();
    await venue.run(sql`
      insert into room_charges (id, location_id, integration_id, key, reservation, amount, currency, words, purchase_id)
      select id, location_id, integration_id, 'k', '1', 499, 'eur', 'Wi-Fi', id from purchases where id = ${newer}`);
    for (const [state, found] of [
      ['waiting', newer],
      ['sent', newer],
      ['unknown', newer],
      ['refused', undefined],
      ['cancelled', undefined],
      ['posted', newer],
    ] as const) {
      await venue.run(sql`update room_charges set state = ${state}`);
      expect(await find(newest), state).toBe(found);
    }
    await venue.run(sql`delete from room_charges`);
  });

  test('that were never paid are forgotten after thirty days', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      venue.newMac();
      ids.push((await begin(newEmail(), 1)).purchase['id']);
    }
    await venue.run(
      sql`update purchases set state = 'failed', created_at = now() - interval '31 days' where id = any(${ids})`,
    );
    await set(ids[1]!, sql`created_at = now() - interval '29 days'`);
    await set(ids[2]!, sql`paid_at = now()`);
    await venue.api.app.db.withSystem(queries.forgetUnpaid);
    const left = await venue.rows(sql`select id from purchases where id = any(${ids})`);
    expect(left.map(it => it['id']).sort()).toEqual(ids.slice(1).sort());
  });

  test('have one checkout, which one request at a time may make', async () => {
    const { purchase } = await begin(newEmail(), 1);
    const { id } = purchase;
    const claim = () => inTenant(tx => queries.claimCheckout(tx, id));
    expect(await claim(), 'it has one').toBe(false);
    await set(id, sql`reference = null, asked_at = null`);
    expect([await claim(), await claim()]).toEqual([true, false]);
    await set(id, sql`asked_at = now() - interval '61 seconds'`);
    expect(await claim(), 'the process may have died').toBe(true);
    await set(id, sql`asked_at = null, state = 'failed'`);
    expect(await claim()).toBe(false);
  });
});

describe('a receipt', () => {
  const messages = async () => {
    const rows = await venue.rows(sql`select data, client_mac from sms_messages order by id`);
    return rows.map(it => JSON.parse(venue.api.app.secrets.decrypt(it['data'])) as { to: string; text: string });
  };
  const buy = async (more: object = {}) => {
    venue.newMac();
    const email = newEmail();
    const answer = await confirm(email, { days: 2, more: { phone: '0532 111 22 33', ...more } });
    expect(answer.status, answer.html).toBe(303);
    const [purchase] = await purchaseOf(email);
    await venue.captive.get(await decide(purchase!, 'pay'));
    return { email, code: venue.api.app.secrets.decrypt(purchase!['code']), id: purchase!['id'] as string };
  };

  test('has the amount, the tax, the order and the code', async () => {
    const { email, code, id } = await buy();
    const shown = `${code.slice(0, 5)}-${code.slice(5)}`;
    const mail = (await takeMails(venue.api.app)).find(it => it.to === email)!;
    for (const text of ['€9.98', '€1.66', '20%', id, shown, '2']) expect(mail.text, text).toContain(text);
    // Without a gateway the mail has to do.
    expect(await messages()).toEqual([]);
  });

  test('is sent by SMS as well, where there is a gateway and messages are left', async () => {
    const { settings } = venue.api.app;
    Object.assign(settings, { SMS_URL: 'http://127.0.0.1:9/{number}/{text}' });
    onTestFinished(() => void Object.assign(settings, { SMS_URL: undefined }));
    await venue.run(sql`update locations set sms_limit = 1, sms_used = 0 where id = ${venue.location}`);
    const { code } = await buy();
    const text = expect.stringContaining(`Wi-Fi: €9.98 paid. Receipt code: ${code.slice(0, 5)}-${code.slice(5)}`);
    expect(await messages()).toEqual([{ to: '+905321112233', text }]);
    expect(await venue.rows(sql`select client_mac from sms_messages`)).toEqual([{ client_mac: venue.mac }]);
    await buy();
    expect(await messages(), 'none left').toHaveLength(1);
  });

  test('leaves out the tax where the venue has none', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    await set(purchase['id'], sql`tax = 0, tax_rate = 0`);
    await venue.captive.get(await decide(purchase, 'pay'));
    const { text } = (await takeMails(venue.api.app)).find(it => it.to === email)!;
    expect([text.includes('€4.99'), text.includes('0%'), text.includes('€0')]).toEqual([true, false, false]);
  });
});
