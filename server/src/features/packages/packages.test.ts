import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  cookiesOf,
  newGuestEachTest,
  onlineOf,
  startVenue,
  stateOf,
  type Venue,
} from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';
import { packageJobs } from './packages.jobs.ts';

let venue: Venue;
let profile: string;
let day: Body;
beforeAll(async () => {
  venue = await startVenue();
  const paid_sale = { is_active: true, option: 'eur', value: 5 };
  const body = { name: 'Gün', location_id: venue.location, paid_sale, shared_user: 2 };
  profile = (await venue.create('panel/location/user-profile', body)).id;
  await venue.create('panel/integration', {
    name: 'Deneme',
    location_id: venue.location,
    integration_id: 'test-payment',
    params: { connection: { type: 'test-payment' } },
  });
  day = await make();
}, 120_000);
newGuestEachTest(() => venue);

const make = (more: object = {}): Promise<Body> =>
  venue.create('panel/package', {
    location_id: venue.location,
    profile_id: profile,
    name: { en: 'Day <pass>', tr: 'Günlük' },
    description: { en: 'As fast as it gets' },
    price: 499,
    currency: 'eur',
    tax_rate: 2000,
    max_days: 7,
    ...more,
  });
const read = async (at: string): Promise<Body> => {
  const answer = await venue.api.get(at, { token: venue.admin });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const post = (at: string, body: object = {}) => venue.api.post(at, { token: venue.admin, body });
const query = () =>
  new URLSearchParams({ mac: venue.mac, ip: '10.5.50.9', login: 'http://10.5.50.1/login', orig: '', lang: 'en' });
const buyAt = () => `/w/${venue.nas}/buy`;
const purchases = async (): Promise<Body[]> => (await read('panel/purchase?per_page=200')).data;
const sales = async (): Promise<Body[]> => (await read('panel/reports/sales?per_page=200')).data;
const purchaseOf = (email: string) =>
  venue.rows(sql`select * from purchases where email = ${email} order by created_at desc`);
const reconcile = () => packageJobs[0]!.run(venue.api.app);

/** The router ends the session of the guest device. */
const goOffline = () =>
  venue.api.app.db.withSystem(tx => tx.run(sql`delete from online_sessions where client_mac = ${venue.mac}`));

let people = 0;
const newEmail = () => `guest${++people}@example.com`;

/** The form of the summary of a package. */
const summary = async (days = 3, id: string = day['id']) =>
  venue.captive.get(`${buyAt()}?${query()}&package=${id}&days=${days}`);
const confirm = async (email: string, { days = 3, more = {}, headers = {} } = {}) => {
  const page = await summary(days);
  expect(page.status, page.html).toBe(200);
  return venue.captive.post(buyAt(), { state: stateOf(page.html), lang: 'en', email, ...more }, headers);
};
const ticketIn = (location: string) => new URL(location).searchParams.get('username')!;

/** Lets the guest out for the payment as its router does, and returns the cookies of its browser. */
async function begin(email: string, days = 3) {
  const answer = await confirm(email, { days });
  expect(answer.status, answer.html).toBe(303);
  const ticket = ticketIn(answer.headers.get('location')!);
  const decision = await venue.routerAccepts(ticket);
  await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId: `s${email}` });
  const cookie = cookiesOf(answer);
  const [purchase] = await purchaseOf(email);
  return { answer, cookie, decision, purchase: purchase!, online: onlineOf(answer) };
}

/** Presses a button on the page of the test provider; returns where it sends the guest. */
async function decide(purchase: Body, decision: 'pay' | 'decline'): Promise<string> {
  const { pathname } = new URL(purchase['pay_url']);
  const page = await venue.captive.get(pathname);
  expect(page.html).toContain('Test provider');
  const answer = await venue.captive.post(pathname, { decide: decision });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location')!).pathname;
}

async function bought(days = 3) {
  const email = newEmail();
  const begun = await begin(email, days);
  const back = await venue.captive.get(await decide(begun.purchase, 'pay'));
  expect(back.status).toBe(303);
  const page = await venue.captive.get(back.headers.get('location')!, { cookie: begun.cookie });
  return { ...begun, email, page };
}

