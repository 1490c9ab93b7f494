import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { cookiesOf, stateOf } from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';
import { startShop, ticketIn } from './testing/shop.ts';

const {
  venue,
  profile,
  day,
  make,
  read,
  post,
  query,
  buyAt,
  sales,
  purchaseOf,
  reconcile,
  goOffline,
  newEmail,
  summary,
  confirm,
  begin,
  decide,
  bought,
} = await startShop();

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

  test('keep the texts in languages that a change does not send', async () => {
    const texts = { name: { en: 'Day', ka: 'დღე' }, description: { en: 'Fast', ka: 'სწრაფი' } };
    const { id } = await venue.create('panel/package', {
      ...{ location_id: venue.location, profile_id: profile, price: 100, currency: 'eur' },
      ...texts,
    });
    const change = (body: unknown) => venue.api.put(`panel/package/${id}`, { token: venue.admin, body });
    const changed = (await change({ name: { en: 'One day', de: 'Tag' }, description: { en: '' } })).body.data;
    expect(changed.name).toEqual({ en: 'One day', de: 'Tag', ka: 'დღე' });
    expect(changed.description).toEqual({ ka: 'სწრაფი' });
    expect((await change({ price: 200, description: null })).body.data).toMatchObject({
      name: changed.name,
      description: {},
    });
    const nameless = await change({ name: { en: '', de: '', ka: '' } });
    expect([nameless.status, Object.keys(nameless.body.errors)]).toEqual([422, ['name']]);
    await venue.api.delete(`panel/package/${id}`, { token: venue.admin });
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
    expect(order.html).toContain('<h1>Your purchase</h1>');
    // The invitation to choose is on the page before.
    expect(order.html).not.toContain('<b>Wi-Fi</b>');
    const turkish = await venue.captive.get(`${buyAt()}?${query()}`.replace('lang=en', 'lang=tr'));
    expect(turkish.html).toContain('Günlük');
    expect(turkish.html).toContain('Satın aldığımı geri yükle');
    const longer = await make({ min_days: 2, max_days: 4 });
    for (const [days, isSold] of [
      [0, false],
      [1, false],
      [2, true],
      [4, true],
      [5, false],
    ] as const)
      expect((await summary(days, longer['id'])).html.includes('<h1>Your purchase</h1>'), String(days)).toBe(isSold);
    expect((await venue.api.delete(`panel/package/${longer['id']}`, { token: venue.admin })).status).toBe(204);
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
    const email = newEmail();
    const { purchase } = await begin(email, 1);
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

  test('gets no fourth free minutes by two purchases at once', async () => {
    for (let n = 0; n < 2; n++) {
      await begin(newEmail());
      await goOffline();
    }
    const { pool } = venue.api.app.db;
    const client = await pool.connect();
    try {
      // Both purchases have begun before one of them gets its minutes.
      await client.query('begin; lock table visitors in share row exclusive mode');
      const both = [1, 2].map(() => confirm(newEmail()));
      const waiting = async () => {
        const { rowCount } = await pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rowCount;
      };
      await expect.poll(waiting).toBe(2);
      await client.query('commit');
      expect((await Promise.all(both)).map(it => it.status)).toEqual([303, 303]);
    } finally {
      await client.query('rollback');
      client.release();
    }
    const [given] = await venue.rows<{ n: number }>(
      sql`select count(*)::int as n from purchases where client_mac = ${venue.mac}::macaddr and window_at is not null`,
    );
    expect(given!.n).toBe(3);
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
      expect((await venue.captive.form(buyAt(), { state: forged, email })).status).toBe(400);
    await venue.update(`panel/package/${day['id']}`, { price: 599 });
    expect((await venue.captive.form(buyAt(), { state, email })).status).toBe(400);
    await venue.update(`panel/package/${day['id']}`, { price: 499, is_active: false });
    expect((await venue.captive.form(buyAt(), { state, email })).status).toBe(400);
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

  test('finds a refusal again when it loads the page or changes the language, until it is let out to pay', async () => {
    const email = newEmail();
    const fields = { state: stateOf((await summary(2)).html), lang: 'en', email };
    const answer = await venue.captive.post(buyAt(), { ...fields, phone: '12' });
    expect(answer.status).toBe(303);
    const to = answer.headers.get('location')!;
    expect(to, 'addresses are visible to everybody').not.toContain(encodeURIComponent(email));
    const cookie = cookiesOf(answer);
    const shown = async (at: string, text: string, headers: Record<string, string> = { cookie }) => {
      const { html, status } = await venue.captive.get(at, headers);
      return [status, html.includes(text), html.includes(`value="${email}"`), html.includes('value="12"')];
    };
    const [english, german] = ['This is not a mobile number', 'Das ist keine Mobil'];
    for (const _ of [1, 2]) expect(await shown(to, english)).toEqual([422, true, true, true]);
    expect(await shown(to, english, {}), 'in another browser').toEqual([200, true, false, false]);
    const again = await venue.captive.get(to, { cookie });
    const retry = { ...fields, state: stateOf(again.html) };
    const led = await venue.captive.post(buyAt(), { ...retry, phone: '12', go: 'de' }, { cookie });
    expect(await shown(led.headers.get('location')!, german, { cookie: cookiesOf(led) })).toEqual([
      422,
      true,
      true,
      true,
    ]);
    // Another choice is another purchase.
    const other = to.replace('days=2', 'days=3').replace(/&problem=\w+/, '');
    expect(await shown(other, english)).toEqual([200, false, true, true]);
    // A second press of the button is the same purchase.
    const paid = await venue.captive.post(buyAt(), retry, { cookie });
    expect(paid.status).toBe(303);
    expect(paid.headers.getSetCookie().join()).toContain('portico_form=;');
    await venue.captive.post(buyAt(), fields, { cookie });
    expect(await purchaseOf(email)).toHaveLength(1);
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
    expect((await venue.captive.form(buyAt(), { ...fields, go: 'https://evil.example' })).status).toBe(400);
    expect((await venue.captive.form(buyAt(), { ...fields, state: 'x', go: 'general' })).status).toBe(400);
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
