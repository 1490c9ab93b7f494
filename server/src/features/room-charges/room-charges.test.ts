import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stopHotelLinks } from '#features/integrations/public.ts';
import { afterFile } from '#test/after-file.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { hotelLinkJobs } from '../integrations/hotel/links.jobs.ts';
import { type FiasPms, startFiasPms } from '../integrations/testing/fias-pms.ts';

let api: TestApi;
let pms: FiasPms;
let token: string;
let location: string;
let integration: string;

const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 120_000, interval: 100 });
const charges = async (state?: string): Promise<Body[]> =>
  (await api.get(`panel/integration/${integration}/room-charges${state ? `?state=${state}` : ''}`, { token })).body
    .data;
const visitor = (name: string): Promise<{ id: string }> =>
  api.inTenant(tx => tx.one<{ id: string }>(sql`select id from visitors where name = ${name}`));
const extend = (id: string, body: object) => api.post(`panel/client/${id}/extend`, { token, body });
/** Sells days on the room, and returns the charge once the hotel has booked it. */
const charged = async (id: string, days: number): Promise<Body> => {
  const before = new Set((await charges()).map(it => it.id));
  expect((await extend(id, { days, charge_room: true })).status).toBe(200);
  return vi.waitFor(
    async () => {
      const added = (await charges('posted')).filter(it => !before.has(it.id));
      expect(added).toHaveLength(1);
      return added[0]!;
    },
    { timeout: 120_000, interval: 100 },
  );
};
const settle = (id: string, outcome: string, as = token) =>
  api.post(`panel/integration/${integration}/room-charges/${id}/settle`, { token: as, body: { outcome } });

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Otel');
  pms = await startFiasPms();
  for (const [number, name, more] of [
    ['1', 'Kaya', {}],
    ['2', 'Sade', { NP: 'Y' }],
    ['3', 'Demir', {}],
    ['4', 'Çelik', {}],
  ] as const)
    pms.guests.set(number, { 'G#': number, RN: `10${number}`, GN: name, GF: 'Ali', ...more });
  const profile = async (name: string, option: string) =>
    (
      await api.post('panel/location/user-profile', {
        token,
        body: { name, location_id: location, paid_sale: { is_active: true, option, value: 5 } },
      })
    ).body.data.id;
  const paid = await profile('Ücretli', 'eur');
  const dollars = await profile('Dolar', 'usd');
  const connection = { type: 'fias', host: '127.0.0.1', port: pms.port, currency: 'eur' };
  const body = { name: 'Opera', location_id: location, integration_id: 'fias', params: { connection } };
  const made = await api.post('panel/integration', { token, body });
  expect(made.status, made.text).toBe(201);
  integration = made.body.data.id;
  await hotelLinkJobs[0]!.run(api.app);
  const keep = setInterval(() => void hotelLinkJobs[0]!.run(api.app).catch(() => undefined), 1000);
  afterFile(async () => {
    clearInterval(keep);
    await stopHotelLinks(api.app);
    await pms.stop();
  });
  await eventually(async () => {
    expect(await api.inTenant(tx => tx.many(sql`select 1 from hotel_stays`))).toHaveLength(4);
  });
  await api.inTenant(tx => tx.run(sql`update visitors set profile_id = ${paid}`));
  await api.inTenant(tx => tx.run(sql`update visitors set profile_id = ${dollars} where name = 'Ali Demir'`));
}, 120_000);

/** Waits until the link is up with this answer to whether the hotel can tell repeated postings. */
async function linkThatRepeats(repeats: boolean): Promise<void> {
  const connection = { type: 'fias', host: '127.0.0.1', port: pms.port, currency: 'eur', repeats };
  const lines = pms.connections;
  const changed = await api.put(`panel/integration/${integration}`, { token, body: { params: { connection } } });
  expect(changed.status, changed.text).toBe(200);
  await eventually(() => expect([pms.connections > lines, pms.isLinked]).toEqual([true, true]));
}