describe('packages', () => {
  test('need a profile with a price, and are checked field by field', async () => {
    const free = await venue.create('panel/location/user-profile', { name: 'Bedava', location_id: venue.location });
    const form = { location_id: venue.location, profile_id: profile, name: { en: 'A' }, price: 100, currency: 'eur' };
    for (const [wrong, field] of [
      [{ profile_id: free.id }, 'profile_id'],
      [{ profile_id: venue.location }, 'profile_id'],
      [{ name: {} }, 'name'],
      [{ price: 0 }, 'price'],
      [{ price: 1.5 }, 'price'],
      [{ currency: 'btc' }, 'currency'],
      [{ tax_rate: 10_001 }, 'tax_rate'],
      [{ min_days: 3, max_days: 2 }, 'max_days'],
    ] as const) {
      const answer = await post('panel/package', { ...form, ...wrong });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(wrong)).toEqual([422, [field]]);
    }
    const change = await venue.api.put(`panel/package/${day['id']}`, { token: venue.admin, body: { min_days: 9 } });
    expect([change.status, Object.keys(change.body.errors)]).toEqual([422, ['max_days']]);
    const deletion = await venue.api.delete(`panel/location/user-profile/${profile}`, { token: venue.admin });
    expect(deletion.status).toBe(409);
    expect(deletion.body.message).toContain('1 package');
  });

  test('get the profile that replaces a deleted one', async () => {
    const paid_sale = { is_active: true, option: 'eur', value: 5 };
    const former = { name: 'Eski', location_id: venue.location, paid_sale };
    const { id: profile_id } = await venue.create('panel/location/user-profile', former);
    const { id } = await make({ profile_id });
    const at = `panel/location/user-profile/${profile_id}?replacement_id=${profile}`;
    expect((await venue.api.delete(at, { token: venue.admin })).status).toBe(204);
    const { data } = await read(`panel/package?location_id=${venue.location}`);
    expect(data.find((it: Body) => it['id'] === id).profile_id).toBe(profile);
    expect((await venue.api.delete(`panel/package/${id}`, { token: venue.admin })).status).toBe(204);
  });

  test('are shown in the language of the guest, with the texts of the portal', async () => {
    await venue.update(`panel/portal/${venue.portal.id}`, {
      messages: {
        select_paid: { en: 'Pick one' },
        daily: { en: 'a day' },
        paid_information: { en: '<p>Fast <b>Wi-Fi</b></p>' },
      },
    });
    const arrival = await venue.captive.get(venue.arrival({ lang: 'en' }));
    expect(arrival.html).toContain('Pick one');
    const page = await venue.captive.get(`${buyAt()}?${query()}`);
    for (const text of [
      'Pick one',
      'a day',
      '<b>Wi-Fi</b>',
      'Day &lt;pass&gt;',
      '€4.99',
      'As fast as it gets',
      'Days chosen',
    ])
      expect(page.html, text).toContain(text);
    const order = await summary(3);
    // Its form leads to the router, which a browser refuses unless the policy allows it.
    expect(order.headers.get('content-security-policy')).toContain("form-action 'self' http:");
    for (const text of ['Days chosen', 'Total', '€14.97', '€2.50', 'Buy', 'Change package', '20%'])
      expect(order.html, text).toContain(text);
    const turkish = await venue.captive.get(`${buyAt()}?${query()}`.replace('lang=en', 'lang=tr'));
    expect(turkish.html).toContain('Günlük');
    expect(turkish.html).toContain('Satın aldığımı geri yükle');
    expect((await summary(8)).html).toContain('Pick one');
    expect((await venue.captive.get(`${buyAt()}?${query()}&package=${venue.location}`)).status).toBe(200);
  });
});

