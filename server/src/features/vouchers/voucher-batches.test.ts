import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/ids.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { addVoucher, redeemVoucher } from './redeem.service.ts';

/** Batches of vouchers: the actions of operators, and the figures. Guests use the codes without a portal here. */

let api: TestApi;
let token: string;
let location: string;
let device: string;
const base = 'panel/voucher-batch';
const day = { is_active: true, option: 'day', value: 1 };

beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
});
beforeEach(async () => {
  location = await api.location(token, 'Otel');
  const brand = (await api.get('panel/device/brands', { token })).body.data[0].id;
  const mac_address = `02:${newId().slice(-10).match(/../g)!.join(':')}`;
  const body = { brand_id: brand, name: 'Router', mac_address, location_id: location };
  device = (await api.post('panel/device', { token, body })).body.data.id;
});

const ask = async (method: string, at: string, body?: object, status = 200): Promise<Body> => {
  const answer = await api.ask(method, at, { token, ...(body && { body }) });
  expect(answer.status, answer.text).toBe(status);
  return answer.body;
};
const make = async (more: object = {}): Promise<Body> => {
  const terms = { name: 'Havuz', location_id: location, count: 1, valid_for: day, price: 250, currency: 'eur' };
  return (await ask('POST', base, { ...terms, ...more }, 201)).data;
};
const refusal = async (at: string, body: object) => {
  const answer = await api.post(at, { token, body });
  return [answer.status, ...Object.keys(answer.body.errors ?? {})];
};
const now = async ({ id }: Body): Promise<Body> => (await ask('GET', `${base}/${id}`)).data;
const cards = async ({ id }: Body, ids?: string[]): Promise<Body[]> =>
  (await ask('POST', `${base}/${id}/cards`, ids ? { voucher_ids: ids } : {})).data;
const vouchers = async ({ id }: Body, query = ''): Promise<Body[]> =>
  (await ask('GET', `${base}/${id}/vouchers?${query}`)).data;
const desk = async (): Promise<Body> => (await ask('GET', `panel/voucher-desk?location_id=${location}`)).data;
const run = (statement: ReturnType<typeof sql>) => api.inTenant(tx => tx.run(statement));
const lastLog = async ({ id }: Body): Promise<Body> =>
  (await ask('GET', `panel/audit?subject_type=voucher-batch&subject_id=${id}`)).data[0];
const use = (code: string, at = location) =>
  api.inTenant(tx => redeemVoucher(tx, api.app.secrets, { typed: code, locationId: at, deviceId: device }));
const add = (code: string, visitorId: string) =>
  api.inTenant(tx => addVoucher(tx, api.app.secrets, { typed: code, locationId: location, visitorId }));
/** A day on the clocks of the location, from today. */
const localDay = (days: number) =>
  sql`(select local_day(time_zone) + ${days}::int from locations where id = ${location})`;
const dayText = async (days: number): Promise<string> =>
  (await api.inTenant(tx => tx.one<{ day: string }>(sql`select ${localDay(days)}::text as day`))).day;
const setLastDay = (batch: Body, days: number) =>
  run(sql`update voucher_batches set valid_until = ${localDay(days)} where id = ${batch.id}`);