describe('a charge to a hotel room', () => {
  /** The number of postings on the bill before each test. */
  let billed: number;
  const added = () => pms.bill.slice(billed);
  beforeEach(() => {
    billed = pms.bill.length;
  });

  test('is made once, with the sale, though the line breaks twice', async () => {
    const { id } = await visitor('Ali Kaya');
    expect((await api.get(`panel/client/${id}`, { token })).body.data.charges_room).toBe(true);
    pms.breaksAfterPosting = 1;
    pms.breaksBeforePosting = 0;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const before = new Set((await charges()).map(it => it.id));
    const fresh = async () => (await charges()).filter(it => !before.has(it.id));
    for (const _ of [1, 2])
      expect(
        (await api.post(`panel/client/${id}/extend`, { token, headers, body: { days: 3, charge_room: true } })).status,
      ).toBe(200);
    await eventually(() => expect(pms.breaksAfterPosting).toBe(0));
    pms.breaksAfterPosting = 1;
    await eventually(async () => expect((await fresh()).map(it => it.state)).toEqual(['posted']));
    expect(added()).toMatchObject([{ room: '101', reservation: '1', amount: 1500, text: 'Wi-Fi, 3 days' }]);
    const [charge] = await fresh();
    expect(charge).toMatchObject({ amount: 1500, currency: 'eur', attempts: 3, visitor: { name: 'Ali Kaya' } });
    const [sale] = (await api.get('panel/reports/sales', { token })).body.data;
    expect(sale).toMatchObject({ total: 15, room_charge: 'posted' });
  });

  test('is taken back with the sale', async () => {
    await charged((await visitor('Ali Kaya')).id, 3);
    const [sale] = (await api.get('panel/reports/sales', { token })).body.data;
    const reversed = await api.post(`panel/reports/sales/${sale.id}/reverse`, {
      token,
      body: { days: 1, reason: 'Hata' },
    });
    expect(reversed.status, reversed.text).toBe(201);
    await eventually(() => expect(added().map(it => it.amount)).toEqual([1500, -500]));
  });

  test('is taken back from the room that it was put on', async () => {
    await charged((await visitor('Ali Kaya')).id, 3);
    await charged((await visitor('Ali Çelik')).id, 2);
    const [sale] = (await api.get('panel/reports/sales', { token })).body.data;
    const at = `panel/reports/sales/${sale.id}/reverse`;
    expect((await api.post(at, { token, body: { reason: 'Hata' } })).status).toBe(201);
    await eventually(() => expect(added()).toHaveLength(3));
    expect(added()[2]).toMatchObject({ room: '104', reservation: '4', amount: -1000 });
  });

  test('that never came to the bill is not taken off it', async () => {
    pms.answer = 'NP';
    onTestFinished(() => void (pms.answer = 'OK'));
    const { id } = await visitor('Ali Çelik');
    expect((await extend(id, { days: 1, charge_room: true })).status).toBe(200);
    await eventually(async () => expect(await charges('refused')).toHaveLength(1));
    const [refused] = await charges('refused');
    const made = (await charges()).length;
    const [sale] = (await api.get('panel/reports/sales', { token })).body.data;
    expect(sale).toMatchObject({ visitor: { id }, room_charge: 'refused' });
    const at = `panel/reports/sales/${sale.id}/reverse`;
    expect((await api.post(at, { token, body: { reason: 'Hata' } })).status).toBe(201);
    expect(await charges()).toHaveLength(made);
    expect((await settle(refused!.id, 'cancelled')).status).toBe(200);
  });

  test('is refused with its field and sells nothing where the hotel takes none', async () => {
    const before = (await api.get('panel/reports/sales', { token })).body.meta.total;
    const made = (await charges()).length;
    for (const name of ['Ali Sade', 'Ali Demir']) {
      const answer = await extend((await visitor(name)).id, { days: 1, charge_room: true });
      expect([answer.status, Object.keys(answer.body.errors)], name).toEqual([422, ['charge_room']]);
    }
    const untimed = await extend((await visitor('Ali Kaya')).id, { until: '2099-01-01T00:00:00Z', charge_room: true });
    expect([untimed.status, Object.keys(untimed.body.errors)]).toEqual([422, ['charge_room']]);
    expect((await api.get('panel/reports/sales', { token })).body.meta.total).toBe(before);
    expect(await charges()).toHaveLength(made);
  });

  test('that the hotel refuses can be sent anew or given up, with a record', async () => {
    pms.answer = 'NP';
    const { id } = await visitor('Ali Kaya');
    expect((await extend(id, { days: 1, charge_room: true })).status).toBe(200);
    await eventually(async () => expect(await charges('refused')).toMatchObject([{ answer: 'NP' }]));
    const [refused] = await charges('refused');
    pms.answer = 'OK';
    const powerless = (await api.user('member', { location, permissions: ['view-integrations'] })).token;
    expect((await settle(refused.id, 'again', powerless)).status).toBe(403);
    const unseen = await api.get(`panel/integration/${integration}/room-charges`, { token: powerless });
    expect(unseen.body.data[0].visitor).toBeNull();
    expect((await settle(refused.id, 'again')).body.data).toMatchObject({ state: 'waiting', number: null });
    await eventually(async () => expect(await charges('refused')).toEqual([]));
    await eventually(() => expect(added()).toHaveLength(1));
    const again = await settle(refused.id, 'cancelled');
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['outcome']]);
  });

  test('waits during the night audit', async () => {
    // The link looks for charges once a second; here the test decides when.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldClearNativeTimers: true });
    onTestFinished(async () => {
      vi.useRealTimers();
      await linkThatRepeats(true);
    });
    await linkThatRepeats(true);
    pms.send('NS', { DA: '261124', TI: '230000' });
    // The link takes records in their order, so it has taken that one when this guest is known.
    pms.checkIn('9', { RN: '109', GN: 'Gece', GF: 'Ali' });
    await eventually(async () => void (await visitor('Ali Gece')));
    const { id } = await visitor('Ali Kaya');
    expect((await extend(id, { days: 1, charge_room: true })).status).toBe(200);
    const transactions = vi.spyOn(api.app.db, 'withTenant');
    vi.advanceTimersByTime(5000);
    const looks = transactions.mock.calls.length;
    transactions.mockRestore();
    expect([looks, added()]).toEqual([0, []]);
    pms.send('NE', { DA: '261124', TI: '231000' });
    await eventually(() => {
      vi.advanceTimersByTime(1000);
      expect(added()).toHaveLength(1);
    });
    await eventually(async () => expect(await charges('waiting')).toEqual([]));
  });

  test('is not believed to be on the bill because of a stray answer', async () => {
    const { id } = await visitor('Ali Kaya');
    const { number } = await charged(id, 1);
    const before = await charges();
    pms.send('PA', { 'P#': '1', AS: 'OK', RN: '101' });
    pms.send('PA', { 'P#': String(number), AS: 'NG' });
    pms.send('PA', { 'P#': "1'; drop", AS: 'OK' });
    // The link takes records in their order, so it has taken these before the answer to the next charge.
    const next = await charged(id, 1);
    expect((await charges()).filter(it => it.id !== next.id)).toEqual(before);
  });

  test('stays unknown where the hotel system cannot tell repeated postings; an operator settles it', async () => {
    await linkThatRepeats(false);
    onTestFinished(() => linkThatRepeats(true));
    pms.breaksAfterPosting = 1;
    expect((await extend((await visitor('Ali Kaya')).id, { days: 1, charge_room: true })).status).toBe(200);
    await eventually(async () => expect(await charges('unknown')).toHaveLength(1));
    const link = async () => (await api.get(`panel/integration/${integration}`, { token })).body.data.link;
    await eventually(async () => expect(await link()).toMatchObject({ state: 'up', open_charges: 1 }));
    // A later charge is sent after those before it.
    await charged((await visitor('Ali Çelik')).id, 1);
    expect(added().map(it => it.room)).toEqual(['101', '104']);
    const [unknown] = await charges('unknown');
    expect((await settle(unknown.id, 'posted')).body.data.state).toBe('posted');
    expect(await link()).toMatchObject({ open_charges: 0 });
  });
});
