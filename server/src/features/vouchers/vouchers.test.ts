import { readVoucherCode, voucherAlphabet, wifiCode } from '@portico/contract/voucher-code.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import type { Body } from '#test/harness.ts';

let venue: Venue;
let profile: string;
beforeAll(async () => {
  venue = await startVenue();
  const limits = { shared_user: 9, total_quota: { is_active: true, option: 'gb', value: 1 } };
  profile = (
    await venue.create('panel/location/user-profile', { name: 'Havuz', location_id: venue.location, ...limits })
  ).id;
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => venue.offer({ slug: 'voucher' }, { slug: 'username' }));

const base = 'panel/voucher-batch';
const day = { is_active: true, option: 'day', value: 1 };
const make = (more: object = {}): Promise<Body> =>
  venue.create(base, {
    name: 'Havuz',
    location_id: venue.location,
    profile_id: profile,
    count: 1,
    valid_for: day,
    price: 250,
    currency: 'eur',
    ...more,
  });
const post = async (at: string, body: object = {}, status = 200) => {
  const answer = await venue.api.post(at, { token: venue.admin, body });
  expect(answer.status, answer.text).toBe(status);
  return answer.body.data;
};
const read = async (at: string) => (await venue.api.get(at, { token: venue.admin })).body;
const cardsOf = (batch: Body, body: object = {}): Promise<Body[]> => post(`${base}/${batch.id}/cards`, body);
const codeOf = async (batch: Body): Promise<string> => (await cardsOf(batch))[0]!.code;
const sign = (voucher: string) => venue.submit({ method: 'voucher', voucher });
const ticketOf = (answer: Awaited<ReturnType<typeof sign>>) =>
  new URL(answer.headers.get('location')!).searchParams.get('username')!;
const batchNow = async ({ id }: Body) => (await read(`${base}/${id}`)).data;
const sales = async () => (await read('panel/reports/sales?per_page=100')).data as Body[];

/** Signs the current device in, and lets its router report the session. */
async function comeOnline(code: string, sessionId: string): Promise<Body> {
  const answer = await sign(code);
  expect(answer.status, answer.html).toBe(303);
  const ticket = ticketOf(answer);
  const decision = await venue.routerAccepts(ticket);
  expect(decision.outcome).toBe('accept');
  await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId });
  return decision;
}

describe('codes', () => {
  test('have ten characters of the alphabet, and fold case, separators and look-alikes', async () => {
    const codes = (await cardsOf(await make({ count: 200 }))).map(it => it.code as string);
    expect(new Set(codes).size).toBe(200);
    for (const code of codes) expect(code).toMatch(new RegExp(`^[${voucherAlphabet}]{5}-[${voucherAlphabet}]{5}$`));
    expect(readVoucherCode(' s2u8d-65vd8 ')).toBe(readVoucherCode('5zvBOGSUQB'));
    expect(readVoucherCode('５２ＶＤ６－５２ＶＤ６')).toBe('52VD652VD6');
    for (const wrong of ['', '52VD6-52VD', '52VD6-52VD66', '52VD6-52VDA', 'ıııııııııı'])
      expect(readVoucherCode(wrong), wrong).toBeUndefined();
  });

  test('are encrypted at rest', async () => {
    const code = readVoucherCode(await codeOf(await make()))!;
    const rows = await venue.rows(sql`select row_to_json(k)::text as text from vouchers k`);
    expect(rows.some(it => it['text'].includes(code))).toBe(false);
  });

  test('of the Wi-Fi escape what has a meaning there', () => {
    expect(wifiCode('Kafe; "Çınar"', 'a:b,c\\d')).toBe('WIFI:T:WPA;S:Kafe\\; \\"Çınar\\";P:a\\:b\\,c\\\\d;;');
    expect(wifiCode('Açık', null)).toBe('WIFI:T:nopass;S:Açık;;');
  });
});