describe('batches', () => {
  test('are listed by page, name, age and vouchers left, within the reach of the reader', async () => {
    const made = [
      await make({ name: 'Çatı', count: 3 }),
      await make({ name: 'Bahçe', count: 1 }),
      await make({ name: 'Deniz', count: 2 }),
    ];
    const other = await api.location(token, 'Kafe');
    await make({ name: 'Çatı', location_id: other });
    const names = async (query: string, as = token) => {
      const { body } = await api.get(`${base}?${query}`, { token: as });
      return [body.data.map((it: Body) => it.name).join(), body.meta.total];
    };
    const here = `location_id=${location}`;
    expect(await names(`${here}&sort=created&order=desc`)).toEqual(['Deniz,Bahçe,Çatı', 3]);
    expect(await names(`${here}&sort=created&order=asc&per_page=2&page=2`)).toEqual(['Deniz', 3]);
    expect(await names(`${here}&sort=name&order=asc`)).toEqual(['Bahçe,Çatı,Deniz', 3]);
    expect(await names(`${here}&sort=name&order=desc`)).toEqual(['Deniz,Çatı,Bahçe', 3]);
    expect(await names(`${here}&sort=left&order=asc`)).toEqual(['Bahçe,Deniz,Çatı', 3]);
    expect(await names(`${here}&sort=left&order=desc`)).toEqual(['Çatı,Deniz,Bahçe', 3]);
    expect(await names(`${here}&search=cati`)).toEqual(['Çatı', 1]);
    const member = await api.user('member', { location: other });
    expect(await names('', member.token)).toEqual(['Çatı', 1]);
    expect((await api.put(`${base}/${made[0].id}`, { token: member.token, body: { note: 'x' } })).status).toBe(404);
    expect(await now(made[0])).toMatchObject({
      total: 3,
      left: 3,
      used: 0,
      revoked: 0,
      revenue: 0,
      note: '',
      profile: null,
    });
  });

  test('are valid through their last day, and can be made until then', async () => {
    const today = await dayText(0);
    const batch = await make({ valid_for: null, valid_until: today, count: 2, note: 'Bar' });
    expect(batch).toMatchObject({ valid_until: today, total: 2, note: 'Bar' });
    expect(await refusal(base, { ...batch, count: 1, valid_until: await dayText(-1) })).toEqual([422, 'valid_until']);
    expect(await lastLog(batch)).toMatchObject({ verb: 'create', after: { count: 2, note: 'Bar' } });
    const elsewhere = await api.location(token, 'Kafe');
    const form = { name: 'Plaj', location_id: elsewhere };
    const { id } = (await ask('POST', 'panel/location/user-profile', form, 201)).data;
    const terms = { name: 'Havuz', location_id: location, count: 1, valid_for: day };
    expect(await refusal(base, { ...terms, profile_id: id })).toEqual([422, 'profile_id']);
  });

  test('keep their terms when their name, note and place at the desk change', async () => {
    const batch = await make({ count: 2 });
    const change = { name: 'Spa', note: 'Kat 2', at_desk: true };
    expect((await ask('PUT', `${base}/${batch.id}`, { ...change, price: 1 })).data).toMatchObject({
      ...change,
      price: 250,
    });
    expect(await lastLog(batch)).toMatchObject({
      verb: 'update',
      before: { name: 'Havuz', at_desk: false },
      after: change,
    });
  });

  test('that are extended go on from today if they were over, with their guests', async () => {
    const [batch, other] = [await make({ count: 2, valid_until: await dayText(0) }), await make()];
    const [card] = await cards(batch);
    await use(card!.code);
    await setLastDay(batch, -5);
    const extended = (await ask('POST', `${base}/${batch.id}/extend`, { days: 2 })).data;
    expect(extended.valid_until).toBe(await dayText(2));
    expect(await lastLog(batch)).toMatchObject({ verb: 'update', after: { days: 2, valid_until: await dayText(2) } });
    expect((await ask('POST', `${base}/${other.id}/extend`, { days: 2 })).data.valid_until).toBeNull();
    expect((await now(batch)).valid_until).toBe(await dayText(2));
  });

  test('that are extended days after their end give the days to the guests whom their last day cut off', async () => {
    const batch = await make({ valid_for: null, valid_until: await dayText(0) });
    const [card] = await cards(batch);
    const { visitorId } = (await use(card!.code)) as { visitorId: string };
    await setLastDay(batch, -5);
    await api.inTenant(tx =>
      tx.run(sql`
        update visitors v set session_end_at = voucher_end(b.valid_until, l.time_zone)
        from voucher_batches b join locations l on l.id = b.location_id where v.id = ${visitorId} and b.id = ${batch.id}`),
    );
    const extended = (await ask('POST', `${base}/${batch.id}/extend`, { days: 2 })).data;
    const { ends } = await api.inTenant(tx =>
      tx.one<{ ends: string }>(sql`
        select voucher_end(${extended.valid_until}::date, time_zone) as ends from locations where id = ${location}`),
    );
    const [voucher] = (await ask('GET', `${base}/${batch.id}/vouchers`)).data;
    expect(voucher).toMatchObject({ state: 'active', ends_at: ends });
  });

  test('sell once for each voucher, to one guest', async () => {
    const batch = await make({ count: 4 });
    const all = await cards(batch);
    const first = await use(all[0]!.code);
    expect(first).toEqual({ visitorId: expect.any(String) });
    expect(await use(all[0]!.code)).toEqual(first);
    const { visitorId } = first as { visitorId: string };
    expect(await add(all[0]!.code, visitorId)).toBe('over');
    expect(await add(all[1]!.code, visitorId)).toEqual({ commands: 0 });
    expect(await add('22222-22222', visitorId)).toBe('unknown');
    const [free] = await cards(await make({ price: 0 }));
    expect(await add(free!.code, visitorId)).toEqual({ commands: 0 });
    const [more] = await cards(await make({ shared_user: 2 }));
    expect(await add(more!.code, visitorId)).toBe('other');
    const ended = await make({ valid_until: await dayText(0) });
    const [late] = await cards(ended);
    await setLastDay(ended, -1);
    expect([await add(late!.code, visitorId), await use(late!.code)]).toEqual(['over', 'over']);
    expect(await now(batch)).toMatchObject({ total: 4, used: 2, left: 2, revenue: 500 });
    const sales = (await ask('GET', `panel/reports/sales?location_id=${location}`)).data;
    expect(sales.map((it: Body) => [it.kind, it.total])).toEqual([
      ['voucher', 2.5],
      ['voucher', 2.5],
    ]);
    // At another location, and once its guest was deleted, the code is worth nothing.
    expect(await use(all[2]!.code, await api.location(token, 'Kafe'))).toBe('unknown');
    await ask('DELETE', `panel/client/${visitorId}`, undefined, 204);
    expect(await use(all[0]!.code)).toBe('over');
  });
});