describe('a guest', () => {
  test('is let out to pay for ten minutes, pays, and is online with the days at once', async () => {
    const email = newEmail();
    const { decision, online, cookie, purchase } = await begin(email);
    expect(decision.outcome).toBe('accept');
    expect(decision['sessionTimeoutSeconds']).toBeLessThanOrEqual(600);
    expect(decision['sessionTimeoutSeconds']).toBeGreaterThan(580);
    expect(decision).toMatchObject({ downloadBps: 1_000_000, uploadBps: 1_000_000 });
    const next = await venue.captive.get(online, { cookie });
    expect(next.headers.get('location')).toContain('/pay?');
    const pay = await venue.captive.get(`/w/${venue.nas}/pay?lang=en`, { cookie });
    expect(pay.html).toContain(purchase['pay_url']);
    expect(pay.html).toContain('€14.97');

    const back = await venue.captive.get(await decide(purchase, 'pay'));
    const page = await venue.captive.get(back.headers.get('location')!, { cookie });
    expect(page.headers.get('location')).toContain(`/w/${venue.nas}/online`);
    const [paid] = await purchaseOf(email);
    expect(paid).toMatchObject({ state: 'paid', amount: 1497, tax: 250, currency: 'eur' });
    const visitor = (await read(`panel/client/${paid!['visitor_id']}`)).data;
    expect(visitor).toMatchObject({ profile_id: profile, total_paid_day: 3, special_profile: false, email });
    expect((Date.parse(visitor.session_end_at) - Date.now()) / 86_400_000).toBeCloseTo(3, 1);
    const [sale] = await sales();
    expect(sale).toMatchObject({ days: 3, unit_price: 4.99, total: 14.97, purchase_id: paid!['id'] });
    const [command] = await venue.rows(
      sql`select k.kind from session_commands k join online_sessions s on s.id = k.session_id where s.visitor_id = ${paid!['visitor_id']}`,
    );
    expect(command).toEqual({ kind: 'change' });
    const [mail] = await venue.rows(sql`select template, address from outbox_mails where address = ${email}`);
    expect(mail).toMatchObject({ template: 'purchase_receipt' });
  });

  test('gets one purchase, one sale and one receipt, however often anything is sent', async () => {
    const email = newEmail();
    const page = await summary();
    const form = { state: stateOf(page.html), lang: 'en', email };
    const clicks = await Promise.all([1, 2, 3].map(() => venue.captive.post(buyAt(), form)));
    expect(clicks.map(it => it.status)).toEqual([303, 303, 303]);
    expect(await purchaseOf(email)).toHaveLength(1);
    const [purchase] = await purchaseOf(email);
    const back = await decide(purchase!, 'pay');
    await Promise.all([1, 2, 3, 4].map(() => venue.captive.get(back)));
    await Promise.all([reconcile(), reconcile(), venue.captive.post(back, {})]);
    const rows = await venue.rows(sql`select * from sales where purchase_id = ${purchase!['id']}`);
    expect(rows).toHaveLength(1);
    expect(await venue.rows(sql`select 1 as n from outbox_mails where address = ${email}`)).toHaveLength(1);
    const [after] = await purchaseOf(email);
    expect((await read(`panel/client/${after!['visitor_id']}`)).data.total_paid_day).toBe(3);
  });

  test('who paid and was not connected comes back and gets in', async () => {
    const { cookie } = await bought(1);
    await goOffline();
    const again = await venue.captive.get(venue.arrival(), { cookie });
    expect(again.status, again.html).toBe(303);
    const decision = await venue.routerAccepts(ticketIn(again.headers.get('location')!));
    expect(decision.outcome).toBe('accept');
    expect(decision['sessionTimeoutSeconds']).toBeGreaterThan(86_000);
    expect((await venue.captive.get(venue.arrival())).status).toBe(200);
  });

  test('whose notification and return are lost is found by the job', async () => {
    const { purchase, email } = { ...(await begin(newEmail(), 1)), email: `guest${people}@example.com` };
    await decide(purchase, 'pay');
    await reconcile();
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'open' });
    await venue.run(sql`update purchases set check_at = now() where id = ${purchase['id']}`);
    await reconcile();
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'paid' });
  });

  test('who declines, or does not pay, has bought nothing, and the free minutes are limited', async () => {
    const email = newEmail();
    const { purchase, cookie } = await begin(email, 1);
    const back = await venue.captive.get(await decide(purchase, 'decline'));
    const page = await venue.captive.get(back.headers.get('location')!, { cookie });
    expect([page.status, page.html.includes('The payment did not go through')]).toEqual([422, true]);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'failed', paid_at: null });
    await goOffline();
    for (const left of [true, true, false]) {
      const answer = await confirm(email, { days: 1 });
      expect(answer.headers.get('location')!.startsWith('http://10.5.50.1/login')).toBe(left);
    }
  });

  test('cannot change the price, the terms or the purchase of the form', async () => {
    const page = await summary(3);
    const state = stateOf(page.html);
    const [payload, signature] = state.split('.');
    const cheap = Buffer.from(
      Buffer.from(payload!, 'base64url').toString().replace('"price":499', '"price":1'),
    ).toString('base64url');
    const email = newEmail();
    for (const forged of [`${cheap}.${signature}`, payload!, 'x'])
      expect((await venue.captive.post(buyAt(), { state: forged, email })).status).toBe(400);
    await venue.update(`panel/package/${day['id']}`, { price: 599 });
    expect((await venue.captive.post(buyAt(), { state, email })).status).toBe(400);
    await venue.update(`panel/package/${day['id']}`, { price: 499, is_active: false });
    expect((await venue.captive.post(buyAt(), { state, email })).status).toBe(400);
    await venue.update(`panel/package/${day['id']}`, { is_active: true });
    expect(await purchaseOf(email)).toHaveLength(0);
  });

  test('is told what is missing, and agrees first', async () => {
    for (const [fields, text] of [
      [{ email: '' }, 'Something is missing'],
      [{ email: 'x' }, 'This is not an e-mail address'],
      [{ email: 'a@example.com', phone: '12' }, 'This is not a mobile number'],
    ] as const) {
      const answer = await confirm('', { more: fields });
      expect([answer.status, answer.html.includes(text)], text).toEqual([422, true]);
    }
    await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: '<p>Terms</p>' } } });
    const refused = await confirm(newEmail());
    expect([refused.status, refused.html.includes('accept the terms')]).toEqual([422, true]);
    await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: '' } } });
  });

  test('reads the terms or changes the language, and finds again what it typed', async () => {
    const terms = (general: string) =>
      venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: general, de: general } } });
    await terms('<p>Our terms</p>');
    const email = newEmail();
    const summary = await venue.captive.get(
      venue.arrival({ package: day['id'], days: '2', lang: 'en' }).replace('?', '/buy?'),
    );
    expect(summary.html, 'a plain link would lose what was typed').not.toContain('/agreement/general');
    const agree = /name="agree"[^>]*value="(\w+)"/.exec(summary.html)![1]!;
    const fields = { state: stateOf(summary.html), lang: 'en', email, phone: '0532 111 22 33', agree };
    const led = await venue.captive.post(buyAt(), { ...fields, go: 'general' });
    expect(led.status).toBe(303);
    const to = led.headers.get('location')!;
    expect(to).toContain(`/agreement/general?`);
    expect(to, 'addresses are visible to everybody').not.toContain(encodeURIComponent(email));
    const cookie = cookiesOf(led);
    const page = await venue.captive.get(to, { cookie });
    expect(page.html).toContain('Our terms');
    const back = /href="([^"]*\/buy\?[^"]*)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    const shown = async (at: string, headers: Record<string, string> = { cookie }) => {
      const { html } = await venue.captive.get(at, headers);
      return [
        html.includes(`value="${email}"`),
        html.includes('value="0532 111 22 33"'),
        /name="agree"[^>]*checked/.test(html),
      ];
    };
    expect(await shown(back)).toEqual([true, true, true]);
    expect((await venue.captive.get(back, { cookie })).html).toContain('9.98');
    expect(await shown(back, {}), 'only in this browser').toEqual([false, false, false]);
    const german = await venue.captive.post(buyAt(), { ...fields, go: 'de' }, { cookie });
    expect(german.headers.get('location')).toContain('lang=de');
    expect(await shown(german.headers.get('location')!)).toEqual([true, true, true]);
    await terms('<p>Changed terms</p>');
    expect(await shown(back), 'changed terms are not accepted').toEqual([true, true, false]);
    venue.newMac();
    const other = venue.arrival({ package: day['id'], days: '2' }).replace('?', '/buy?');
    expect(await shown(other), 'only for this guest device').toEqual([false, false, false]);
    expect((await venue.captive.post(buyAt(), { ...fields, go: 'https://evil.example' })).status).toBe(400);
    expect((await venue.captive.post(buyAt(), { ...fields, state: 'x', go: 'general' })).status).toBe(400);
    expect(await purchaseOf(email)).toHaveLength(0);
    await terms('');
  });

  test('buys more of the same while it is online: the days add up', async () => {
    const { cookie, email } = await bought(1);
    const answer = await confirm(email, { days: 2, headers: { cookie } });
    expect(answer.headers.get('location')).toContain('/pay?');
    const [second] = await purchaseOf(email);
    await venue.captive.get(await decide(second!, 'pay'));
    const visitors = new Set((await purchaseOf(email)).map(it => it['visitor_id']));
    expect(visitors.size).toBe(1);
    const visitor = (await read(`panel/client/${[...visitors][0]}`)).data;
    expect(visitor.total_paid_day).toBe(3);
    expect((Date.parse(visitor.session_end_at) - Date.now()) / 86_400_000).toBeCloseTo(3, 1);
    // Taken back one by one: shorter, then over.
    const refund = await post(`panel/purchase/${second!['id']}/refund`, { reason: 'Fazla' });
    expect(refund.body.data.state).toBe('refunded');
    const shorter = (await read(`panel/client/${[...visitors][0]}`)).data;
    expect((Date.parse(shorter.session_end_at) - Date.now()) / 86_400_000).toBeCloseTo(1, 1);
  });
});