describe('a guest with a voucher', () => {
  test('signs in with it as typed, and the first use makes the visitor and one sale', async () => {
    const batch = await make({ shared_user: 2, name: 'Gün' });
    const code = await codeOf(batch);
    const before = (await sales()).length;
    const decision = await comeOnline(code.toLowerCase().replace('-', ' '), 'v1');
    expect(decision['sessionTimeoutSeconds']).toBeGreaterThan(86_000);
    expect(await batchNow(batch)).toMatchObject({ total: 1, used: 1, left: 0, revenue: 250 });
    const [sale, ...older] = await sales();
    expect(sale).toMatchObject({ kind: 'voucher', days: 1, unit_price: 2.5, total: 2.5, currency: 'eur' });
    expect(older).toHaveLength(before);
    const [voucher] = (await read(`${base}/${batch.id}/vouchers`)).data;
    expect(voucher).toMatchObject({ number: 1, code, state: 'active' });
    const visitor = (await read(`panel/client/${voucher.visitor_id}`)).data;
    expect(visitor).toMatchObject({ name: 'Gün · 1', provider_type: 'voucher', profile_id: profile, shared_user: 2 });
    // A second device is the same visitor, and no second sale.
    venue.newMac();
    await comeOnline(code, 'v2');
    expect(await sales()).toHaveLength(before + 1);
    // A third one is one too many, although the profile allows nine.
    venue.newMac();
    expect((await sign(code)).html).toContain('Too many devices');
  });

  test('is one visitor and one sale when devices race for the first use and the last place', async () => {
    const code = await codeOf(await make({ shared_user: 1 }));
    const before = (await sales()).length;
    const forms = [];
    for (let n = 0; n < 6; n += 1) {
      venue.newMac();
      const { mac } = venue;
      const { html } = await venue.captive.get(venue.arrival());
      forms.push({ mac, fields: { state: stateOf(html), method: 'voucher', voucher: code } });
    }
    const answers = await Promise.all(
      forms.map(async ({ mac, fields }) => ({ mac, answer: await venue.captive.post(venue.signInAt, fields) })),
    );
    const tickets = answers.flatMap(({ mac, answer }) => {
      const to = answer.headers.get('location') ?? '';
      return to.startsWith('http://10.5.50.1/login')
        ? [{ mac, ticket: new URL(to).searchParams.get('username')! }]
        : [];
    });
    expect(tickets.length).toBeGreaterThan(0);
    const decisions = await Promise.all(tickets.map(({ mac, ticket }) => venue.routerAccepts(ticket, mac)));
    expect(decisions.filter(it => it.outcome === 'accept')).toHaveLength(1);
    expect(await sales()).toHaveLength(before + 1);
  });

  test('is refused with a wrong, spent or revoked code, and slowed down when guessing', async () => {
    expect((await sign('')).html).toContain('Something is missing');
    const wrong = await sign('22222-22222');
    expect([wrong.status, wrong.html.includes('This code is not right')]).toEqual([422, true]);
    expect((await sign('not a code')).html).toContain('This code is not right');
    const batch = await make();
    const code = await codeOf(batch);
    await post(`${base}/${batch.id}/revoke`, { all: true });
    expect((await sign(code)).html).toContain('This voucher is no longer valid');
    const late = await make({ valid_for: null, valid_until: '2099-01-01' });
    const lateCode = await codeOf(late);
    await venue.run(sql`update voucher_batches set valid_until = current_date - 2 where id = ${late.id}`);
    expect((await sign(lateCode)).html).toContain('This voucher is no longer valid');
    expect((await batchNow(late)).used).toBe(0);
    expect(await venue.failures()).not.toEqual([]);
    expect(JSON.stringify(await venue.failures())).not.toMatch(/22222-?22222/);
    for (let n = 0; n < 8; n += 1) await sign('33333-33333');
    await holdBlocks(venue.api.app);
    expect((await sign('44444-44444')).status).toBe(429);
  });

  test('can use it until the end of its last day at the location', async () => {
    const batch = await make({ count: 2, valid_for: null, valid_until: '2099-01-01' });
    const [first, second] = await cardsOf(batch);
    const lastDay = (back: number) =>
      venue.run(sql`
        update voucher_batches b set valid_until = local_day(l.time_zone) - ${back}::int
        from locations l where l.id = b.location_id and b.id = ${batch.id}`);
    await lastDay(1);
    expect((await sign(first!.code)).html).toContain('This voucher is no longer valid');
    await lastDay(0);
    expect((await sign(second!.code)).status).toBe(303);
  });

  test('cannot use it at another location, nor where the portal does not offer it', async () => {
    const elsewhere = await venue.create('panel/location', { name: 'Plaj' });
    const foreign = await make({ location_id: elsewhere.id, profile_id: null });
    expect((await sign(await codeOf(foreign))).html).toContain('This code is not right');
    const code = await codeOf(await make());
    await venue.offer({ slug: 'username' });
    const answer = await sign(code);
    expect(answer.status).toBe(400);
  });

  test('scans the QR code instead of typing', async () => {
    const [card] = await cardsOf(await make());
    expect(card!.sign_in_url).toMatch(/^http:\/\/guests\.example\/q\/v[\w-]{64}$/);
    const at = card!.sign_in_url.replace('http://guests.example', '');
    const page = await venue.captive.get(at);
    expect(page.status).toBe(200);
    expect(page.html + page.headers.get('set-cookie')).not.toContain(readVoucherCode(card!.code));
    const back = await venue.captive.get(venue.arrival(), { cookie: cookiesOf(page) });
    expect(back.status).toBe(303);
    expect((await venue.routerAccepts(ticketOf(back))).outcome).toBe('accept');
    const forged = `${at.slice(0, -2)}${at.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await venue.captive.get(forged)).status).toBe(404);
  });

  test('is remembered like guests of other methods', async () => {
    await venue.offer({ slug: 'voucher', options: { remember: 'cookie' } });
    const first = await sign(await codeOf(await make()));
    expect((await venue.routerAccepts(ticketOf(first))).outcome).toBe('accept');
    const back = await venue.captive.get(venue.arrival(), { cookie: cookiesOf(first) });
    expect(back.status).toBe(303);
  });
});

describe('the operator', () => {
  test('revokes vouchers, which ends those that are online', async () => {
    const batch = await make({ count: 3 });
    const [one, two] = await cardsOf(batch);
    await comeOnline(one!.code, 'r1');
    venue.newMac();
    await comeOnline(two!.code, 'r2');
    await post(`${base}/${batch.id}/revoke`, { voucher_ids: [one!.id] });
    const commands = () =>
      venue.rows(sql`select s.acct_session_id as session, k.kind from session_commands k join online_sessions s on s.id = k.session_id
        where s.acct_session_id in ('r1', 'r2') order by 1`);
    expect(await commands()).toEqual([{ session: 'r1', kind: 'end' }]);
    expect(await batchNow(batch)).toMatchObject({ total: 3, used: 2, revoked: 1, left: 1 });
    await post(`${base}/${batch.id}/revoke`, { all: true });
    expect(await batchNow(batch)).toMatchObject({ revoked: 3, left: 0 });
    expect((await commands()).map(it => it['session'])).toEqual(['r1', 'r2']);
    expect((await sign(two!.code)).html).toContain('This voucher is no longer valid');
    expect(await cardsOf(batch)).toEqual([]);
  });

  test('extends a batch: running guests get the days, and the last day moves', async () => {
    const batch = await make({ count: 2, valid_until: '2099-01-10', valid_for: day });
    const [one] = await cardsOf(batch);
    await comeOnline(one!.code, 'e1');
    const ends = async () => Date.parse((await read(`${base}/${batch.id}/vouchers`)).data[0].ends_at);
    const before = await ends();
    expect(await post(`${base}/${batch.id}/extend`, { days: 2 })).toMatchObject({ valid_until: '2099-01-12' });
    expect(await ends()).toBe(before + 2 * 86_400_000);
  });

  test('reverses the sale of a voucher, which ends the access and the revenue', async () => {
    const batch = await make();
    await comeOnline(await codeOf(batch), 'x1');
    const [sale] = await sales();
    await post(`panel/reports/sales/${sale!.id}/reverse`, { reason: 'Havuz kapalı' }, 201);
    expect((await batchNow(batch)).revenue).toBe(0);
    const { refunds } = (await read(`panel/voucher-desk?location_id=${venue.location}`)).data;
    expect(refunds.map((it: Body) => [it['what'], it['amount'], it['reason']])).toEqual([
      ['Havuz', 250, 'Havuz kapalı'],
    ]);
    expect((await read(`${base}/${batch.id}/vouchers`)).data[0].state).toBe('over');
    expect((await sign(await cardCode(batch))).html).toContain('Your access has ended');
  });
  const cardCode = async (batch: Body) => (await read(`${base}/${batch.id}/vouchers`)).data[0].code;

  test('finds a voucher of a batch by its code, its number or its state', async () => {
    const batch = await make({ count: 4 });
    const cards = await cardsOf(batch);
    const search = async (query: string) =>
      (await read(`${base}/${batch.id}/vouchers?${query}`)).data.map((it: Body) => it.number);
    expect(await search(`search=${cards[2]!.code.toLowerCase()}`)).toEqual([3]);
    expect(await search('search=4')).toEqual([4]);
    expect(await search('search=nothing')).toEqual([]);
    expect(await search('state=active')).toEqual([]);
    expect(await search('state=unused&per_page=3')).toEqual([1, 2, 3]);
  });

  test('cannot delete a profile that a batch sells', async () => {
    const used = await venue.create('panel/location/user-profile', { name: 'Satılan', location_id: venue.location });
    await make({ profile_id: used.id });
    const refused = await venue.api.delete(`panel/location/user-profile/${used.id}`, { token: venue.admin });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('1 batch of vouchers')]);
  });

  test.each([
    ['name', { name: '' }],
    ['count', { count: 0 }],
    ['count', { count: 1001 }],
    ['valid_until', { valid_for: null }],
    ['valid_until', { valid_until: '2020-01-01' }],
    ['valid_until', { valid_until: 'soon' }],
    ['shared_user', { shared_user: 0 }],
    ['price', { price: -1 }],
    ['price', { price: 1.5 }],
    ['currency', { currency: 'btc' }],
    ['profile_id', { profile_id: '00000000-0000-4000-8000-000000000000' }],
    ['location_id', { location_id: '00000000-0000-4000-8000-000000000000' }],
  ])('gets 422 for a bad %s, and nothing is made', async (field, more) => {
    const count = async () => (await venue.rows(sql`select count(*) from voucher_batches`))[0]!['count'];
    const before = await count();
    const body = { name: 'Kötü', location_id: venue.location, count: 1, valid_for: day, ...more };
    const answer = await venue.api.post(base, { token: venue.admin, body });
    expect([answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([422, [field]]);
    expect(await count()).toBe(before);
  });

  test('sets how cards look; the password of the Wi-Fi is encrypted', async () => {
    const at = `panel/location/${venue.location}/voucher-card`;
    await venue.update(at, { ssid: 'Kafe Çınar', wifi_password: 'cok gizli', language: 'de', paper: 'label' });
    await venue.update(at, { text: 'Viel Spaß' });
    const card = { ssid: 'Kafe Çınar', wifi_password: 'cok gizli', language: 'de', paper: 'label', text: 'Viel Spaß' };
    expect((await read(at)).data).toMatchObject(card);
    const [row] = await venue.rows(sql`select row_to_json(c)::text as text from voucher_cards c`);
    expect(row!['text']).not.toContain('cok gizli');
    const refused = await venue.api.put(at, { token: venue.admin, body: { wifi_password: 'short' } });
    expect(refused.body.errors).toHaveProperty('wifi_password');
    const log = await read(`panel/audit?subject_type=voucher-card&subject_id=${venue.location}`);
    expect(JSON.stringify(log)).not.toContain('cok gizli');
  });
});

describe('the desk', () => {
  test('hands vouchers out with one permission only, and sees those of today', async () => {
    const { api, location } = venue;
    const token = (await api.user('member', { location, permissions: ['store-vouchers'] })).token;
    const batch = await make({ count: 0, at_desk: true, name: 'Banko günlük', price: 500, currency: 'try' });
    const closed = await make({ name: 'Basılı' });
    const desk = async (): Promise<Body> => (await api.get('panel/voucher-desk', { token })).body.data;
    expect((await desk())['batches'].map((it: Body) => it.name)).toEqual(['Banko günlük']);
    const issued = await api.post(`${base}/${batch.id}/issue`, { token, body: { count: 2 } });
    expect(issued.status, issued.text).toBe(201);
    expect(issued.body.data.map((it: Body) => it.number)).toEqual([1, 2]);
    expect(await desk()).toMatchObject({
      today: [
        { number: 2, state: 'unused', code: issued.body.data[1].code, price: 500 },
        { number: 1, state: 'unused' },
      ],
      totals: [{ currency: 'try', count: 2, amount: 1000 }],
    });
    // The newest voucher comes first; numbers do not count.
    const later = await make({ count: 0, at_desk: true, name: 'Banko saatlik', price: 100, currency: 'try' });
    expect((await api.post(`${base}/${later.id}/issue`, { token, body: { count: 1 } })).status).toBe(201);
    const batches = (await desk())['today'].map((it: Body) => [it['batch'].name, it['number']]);
    expect(batches).toEqual([
      ['Banko saatlik', 1],
      ['Banko günlük', 2],
      ['Banko günlük', 1],
    ]);
    const refused = await api.post(`${base}/${closed.id}/issue`, { token, body: { count: 1 } });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['count']]);
    expect((await api.post(`${base}/${batch.id}/issue`, { token, body: { count: 51 } })).status).toBe(422);
    expect((await api.get(base, { token })).status).toBe(403);
    expect((await api.post(`${base}/${batch.id}/revoke`, { token, body: {} })).status).toBe(403);
    expect((await sign(issued.body.data[0].code)).status).toBe(303);
  });

  test('shows no codes to members who may only look', async () => {
    const { api, location } = venue;
    const token = (await api.user('member', { location, permissions: ['view-vouchers'] })).token;
    const batch = await make();
    const listed = await api.get(`${base}/${batch.id}/vouchers`, { token });
    expect(listed.body.data).toMatchObject([{ number: 1, code: null }]);
    expect((await api.post(`${base}/${batch.id}/cards`, { token, body: {} })).status).toBe(403);
  });

  test('shows no vouchers to members of another location', async () => {
    const { api } = venue;
    const elsewhere = await api.location(venue.admin, 'Kafe');
    const token = (await api.user('member', { location: elsewhere })).token;
    const batch = await make();
    expect((await api.get(`${base}/${batch.id}`, { token })).status).toBe(404);
    expect((await api.get(`${base}/${batch.id}/vouchers`, { token })).status).toBe(404);
    expect((await api.post(`${base}/${batch.id}/cards`, { token, body: {} })).status).toBe(404);
  });
});

test('the router that asks twice about one voucher gets one answer', async () => {
  const ticket = ticketOf(await sign(await codeOf(await make())));
  expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
  expect((await venue.routerAccepts(ticket)).outcome).toBe('reject');
});