describe('the vouchers of a batch', () => {
  test('show their code once they are used, or to a reader who has it', async () => {
    const batch = await make({ count: 12 });
    const all = await cards(batch);
    await use(all[1]!.code);
    await ask('POST', `${base}/${batch.id}/revoke`, { voucher_ids: [all[2]!.id] });
    const listed = await vouchers(batch, 'per_page=5');
    expect(listed.map(it => [it.number, it.state, it.code])).toEqual([
      [1, 'unused', null],
      [2, 'active', all[1]!.code],
      [3, 'revoked', all[2]!.code],
      [4, 'unused', null],
      [5, 'unused', null],
    ]);
    expect(await vouchers(batch, `search=${all[0]!.code}`)).toMatchObject([{ number: 1, code: all[0]!.code }]);
    expect(await vouchers(batch, 'search=1')).toMatchObject([{ number: 1, code: null }]);
    expect(await vouchers(batch, 'search=12&state=unused')).toMatchObject([{ number: 12 }]);
    for (const none of ['search=12&state=active', 'search=13', 'search=1x', 'search=1234567890'])
      expect(await vouchers(batch, none), none).toEqual([]);
    const page = await api.get(`${base}/${batch.id}/vouchers?per_page=5&page=3`, { token });
    expect([page.body.data.map((it: Body) => it.number), page.body.meta.total]).toEqual([[11, 12], 12]);
    await run(sql`update visitors set session_end_at = now() where id = ${listed[1]!.visitor_id}`);
    expect((await vouchers(batch, 'state=over')).map(it => it.number)).toEqual([2]);
    // One that can no longer be read is shown without its code.
    await run(sql`update vouchers set code = 'other key' where id = ${all[1]!.id}`);
    expect(await vouchers(batch, 'search=2')).toMatchObject([{ number: 2, code: null }]);
  });

  test('are over after the last day of their batch, whether or not they were used', async () => {
    const batch = await make({ valid_until: await dayText(0) });
    const states = async () => (await vouchers(batch)).map(it => it.state);
    expect(await states()).toEqual(['unused']);
    await setLastDay(batch, -1);
    expect(await states()).toEqual(['over']);
  });

  test('are printed while they are unused, or when they are chosen; each print is in the audit log', async () => {
    const [batch, other] = [await make({ count: 5 }), await make()];
    const all = await cards(batch);
    expect(await lastLog(batch)).toMatchObject({ verb: 'export', after: { count: 5 } });
    await use(all[0]!.code);
    await ask('POST', `${base}/${batch.id}/revoke`, { voucher_ids: [all[1]!.id] });
    await run(sql`update vouchers set code = 'other key' where id = ${all[2]!.id}`);
    const numbers = async (ids?: string[]) => (await cards(batch, ids)).map(it => it.number);
    expect(await numbers()).toEqual([4, 5]);
    expect(await lastLog(batch)).toMatchObject({ after: { count: 2 } });
    expect(await numbers([all[4]!.id, all[0]!.id, all[1]!.id, all[4]!.id])).toEqual([1, 5]);
    const [foreign] = await cards(other);
    const mixed = { voucher_ids: [all[3]!.id, foreign!.id] };
    expect(await refusal(`${base}/${batch.id}/cards`, mixed)).toEqual([422, 'voucher_ids']);
    expect(await refusal(`${base}/${batch.id}/revoke`, mixed)).toEqual([422, 'voucher_ids']);
    expect(await now(batch)).toMatchObject({ revoked: 1, used: 1, left: 3 });
  });

  test('that are revoked end the access; a batch that is revoked as a whole leaves the desk', async () => {
    const batch = await make({ count: 3, at_desk: true });
    const [one, two, three] = await cards(batch);
    const { visitorId } = (await use(one!.code)) as { visitorId: string };
    const revoke = async (body: object): Promise<Body> => (await ask('POST', `${base}/${batch.id}/revoke`, body)).data;
    expect(await revoke({ voucher_ids: [one!.id, two!.id] })).toMatchObject({
      revoked: 2,
      left: 1,
      used: 1,
      at_desk: true,
    });
    expect(await lastLog(batch)).toMatchObject({ verb: 'revoke', after: { count: 2 } });
    expect((await lastLog(batch)).after).not.toHaveProperty('at_desk');
    const { session_end_at } = (await ask('GET', `panel/client/${visitorId}`)).data;
    expect(Date.parse(session_end_at)).toBeLessThanOrEqual(Date.now());
    expect(await revoke({ voucher_ids: [one!.id] })).toMatchObject({ revoked: 2, left: 1 });
    expect(await revoke({ all: true })).toMatchObject({ revoked: 3, left: 0, at_desk: false });
    expect(await lastLog(batch)).toMatchObject({ verb: 'revoke', after: { count: 1, at_desk: false } });
    expect([await use(two!.code), await use(three!.code)]).toEqual(['over', 'over']);
    expect(await revoke({ all: true })).toMatchObject({ revoked: 3, left: 0 });
    expect((await lastLog(batch)).after).toEqual({ count: 0 });
  });
});