describe('a purchase is restored', () => {
  const restoreAt = () => `/w/${venue.nas}/restore`;
  const form = async (fields: Record<string, string>) => {
    const page = await venue.captive.get(`${restoreAt()}?${query()}`);
    return venue.captive.post(restoreAt(), { state: stateOf(page.html), lang: 'en', ...fields });
  };
  const codeOf = (purchase: Body) => venue.api.app.secrets.decrypt(purchase['code']);

  test('on another device, with the code of the receipt, as often as the profile has devices', async () => {
    const { email } = await bought(1);
    const code = codeOf((await purchaseOf(email))[0]!);
    venue.newMac();
    const answer = await form({ voucher: `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase() });
    expect(answer.status, answer.html).toBe(303);
    const ticket = ticketIn(answer.headers.get('location')!);
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId: 'second' });
    venue.newMac();
    const third = await form({ voucher: code });
    expect((await venue.routerAccepts(ticketIn(third.headers.get('location')!))).outcome).toBe('reject');
  });

  test('from a link of the sign-in page, also when nothing is on sale any more', async () => {
    const { email } = await bought(1);
    const code = codeOf((await purchaseOf(email))[0]!);
    venue.newMac();
    const linkOn = ({ html }: { html: string }) => /href="(\/w\/\w+\/restore\?[^"]*)"/.exec(html)?.[1];
    expect(linkOn(await venue.captive.get(venue.arrival()))).toBeDefined();
    await venue.run(sql`update packages set is_active = false`);
    onTestFinished(async () => void (await venue.run(sql`update packages set is_active = true`)));
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).not.toContain(`${buyAt()}?`);
    const restore = await venue.captive.get(linkOn(page)!.replace(/&(amp|#38);/g, '&'));
    expect(restore.status, linkOn(page)).toBe(200);
    const answer = await venue.captive.post(restoreAt(), { state: stateOf(restore.html), lang: 'en', voucher: code });
    expect(answer.status, answer.html).toBe(303);
    expect((await venue.routerAccepts(ticketIn(answer.headers.get('location')!))).outcome).toBe('accept');
    // A place that has sold nothing for a year does not offer it.
    await venue.run(sql`update purchases set created_at = created_at - interval '2 years'`);
    onTestFinished(
      async () => void (await venue.run(sql`update purchases set created_at = created_at + interval '2 years'`)),
    );
    expect(linkOn(await venue.captive.get(venue.arrival()))).toBeUndefined();
  });

  test('not with a wrong code, nor that of a refunded purchase; guesses are slowed down', async () => {
    const { email, purchase } = await bought(1);
    const code = codeOf((await purchaseOf(email))[0]!);
    await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Yanlış' });
    venue.newMac();
    expect((await form({ voucher: code })).html).toContain('This code is not right');
    const guesses = await Promise.all(Array.from({ length: 12 }, () => form({ voucher: '2222222222' })));
    expect(new Set(guesses.map(it => it.status))).toEqual(new Set([422, 429]));
  });

  test('by having the receipt sent again, to the address that bought, without telling whether there is one', async () => {
    const { email } = await bought(1);
    const mails = async (to: string) =>
      (await venue.rows(sql`select 1 as n from outbox_mails where address = ${to}`)).length;
    const [known, unknown] = [
      await form({ contact: email.toUpperCase() }),
      await form({ contact: 'nobody@example.com' }),
    ];
    const shown = (html: string) => html.replace(/name="state" value="[^"]*"|nonce="[^"]*"/g, '');
    expect(shown(known.html)).toBe(shown(unknown.html));
    expect([await mails(email), await mails('nobody@example.com')]).toEqual([2, 0]);
    await Promise.all(Array.from({ length: 6 }, () => form({ contact: email })));
    expect(await mails(email)).toBeLessThanOrEqual(4);
  });
});

describe('a refund', () => {
  test('ends the access, ends the session, and is a reversal in the report; the second one is refused', async () => {
    const { purchase, email } = await bought();
    const [row] = await purchaseOf(email);
    const answer = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Memnun kalmadı' });
    expect(answer.body.data).toMatchObject({ state: 'refunded', refund_reason: 'Memnun kalmadı' });
    const visitor = (await read(`panel/client/${row!['visitor_id']}`)).data;
    expect(Date.parse(visitor.session_end_at)).toBeLessThanOrEqual(Date.now() + 1000);
    const commands = await venue.rows(
      sql`select k.kind from session_commands k join online_sessions s on s.id = k.session_id where s.visitor_id = ${row!['visitor_id']}`,
    );
    expect(commands.some(it => it['kind'] === 'end')).toBe(true);
    const [reversal] = (await read(`panel/client/${row!['visitor_id']}/sales`)).data;
    expect(reversal).toMatchObject({ total: -14.97, days: -3, reason: 'Memnun kalmadı' });
    const again = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'x' });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['reason']]);
  });

  test('and a sale of the staff stay apart: an online sale is reversed by its refund only', async () => {
    await bought();
    const sale = (await sales()).find(it => it.purchase_id && it.total > 0)!;
    const answer = await post(`panel/reports/sales/${sale.id}/reverse`, { reason: 'x' });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['days']]);
  });

  test('by the bank or at the provider is found by asking', async () => {
    const disputed = await bought(1);
    venue.newMac();
    const returned = await bought(1);
    venue.newMac();
    const partly = await bought(1);
    await venue.run(sql`update test_payments set refunded = amount - 1 where reference = ${partly.purchase['id']}`);
    await venue.run(sql`update test_payments set disputed = true where reference = ${disputed.purchase['id']}`);
    await venue.run(sql`update test_payments set refunded = amount where reference = ${returned.purchase['id']}`);
    // Its router was deleted since.
    await venue.run(sql`update purchases set device_id = null where id = ${returned.purchase['id']}`);
    await venue.run(sql`update purchases set check_at = now() where state = 'paid'`);
    await reconcile();
    expect((await purchaseOf(disputed.email))[0]).toMatchObject({ state: 'charged-back' });
    expect((await purchaseOf(returned.email))[0]).toMatchObject({ state: 'refunded' });
    expect((await purchaseOf(partly.email))[0], 'not all of it').toMatchObject({ state: 'paid', returned: 498 });
    const total = await venue.rows(
      sql`select sum(total) as sum from sales where purchase_id = ${disputed.purchase['id']}`,
    );
    expect(Number(total[0]!['sum'])).toBe(0);
  });
});

test('a provider is not asked any more about a purchase that was declined, or that is a day old and unpaid', async () => {
  const declined = await begin(newEmail(), 1);
  await decide(declined.purchase, 'decline');
  venue.newMac();
  const old = await begin(newEmail(), 1);
  await venue.run(
    sql`update purchases set created_at = created_at - interval '25 hours' where id = ${old.purchase['id']}`,
  );
  const both = sql`id in (${declined.purchase['id']}, ${old.purchase['id']})`;
  await venue.run(sql`update purchases set check_at = now() where ${both}`);
  await reconcile();
  const next = await venue.rows(sql`select check_at from purchases where ${both}`);
  expect(next).toEqual([{ check_at: null }, { check_at: null }]);
});

describe('a provider that lies', () => {
  test.each([
    ['amount', sql`amount = 1`, '1 eur'],
    ['currency', sql`currency = 'usd'`, '499 usd'],
  ] as const)('about the %s gives no access, and is shown', async (problem, change, reported) => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    await venue.run(sql`update test_payments set ${change} where reference = ${purchase['id']}`);
    await venue.captive.get(await decide(purchase, 'pay'));
    const shown = (await purchases()).find(it => it.id === purchase['id']);
    expect(shown).toMatchObject({ state: 'refused', problem, reported });
    expect(await venue.rows(sql`select 1 as n from sales where purchase_id = ${purchase['id']}`)).toHaveLength(0);
    const refund = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Tutar yanlış' });
    expect(refund.body.data.state).toBe('refunded');
  });
});

describe('strangers', () => {
  test('can forge neither a return nor a notification', async () => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    const tenant = await venue.api.tenantId('panel');
    await decide(purchase, 'pay');
    for (const at of [
      `/pay/${tenant}/${purchase['id']}/${'0'.repeat(32)}`,
      `/pay/${tenant}/x/y`,
      `/pay/x/${purchase['id']}/z`,
    ])
      expect((await venue.captive.get(at)).status).toBe(404);
    const hook = `/pay/hook/${tenant}/${venue.location}`;
    expect((await venue.captive.post(hook, { id: purchase['id'] })).status).toBe(400);
    expect((await venue.captive.post(`/pay/hook/${venue.location}/${tenant}`, {})).status).toBe(404);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'open' });
    const signature = venue.api.app.secrets.sign(`test payment ${tenant} ${purchase['id']}`);
    const good = await fetch(venue.captive.url + hook, {
      method: 'POST',
      body: purchase['id'],
      headers: { 'x-test-signature': signature },
    });
    expect([good.status, await good.text()]).toEqual([200, 'OK']);
    expect((await purchaseOf(email))[0]).toMatchObject({ state: 'paid' });
  });

  test('with the MAC of a buyer, but not its browser, are not let in', async () => {
    await bought(1);
    await goOffline();
    expect((await venue.captive.get(venue.arrival())).status).toBe(200);
    expect((await venue.captive.get(`/w/${venue.nas}/pay?lang=en`)).html).toContain('does not know your purchase');
  });

  test('of other tenants and members without the permission see and refund nothing', async () => {
    const { purchase } = await bought(1);
    const member = await venue.api.user('member', { location: venue.location, permissions: ['view-clients'] });
    await venue.api.tenantId('elsewhere');
    const foreigner = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    const at = `panel/purchase/${purchase['id']}/refund`;
    expect((await venue.api.post(at, { token: member.token, body: { reason: 'x' } })).status).toBe(403);
    expect(
      (await venue.api.post(at, { token: foreigner.token, tenant: 'elsewhere', body: { reason: 'x' } })).status,
    ).toBe(404);
  });
});

describe('the figures', () => {
  test('of a package, of the report and of the file are the sums of the same rows', async () => {
    const rows = await sales();
    const cents = (list: Body[]) => list.reduce((sum, it) => sum + Math.round(it.total * 100), 0);
    const [mine] = (await read('panel/package')).data.filter((it: Body) => it.id === day['id']);
    expect(mine.revenue).toEqual([{ currency: 'eur', amount: cents(rows.filter(it => it.purchase_id)) }]);
    const paid = (await purchases()).filter(it => it.paid_at);
    expect(mine.sold).toBe(paid.length);
    const [some] = paid;
    for (const search of [some!.email.toUpperCase(), some!.payment])
      expect(
        (await read(`panel/purchase?search=${search}&state=${some!.state}`)).data.map((it: Body) => it.id),
      ).toContain(some!.id);
    expect((await read('panel/purchase?search=nobody@example.com')).data).toEqual([]);
    const today = (await read('panel/reports/total-sales-today')).data;
    expect(Math.round(today.total * 100)).toBe(cents(rows));
    const file = await venue.api.get('panel/purchase?download=true', { token: venue.admin, language: 'en' });
    expect(file.headers.get('content-disposition')).toContain('purchases.csv');
    const lines = file.text.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength((await purchases()).length);
    const columns = lines.map(it => it.split(','));
    const sum = columns
      .filter(it => it[1])
      .reduce((total, it) => total + Math.round(Number(it[7]) * 100) - Math.round(Number(it[11]) * 100), 0);
    expect(sum).toBe(cents(rows.filter(it => it.purchase_id)));
  });

  test('of the totals are the sums of the rows and of the file, with every filter', async () => {
    const today = (await venue.rows(sql`select local_day('Europe/Istanbul')::text as day`))[0]!['day'] as string;
    // Just before and after a midnight in Istanbul.
    const [late, early] = await purchases();
    await venue.run(sql`update purchases set created_at = '2026-03-01T20:59:59Z' where id = ${late!.id}`);
    await venue.run(sql`update purchases set created_at = '2026-03-01T21:00:00Z' where id = ${early!.id}`);
    await venue.run(sql`update locations set time_zone = 'Europe/Istanbul' where id = ${venue.location}`);
    for (const [filter, count] of [
      ['', undefined],
      ['state=paid', undefined],
      ['state=refunded', undefined],
      ['provider=test-payment', undefined],
      ['provider=stripe', 0],
      [`location_id=${venue.location}`, undefined],
      [`search=${late!.email}`, undefined],
      ['first_day=2026-03-01&last_day=2026-03-01', 1],
      ['first_day=2026-03-02&last_day=2026-03-02', 1],
      ['first_day=2026-03-01&last_day=2026-03-02', 2],
      ['last_day=2026-02-28', 0],
      [`first_day=${today}`, undefined],
    ] as const) {
      const rows: Body[] = (await read(`panel/purchase?per_page=200&${filter}`)).data;
      if (count !== undefined) expect(rows, filter).toHaveLength(count);
      const totals: Body[] = (await read(`panel/purchase/totals?${filter}`)).data;
      const paid = rows.filter(it => it.paid_at);
      const sum = (of: (it: Body) => number) => paid.reduce((all, it) => all + of(it), 0);
      const backOf = (it: Body): number => (it.refunded_at ? it.amount : it.returned);
      const all = {
        count: paid.length,
        paid: sum(it => it.amount),
        refunded: sum(backOf),
        tax: sum(it => Math.round((it.tax * (it.amount - backOf(it))) / it.amount)),
      };
      expect(totals, filter).toEqual(paid.length ? [{ provider: 'test-payment', currency: 'eur', ...all }] : []);
      const { text } = await venue.api.get(`panel/purchase?download=true&${filter}`, { token: venue.admin });
      const lines = text.trim().split('\r\n').slice(1);
      expect(
        lines.map(line => line.split(',')[0]),
        filter,
      ).toEqual(rows.map(it => it.id));
    }
    for (const field of ['first_day', 'last_day']) {
      const answer = await venue.api.get(`panel/purchase/totals?${field}=2026-02-30`, { token: venue.admin });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    }
    const bad = await venue.api.get('panel/purchase?provider=cash', { token: venue.admin });
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['provider']]);
    await venue.api.tenantId('elsewhere');
    const foreigner = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    const theirs = await venue.api.get('panel/purchase/totals', { token: foreigner.token, tenant: 'elsewhere' });
    expect(theirs.body.data).toEqual([]);
  });

  test('of a refund are shown at the desk of its location, without the guest', async () => {
    const { purchase, email } = await bought(2);
    await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Çalışmadı' });
    const desk = await venue.api.get(`panel/voucher-desk?location_id=${venue.location}`, { token: venue.admin });
    expect(desk.body.data.refunds[0]).toMatchObject({ amount: 998, currency: 'eur', reason: 'Çalışmadı' });
    expect(desk.text).not.toContain(email);
    const other = await venue.create('panel/location', { name: 'Başka' });
    const elsewhere = await venue.api.get(`panel/voucher-desk?location_id=${other.id}`, { token: venue.admin });
    expect(elsewhere.body.data.refunds).toEqual([]);
  });
});
