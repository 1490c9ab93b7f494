import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '#db/tenant.ts';
import { expectAgo, noteBegin } from '#features/sessions/testing/ago.ts';
import { newId } from '#lib/ids.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import * as queries from './room-charges.queries.ts';
import {
  chargePurchase,
  chargeRoom,
  readPurchaseCharge,
  takeBackCharge,
  takeBackPurchase,
} from './room-charges.service.ts';

/** The queue of charges, as links to hotel systems read and write it. There is no hotel system here. */

let api: TestApi;
let token: string;
let location: string;
/** Each test has its own hotel with a guest in room 101, and another hotel beside it. */
let hotel: string;
let other: string;
let guest: string;

noteBegin();
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Otel');
});
beforeEach(async () => {
  [hotel, other] = [await newHotel(), await newHotel()];
  const form = {
    name: 'Ali Kaya',
    provider_type: 'username',
    username: `kaya-${hotel.slice(-12)}`,
    password: 'parola-1',
  };
  const made = await api.post('panel/client', { token, body: { ...form, location_id: location } });
  expect(made.status, made.text).toBe(201);
  guest = made.body.data.id;
  await run(sql`update visitors set room_number = '101' where id = ${guest}`);
  await run(sql`insert into hotel_links (integration_id, location_id, currency) values (${hotel}, ${location}, 'eur')`);
  await run(sql`
    insert into hotel_stays (visitor_id, location_id, integration_id, external_id, reservation)
    values (${guest}, ${location}, ${hotel}, '1', 'R1')`);
});

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => api.inTenant(work);
const run = (statement: ReturnType<typeof sql>) => inTenant(tx => tx.run(statement));
/** The queue does not ask of which kind the integration is. */
async function newHotel(): Promise<string> {
  const params = { connection: { type: 'webhook', url: 'https://example.com/', events: ['guest.online'] } };
  const body = { name: 'Opera', location_id: location, integration_id: 'webhook', params };
  return (await api.post('panel/integration', { token, body })).body.data.id;
}

async function charge(more: Partial<queries.NewCharge> = {}): Promise<string> {
  const id = newId();
  const it = { id, key: id, locationId: location, integrationId: hotel, visitorId: guest, saleId: null };
  const about = { reservation: 'R1', amount: 500, currency: 'eur', words: 'Wi-Fi' };
  await inTenant(tx => queries.insertCharge(tx, { ...it, ...about, ...more }));
  return id;
}
const set = (id: string, change: ReturnType<typeof sql>) =>
  run(sql`update room_charges set ${change} where id = ${id}`);
const row = (id: string) => inTenant(tx => tx.one<Body>(sql`select * from room_charges where id = ${id}`));
const take = (repeats = true, most = 3, of = hotel) => inTenant(tx => queries.takeCharge(tx, of, repeats, most));
const answer = (number: number, it: queries.Answer, of = hotel) =>
  inTenant(tx => queries.answerCharge(tx, of, number, it, 60));
const list = (query = '', of = hotel, as = token) =>
  api.get(`panel/integration/${of}/room-charges?${query}`, { token: as });
const settle = (id: string, outcome: string, of = hotel, as = token) =>
  api.post(`panel/integration/${of}/room-charges/${id}/settle`, { token: as, body: { outcome } });

async function purchase(amount = 1000): Promise<string> {
  const id = newId();
  await run(sql`
    insert into purchases (id, location_id, provider, package, days, unit_price, amount, tax, tax_rate, currency, language, code, code_hash)
    values (${id}, ${location}, 'room', 'Day', 2, 500, ${amount}, 0, 0, 'eur', 'en', '', ${Buffer.from(id)})`);
  return id;
}
async function sale(): Promise<string> {
  const id = newId();
  await run(sql`
    insert into sales (id, location_id, visitor_id, days, unit_price, total, currency, sold_on)
    values (${id}, ${location}, ${guest}, 1, 5, 5, 'eur', now())`);
  return id;
}
const order = (purchaseId: string) => ({ purchaseId, visitorId: guest, amount: 1000, currency: 'eur', words: 'Wi-Fi' });
const charges = () =>
  inTenant(tx => tx.many<Body>(sql`select * from room_charges where integration_id = ${hotel} order by id`));