describe('the desk', () => {
  test('hands out until the last day of a batch, and counts what is left of today', async () => {
    const at_desk = { at_desk: true, count: 0 };
    const ending = await make({
      ...at_desk,
      name: 'Son gün',
      valid_until: await dayText(0),
      price: 300,
      currency: 'usd',
    });
    const open = await make({ ...at_desk, name: 'Açık' });
    const elsewhere = await make({ ...at_desk, name: 'Kafe', location_id: await api.location(token, 'Kafe') });
    const issue = async (batch: Body, count: number): Promise<Body[]> =>
      (await ask('POST', `${base}/${batch.id}/issue`, { count }, 201)).data;
    expect((await desk()).batches.map((it: Body) => it.name)).toEqual(['Açık', 'Son gün']);
    const [first, second] = await issue(open, 3);
    await issue(ending, 2);
    await issue(elsewhere, 1);
    expect((await issue(open, 1)).map(it => it['number'])).toEqual([4]);
    expect(await lastLog(open)).toMatchObject({ verb: 'grant', after: { count: 1, numbers: [4, 4] } });
    // Made in advance, revoked since, and handed out yesterday.
    await make({ count: 2 });
    await ask('POST', `${base}/${open.id}/revoke`, { voucher_ids: [first!['id']] });
    const midnight = sql`(select local_day(time_zone)::timestamp at time zone time_zone from locations where id = ${location})`;
    await run(sql`update vouchers set issued_at = ${midnight} - interval '1 second' where id = ${second!['id']}`);
    await run(sql`update vouchers set issued_at = ${midnight} where batch_id = ${open.id} and number = 3`);
    const shown = await desk();
    expect(shown.totals).toEqual([
      { currency: 'eur', count: 2, amount: 500 },
      { currency: 'usd', count: 2, amount: 600 },
    ]);
    expect(shown.today.map((it: Body) => [it.batch.name, it.number, it.state])).toEqual([
      ['Açık', 4, 'unused'],
      ['Son gün', 2, 'unused'],
      ['Son gün', 1, 'unused'],
      ['Açık', 1, 'revoked'],
      ['Açık', 3, 'unused'],
    ]);
    expect(shown.today[0].issued_by).toMatch(/^Test User \d+$/);
    expect(shown.location).toMatchObject({ id: location, name: 'Otel' });
    await setLastDay(ending, -1);
    expect((await desk()).batches.map((it: Body) => it.name)).toEqual(['Açık']);
    expect(await refusal(`${base}/${ending.id}/issue`, { count: 1 })).toEqual([422, 'count']);
    expect(await now(ending)).toMatchObject({ total: 2 });
  });

  test('prints cards as the location wants them', async () => {
    const at = `panel/location/${location}/voucher-card`;
    const standard = { ssid: '', wifi_password: null, language: 'tr', paper: 'a4', text: '', logo: true };
    expect((await ask('GET', at)).data).toEqual(standard);
    expect((await desk()).card).toEqual(standard);
    const wanted = { ssid: 'Otel', wifi_password: 'cok gizli', logo: false };
    expect((await ask('PUT', at, wanted)).data).toEqual({ ...standard, ...wanted });
    expect((await ask('PUT', at, { wifi_password: '', text: 'Hoş geldiniz' })).data).toMatchObject({
      wifi_password: null,
    });
    expect((await ask('GET', at)).data).toEqual({ ...standard, ssid: 'Otel', logo: false, text: 'Hoş geldiniz' });
    const stranger = await api.user('member', { location: await api.location(token, 'Kafe') });
    expect((await api.get(at, { token: stranger.token })).status).toBe(404);
    expect((await api.put(at, { token: stranger.token, body: { ssid: 'x' } })).status).toBe(404);
  });
});