describe('a charge that waits', () => {
  test('is sent when the one before it has its answer, the oldest first, under the next number', async () => {
    const [first, second] = [await charge(), await charge({ amount: 700, words: 'Two', visitorId: null })];
    const began = Math.floor(Date.now() / 1000) % 100_000_000;
    const sent = await take();
    expect(sent).toMatchObject({
      id: first,
      in_doubt: false,
      reservation: 'R1',
      room: '101',
      amount: 500,
      words: 'Wi-Fi',
    });
    expect(sent).toMatchObject({ charge: null, sent_at: expect.anything() });
    expect(Math.abs(sent!.number - began)).toBeLessThan(600);
    expect(await row(first)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(await take()).toBeUndefined();
    await answer(sent!.number, { state: 'posted', bill: 'B7' });
    expect(await row(first)).toMatchObject({
      state: 'posted',
      bill: 'B7',
      answer: null,
      answered_at: expect.anything(),
    });
    const then = await take();
    expect(then).toMatchObject({ id: second, room: null, words: 'Two' });
    // The next number, or that of the clock where it has gone on meanwhile.
    expect(then!.number).toBeGreaterThan(sent!.number);
    await answer(then!.number, { state: 'refused', answer: 'NP' });
    expect(await row(second)).toMatchObject({ state: 'refused', bill: null, answer: 'NP' });
    // A number far ahead of the clock is not used twice.
    await set(second, sql`number = 4000000000`);
    await charge();
    expect((await take())!.number).toBe(4_000_000_001);
  });

  test('does not wait for another hotel, and is not sent to it', async () => {
    const [mine, theirs] = [await charge(), await charge({ integrationId: other })];
    expect(await take(true, 3, other)).toMatchObject({ id: theirs });
    expect(await take(true, 3, other)).toBeUndefined();
    const sent = await take();
    expect(sent).toMatchObject({ id: mine });
    await set(theirs, sql`number = ${sent!.number}`);
    await answer(sent!.number, { state: 'posted' }, other);
    expect([(await row(mine)).state, (await row(theirs)).state]).toEqual(['sent', 'posted']);
  });

  test('is not sent before its time, nor when its guest no longer waits', async () => {
    const id = await charge({ giveUpIn: 600 });
    await set(id, sql`next_at = now() + interval '1 minute'`);
    expect(await take()).toBeUndefined();
    await set(id, sql`next_at = now(), give_up_at = now()`);
    expect(await take()).toBeUndefined();
    await set(id, sql`give_up_at = now() + interval '1 minute'`);
    expect(await take()).toMatchObject({ id });
  });

  test('is the same charge when it is queued again', async () => {
    await charge({ key: 'sale:1' });
    await charge({ key: 'sale:1', amount: 900 });
    await charge({ key: 'sale:1', integrationId: other });
    expect(await charges()).toMatchObject([{ amount: 500 }]);
  });

  test('waits again after a busy hotel system, for as long as it is told', async () => {
    const id = await charge();
    const { number } = (await take())!;
    await answer(number, { state: 'waiting', answer: 'RY' });
    const { next_at, ...after } = await row(id);
    expect(after).toMatchObject({ state: 'waiting', answer: 'RY', number, bill: null });
    expectAgo(next_at, -60);
    // An answer to a charge that was not sent changes nothing.
    await answer(number, { state: 'posted' });
    expect(await row(id)).toMatchObject({ state: 'waiting', answer: 'RY' });
  });
});

describe('a charge without an answer', () => {
  const doubt = (olderThan: number, of = hotel) =>
    inTenant(tx => queries.doubtCharges(tx, of, { olderThan, retryIn: 0 }));

  test('is in doubt once it is old enough, and is not given up any more', async () => {
    const id = await charge({ giveUpIn: 600 });
    await take();
    await doubt(3600);
    await doubt(0, other);
    expect(await row(id)).toMatchObject({ state: 'sent', give_up_at: expect.anything() });
    await doubt(0);
    expect(await row(id)).toMatchObject({ state: 'unknown', give_up_at: null });
    const posted = await charge();
    await set(posted, sql`state = 'posted'`);
    await doubt(0);
    expect((await row(posted)).state).toBe('posted');
  });

  test('is repeated under its number, so often, and only to a system that tells repeated postings', async () => {
    const id = await charge();
    const { number, sent_at } = (await take())!;
    await doubt(0);
    expect([await take(false), await take(true, 1)]).toEqual([undefined, undefined]);
    expect(await take(true, 2)).toMatchObject({ id, number, in_doubt: true, sent_at });
    await doubt(0);
    expect(await take(true, 2)).toBeUndefined();
    // The answer may come late.
    await answer(number, { state: 'posted' });
    expect(await row(id)).toMatchObject({ state: 'posted', attempts: 2, bill: null });
    await answer(number, { state: 'refused', answer: 'NP' });
    expect((await row(id)).state).toBe('posted');
  });
});

describe('a charge of a sale', () => {
  const roomOf = (more: object = {}) => {
    const it = { key: 'sale', visitorId: guest, saleId: null, amount: 500, currency: 'eur', words: 'Wi-Fi' };
    return inTenant(tx => chargeRoom(tx, { ...it, ...more }));
  };

  test('needs a guest who is in a hotel that takes charges in this currency', async () => {
    for (const wrong of [{ amount: 0 }, { currency: 'usd' }, { visitorId: newId() }])
      expect(await roomOf(wrong), JSON.stringify(wrong)).toBe(false);
    for (const [off, on] of [
      [sql`update hotel_stays set left_at = now()`, sql`update hotel_stays set left_at = null`],
      [sql`update hotel_stays set no_charges = true`, sql`update hotel_stays set no_charges = false`],
      [sql`update hotel_links set currency = null`, sql`update hotel_links set currency = 'eur'`],
    ] as const) {
      await run(off);
      expect(await roomOf()).toBe(false);
      await run(on);
    }
    expect(await charges()).toEqual([]);
    expect(await roomOf()).toBe(true);
    expect(await charges()).toMatchObject([
      { amount: 500, reservation: 'R1', visitor_id: guest, location_id: location, state: 'waiting', give_up_at: null },
    ]);
  });

  test('is taken back once from the bill that has it, or may have it', async () => {
    const [saleId, reversalId] = [await sale(), await sale()];
    const takeBack = (amount: number) => inTenant(tx => takeBackCharge(tx, { saleId, reversalId, amount }));
    await takeBack(300);
    const id = await charge({ saleId });
    for (const state of ['refused', 'cancelled']) {
      await set(id, sql`state = ${state}`);
      await takeBack(300);
    }
    await set(id, sql`state = 'unknown'`);
    await takeBack(0);
    expect(await charges()).toHaveLength(1);
    for (let n = 0; n < 2; n++) await takeBack(300);
    const [, back] = await charges();
    expect(await charges()).toHaveLength(2);
    expect(back).toMatchObject({ amount: -300, sale_id: reversalId, takes_back: id, key: `reversal:${reversalId}` });
    expect(back).toMatchObject({ reservation: 'R1', visitor_id: guest, currency: 'eur', words: 'Wi-Fi' });
    await set(id, sql`state = 'posted', number = 7, bill = 'B7'`);
    expect((await take())!.charge).toEqual({ id, number: 7, bill: 'B7' });
  });
});

describe('what takes a charge off the bill', () => {
  const queued = async () => {
    const [saleId, reversalId] = [await sale(), await sale()];
    const id = await charge({ saleId });
    const { number } = (await take())!;
    await inTenant(tx => takeBackCharge(tx, { saleId, reversalId, amount: 500 }));
    const [, back] = await charges();
    return { id, number, back: back!['id'] as string };
  };

  test('is not sent while the bill does not have it, so that no guest gets money for nothing', async () => {
    const { id, number, back } = await queued();
    await answer(number, { state: 'refused', answer: 'NP' });
    expect(await take()).toBeUndefined();
    expect((await settle(id, 'again')).status).toBe(200);
    const again = (await take())!;
    expect(again.id).toBe(id);
    expect(await take()).toBeUndefined();
    await answer(again.number, { state: 'posted' });
    expect(await take()).toMatchObject({ id: back, amount: -500 });
  });

  test('goes with a charge that an operator gives up', async () => {
    const { id, number, back } = await queued();
    await answer(number, { state: 'refused', answer: 'NP' });
    expect((await settle(id, 'cancelled')).status).toBe(200);
    expect([await take(), (await row(back))['state']]).toEqual([undefined, 'cancelled']);
  });
});

describe('a charge of a purchase', () => {
  test('is queued once, while the purchase is open and its guest may be charged', async () => {
    const id = await purchase();
    const ask = (more: object = {}) => inTenant(tx => chargePurchase(tx, { ...order(id), ...more }));
    for (const wrong of [{ amount: 0 }, { currency: 'usd' }, { visitorId: newId() }])
      expect(await ask(wrong), JSON.stringify(wrong)).toBe(false);
    await run(sql`update purchases set state = 'failed' where id = ${id}`);
    expect(await ask()).toBe(false);
    expect(await charges()).toEqual([]);
    await run(sql`update purchases set state = 'open' where id = ${id}`);
    expect([await ask(), await ask()]).toEqual([true, true]);
    // The answer may have closed it meanwhile.
    await run(sql`update purchases set state = 'paid' where id = ${id}`);
    expect(await ask()).toBe(true);
    const all = await charges();
    expect(all).toMatchObject([{ key: `purchase:${id}`, amount: 1000, purchase_id: id, sale_id: null }]);
    expectAgo(all[0].give_up_at, -600);
    const saleId = await sale();
    const back = await charge({ amount: -1000, purchaseId: id });
    await inTenant(tx => queries.setChargedSale(tx, id, saleId));
    expect([(await row(all[0].id)).sale_id, (await row(back)).sale_id]).toEqual([saleId, null]);
  });

  test('is given up when its guest no longer waits, but not once it was sent', async () => {
    const id = await purchase();
    const charged = await charge({ purchaseId: id, giveUpIn: 600 });
    const another = await charge({ purchaseId: await purchase(), giveUpIn: -1 });
    const state = async () => (await inTenant(tx => readPurchaseCharge(tx, id)))!.state;
    expect(await state()).toBe('waiting');
    await set(charged, sql`give_up_at = now() - interval '1 second'`);
    for (const kept of ['sent', 'unknown', 'posted']) {
      await set(charged, sql`state = ${kept}`);
      expect(await state()).toBe(kept);
    }
    await set(charged, sql`state = 'waiting'`);
    expect(await state()).toBe('cancelled');
    expect(await row(charged)).toMatchObject({ answered_at: expect.anything() });
    expect((await row(another)).state).toBe('waiting');
  });

  test('tells what the hotel has taken off the bill', async () => {
    const [id, stranger] = [await purchase(), await purchase()];
    await charge({ purchaseId: id, amount: 1000 });
    const read = () => inTenant(tx => readPurchaseCharge(tx, id));
    expect(await read()).toMatchObject({ amount: 1000, taken_back: 0 });
    for (const [amount, state, purchaseId] of [
      [-300, 'posted', id],
      [-200, 'posted', id],
      [-400, 'refused', id],
      [-500, 'posted', stranger],
    ] as const)
      await set(await charge({ purchaseId, amount }), sql`state = ${state}`);
    expect(await read()).toMatchObject({ amount: 1000, taken_back: 500 });
  });

  test('is taken back once for each request, and the refused request before it is over', async () => {
    const id = await purchase();
    const takeBack = (request: number) => inTenant(tx => takeBackPurchase(tx, id, request));
    expect(await takeBack(1)).toBeUndefined();
    const charged = await charge({ purchaseId: id, amount: 1000 });
    const foreign = await charge({ purchaseId: await purchase(), amount: -1000 });
    await set(foreign, sql`state = 'refused'`);
    expect(await takeBack(1)).toEqual({ state: 'waiting', answer: null });
    const [, , back] = await charges();
    expect(back).toMatchObject({ amount: -1000, takes_back: charged, key: `refund:${id}:1`, purchase_id: id });
    expect(back).toMatchObject({ reservation: 'R1', visitor_id: guest, sale_id: null, words: 'Wi-Fi' });
    // One that may still reach the bill counts for a later request too.
    for (const state of ['waiting', 'sent', 'unknown', 'posted']) {
      await set(back.id, sql`state = ${state}`);
      expect(await takeBack(2)).toMatchObject({ state });
    }
    await set(back.id, sql`state = 'refused', answer = 'CO'`);
    expect(await takeBack(1)).toMatchObject({ state: 'refused', answer: 'CO' });
    expect(await charges()).toHaveLength(3);
    expect(await takeBack(2)).toEqual({ state: 'waiting', answer: null });
    expect((await charges()).map(it => [it.amount, it.state])).toEqual([
      [1000, 'waiting'],
      [-1000, 'refused'],
      [-1000, 'cancelled'],
      [-1000, 'waiting'],
    ]);
    expect((await row(foreign)).state).toBe('refused');
  });
});

describe('the charges of a hotel', () => {
  test('are listed newest first, by page and by state, within the reach of the reader', async () => {
    const ids: string[] = [];
    for (const more of [{}, {}, { visitorId: null }]) {
      ids.push(await charge(more));
    }
    await charge({ integrationId: other });
    await set(ids[1]!, sql`state = 'posted'`);
    const read = async (query = '') => {
      const { body } = await list(query);
      return [body.data.map((it: Body) => it.id), body.meta.total];
    };
    expect(await read()).toEqual([[ids[2], ids[1], ids[0]], 3]);
    expect(await read('per_page=1&page=2')).toEqual([[ids[1]], 3]);
    expect(await read('state=posted')).toEqual([[ids[1]], 1]);
    const [last, , first] = (await list()).body.data;
    expect([last.visitor, first.visitor]).toEqual([null, { id: guest, name: 'Ali Kaya', room_number: '101' }]);
    const reader = await api.user('member', { location, permissions: ['view-integrations'] });
    expect((await list('', hotel, reader.token)).body.data.map((it: Body) => it.visitor)).toEqual([null, null, null]);
    const stranger = await api.user('member', { location: await api.location(token, 'Kafe') });
    await set(ids[0]!, sql`state = 'refused'`);
    expect((await list('', hotel, stranger.token)).status).toBe(404);
    expect((await settle(ids[0]!, 'posted', hotel, stranger.token)).status).toBe(404);
    expect((await settle(ids[0]!, 'posted', other)).status, 'of the other hotel').toBe(404);
    expect((await settle(ids[0]!, 'posted', hotel, reader.token)).status).toBe(403);
    expect((await row(ids[0]!)).state).toBe('refused');
  });

  test('are settled only where the hotel has refused, or its answer is unknown', async () => {
    const id = await charge();
    for (const state of ['waiting', 'sent', 'posted', 'cancelled']) {
      await set(id, sql`state = ${state}`);
      const refused = await settle(id, 'again');
      expect([refused.status, Object.keys(refused.body.errors)], state).toEqual([422, ['outcome']]);
    }
    const sent = sql`state = 'unknown', number = 5, attempts = 2, answer = 'XY', bill = 'B', sent_at = now(), answered_at = now(),
      next_at = 'infinity', give_up_at = now()`;
    for (const [outcome, after] of [
      ['posted', { state: 'posted', number: 5 }],
      ['cancelled', { state: 'cancelled', number: 5 }],
      ['again', { state: 'waiting', number: null, attempts: 0, answer: null, sent_at: null, answered_at: null }],
    ] as const) {
      await set(id, sent);
      expect((await settle(id, outcome)).body.data).toMatchObject(after);
    }
    expect(await take()).toMatchObject({ id, in_doubt: false });
    const [entry] = (await api.get('panel/audit?subject_type=integration&verb=update', { token })).body.data;
    const [before, after] = [{ room_charge: { state: 'unknown', number: 5 } }, { room_charge: { state: 'waiting' } }];
    expect(entry).toMatchObject({ before, after });
  });

  test('of a purchase are not sent anew after a refusal, which its guest was told', async () => {
    const id = await charge({ purchaseId: await purchase() });
    await set(id, sql`state = 'refused'`);
    expect((await settle(id, 'again')).status).toBe(422);
    await set(id, sql`state = 'unknown'`);
    expect((await settle(id, 'posted')).status).toBe(200);
    const back = await charge({ purchaseId: await purchase(), amount: -500 });
    await set(back, sql`state = 'refused'`);
    expect((await settle(back, 'again')).status).toBe(200);
  });

  test('are open until they are settled', async () => {
    for (const state of ['waiting', 'sent', 'unknown', 'posted', 'refused', 'cancelled'])
      await set(await charge(), sql`state = ${state}`);
    await charge({ integrationId: other });
    expect(await inTenant(tx => queries.countOpenCharges(tx, hotel))).toBe(3);
  });
});
