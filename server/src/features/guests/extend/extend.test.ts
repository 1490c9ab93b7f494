import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { cookiesOf, newGuestEachTest, onlineOf, startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
let profile: string;
beforeAll(async () => {
  venue = await startVenue();
  profile = (await venue.create('panel/location/user-profile', { name: 'Day', location_id: venue.location })).id;
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => venue.offer({ slug: 'voucher' }, { slug: 'username' }));

const hours = (value: number) => ({ is_active: true, option: 'hour', value });
/** The codes of a new batch. */
async function codesOf(more: object = {}): Promise<string[]> {
  const terms = { name: 'Gün', count: 2, valid_for: hours(2), profile_id: profile, price: 250, currency: 'eur' };
  const batch = await venue.create('panel/voucher-batch', { ...terms, location_id: venue.location, ...more });
  const at = `panel/voucher-batch/${batch.id}/cards`;
  const cards = (await venue.api.post(at, { token: venue.admin, body: {} })).body.data;
  return cards.map((it: { code: string }) => it.code);
}
/** Signs a guest in with a form, and reports its session. */
async function comeOnline(form: Record<string, string>) {
  const answer = await venue.submit(form);
  const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
  expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
  await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId: ticket.slice(0, 12) });
  const headers = { cookie: cookiesOf(answer) };
  return { at: onlineOf(answer), headers };
}
const withVoucher = (voucher: string) => comeOnline({ method: 'voucher', voucher });
const extendAt = () => `/w/${venue.nas}/extend`;
/** Sends a code, and loads the page that the answer leads to. */
async function add(voucher: string, headers: Record<string, string>) {
  const answer = await venue.captive.post(extendAt(), { voucher, lang: 'en' }, headers);
  expect(answer.status).toBe(303);
  return venue.captive.get(answer.headers.get('location')!, headers);
}
const ends = async () =>
  (
    await venue.rows<{ hours: number }>(sql`
      select round(extract(epoch from v.session_end_at - now()) / 3600)::int as hours from visitors v
      join online_sessions s on s.visitor_id = v.id where s.client_mac = ${venue.mac}::macaddr`)
  ).map(it => it.hours);
/** Revokes the voucher whose code this is, of one of the newest batches. */
async function revoke(code: string) {
  const batches = (await venue.api.get('panel/voucher-batch?per_page=3', { token: venue.admin })).body.data;
  const revoked: number[] = [];
  for (const batch of batches) {
    const at = `panel/voucher-batch/${batch.id}`;
    const found = await venue.api.get(`${at}/vouchers?search=${code.replace('-', '')}`, { token: venue.admin });
    if (!found.body.data.length) continue;
    const body = { voucher_ids: [found.body.data[0].id] };
    revoked.push((await venue.api.post(`${at}/revoke`, { token: venue.admin, body })).status);
  }
  expect(revoked).toEqual([200]);
}
/** Reverses the sale with this price. */
async function reverse(price: number) {
  const list = (await venue.api.get('panel/reports/sales?per_page=50', { token: venue.admin })).body.data;
  const { id } = list.find((it: { unit_price: number; days: number }) => it.unit_price === price && it.days > 0);
  const body = { reason: 'Geri' };
  const answer = await venue.api.post(`panel/reports/sales/${id}/reverse`, { token: venue.admin, body });
  expect(answer.status, answer.text).toBe(201);
}
const sales = async () => (await venue.rows<{ n: number }>(sql`select count(*)::int as n from sales`))[0]!.n;

describe('a guest with a voucher who is online', () => {
  test('adds another one; the session goes on and the router gets the new end', async () => {
    const [first, second] = await codesOf();
    const { at, headers } = await withVoucher(first!);
    const sold = await sales();
    expect((await venue.captive.get(`${at}&lang=en`, headers)).html).toContain(`action="${extendAt()}"`);
    const page = await add(second!.toLowerCase(), headers);
    expect(page.html).toContain('The voucher was added.');
    expect(await ends()).toEqual([4]);
    expect(await sales()).toBe(sold + 1);
    const commands = await venue.rows<{ kind: string }>(sql`
      select k.kind from session_commands k join online_sessions s on s.id = k.session_id where s.client_mac = ${venue.mac}::macaddr`);
    expect(commands.map(it => it.kind)).toEqual(['change']);
  });

  test('is not told of more time where the limit of a session leaves none', async () => {
    const short = { name: 'Hour', location_id: venue.location, session_duration: hours(1) };
    const { id } = await venue.create('panel/location/user-profile', short);
    const [first, second] = await codesOf({ profile_id: id });
    const { at, headers } = await withVoucher(first!);
    const left = async (page: { html: string }) => Number(/data-left="(\d+)"/.exec(page.html)?.[1]);
    const before = await left(await venue.captive.get(`${at}&lang=en`, headers));
    const page = await add(second!, headers);
    expect(before).toBeLessThanOrEqual(3600);
    expect(await left(page)).toBeLessThanOrEqual(before);
    expect(page.html).toContain('The voucher was added.');
    expect(page.html).not.toContain('extended');
    expect(await ends()).toEqual([4]);
  });

  test('keeps what the other voucher gave when one of them is revoked', async () => {
    for (const [revoked, left] of [
      [0, 5],
      [1, 2],
    ] as const) {
      venue.newMac();
      const [first] = await codesOf({ valid_for: hours(2) });
      const { headers } = await withVoucher(first!);
      const [second] = await codesOf({ valid_for: hours(5) });
      await add(second!, headers);
      expect(await ends()).toEqual([7]);
      const codes = [first!, second!];
      await revoke(codes[revoked]!);
      expect(await ends()).toEqual([left]);
      await revoke(codes[1 - revoked]!);
      expect(await ends()).toEqual([0]);
    }
  });

  test('keeps what the second of three vouchers gave when the first and then the last are revoked', async () => {
    const codes: string[] = [];
    const next = async (n: number) => {
      const [code] = await codesOf({ valid_for: hours(n) });
      codes.push(code!);
      return code!;
    };
    const { headers } = await withVoucher(await next(2));
    for (const n of [5, 1]) await add(await next(n), headers);
    expect(await ends()).toEqual([8]);
    await revoke(codes[0]!);
    expect(await ends()).toEqual([6]);
    await revoke(codes[2]!);
    expect(await ends()).toEqual([5]);
  });

  test('keeps the days by which the batch of the second voucher was extended when the first is revoked', async () => {
    const [first] = await codesOf();
    const { headers } = await withVoucher(first!);
    const [second] = await codesOf({ valid_for: hours(5) });
    await add(second!, headers);
    const [batch] = (await venue.api.get('panel/voucher-batch?per_page=1', { token: venue.admin })).body.data;
    const at = `panel/voucher-batch/${batch.id}/extend`;
    expect((await venue.api.post(at, { token: venue.admin, body: { days: 1 } })).status).toBe(200);
    expect(await ends()).toEqual([31]);
    await revoke(first!);
    expect(await ends()).toEqual([29]);
  });

  test('keeps what the other voucher gave when the sale of one is reversed', async () => {
    let price = 700;
    for (const [reversed, left] of [
      [0, 5],
      [1, 2],
    ] as const) {
      venue.newMac();
      const prices = [++price, ++price];
      const [first] = await codesOf({ valid_for: hours(2), price: prices[0]! });
      const { headers } = await withVoucher(first!);
      const [second] = await codesOf({ valid_for: hours(5), price: prices[1]! });
      await add(second!, headers);
      expect(await ends()).toEqual([7]);
      await reverse(prices[reversed]! / 100);
      expect(await ends()).toEqual([left]);
      await reverse(prices[1 - reversed]! / 100);
      expect(await ends()).toEqual([0]);
    }
  });

  test('keeps what the other voucher gave when one is revoked and its sale is then reversed', async () => {
    const [first] = await codesOf({ valid_for: hours(2), price: 800 });
    const { headers } = await withVoucher(first!);
    const [second] = await codesOf({ valid_for: hours(5), price: 801 });
    await add(second!, headers);
    await revoke(second!);
    expect(await ends()).toEqual([2]);
    await reverse(8.01);
    expect(await ends()).toEqual([2]);
    await reverse(8);
    expect(await ends()).toEqual([0]);
  });

  test('keeps an access without end when the sale of the voucher before it is reversed', async () => {
    const [first] = await codesOf({ valid_for: hours(2), price: 810 });
    const { headers } = await withVoucher(first!);
    const [second] = await codesOf({ valid_for: hours(5), price: 811 });
    await add(second!, headers);
    // An operator took the end away.
    await venue.run(sql`
      update visitors set session_end_at = null
      where id = (select visitor_id from online_sessions where client_mac = ${venue.mac}::macaddr)`);
    expect(await ends()).toEqual([null]);
    await reverse(8.1);
    expect(await ends()).toEqual([null]);
    await reverse(8.11);
    expect(await ends()).toEqual([0]);
  });

  test('is told what is wrong with a code, and nothing changes', async () => {
    const [first, used] = await codesOf();
    await withVoucher(used!);
    venue.newMac();
    const { headers } = await withVoucher(first!);
    const sold = await sales();
    const [elsewhere] = await codesOf({
      location_id: (await venue.create('panel/location', { name: 'Elsewhere' })).id,
      profile_id: null,
    });
    const [other] = await codesOf({ profile_id: null });
    const [late] = await codesOf({ name: 'Late' });
    await venue.run(sql`update voucher_batches set valid_until = current_date - 2 where name = 'Late'`);
    for (const [code, words] of [
      ['', 'Something is missing'],
      ['QQQQQ-QQQQQ', 'This code is not right'],
      ['\u0000', 'This code is not right'],
      [elsewhere!, 'This code is not right'],
      [used!, 'This voucher is no longer valid'],
      [first!, 'This voucher is no longer valid'],
      [late!, 'This voucher is no longer valid'],
      [other!, 'This voucher is for another kind of access'],
    ] as const)
      expect((await add(code, headers)).html, code).toContain(words);
    expect(await ends()).toEqual([2]);
    expect(await sales()).toBe(sold);
    const unused = await venue.rows(sql`select from vouchers where used_at is null`);
    expect(unused.length).toBeGreaterThan(3);
  });

  test('spends a code once, even if it is sent twice at once', async () => {
    const [first, second] = await codesOf();
    const { headers } = await withVoucher(first!);
    const both = await Promise.all([add(second!, headers), add(second!, headers)]);
    expect(both.filter(it => it.html.includes('The voucher was added.'))).toHaveLength(1);
    expect(await ends()).toEqual([4]);
  });

  test('gains no time beyond the last day of the voucher', async () => {
    const [first] = await codesOf({ valid_for: { ...hours(8), option: 'day' } });
    const { headers } = await withVoucher(first!);
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const [short] = await codesOf({ valid_until: day });
    expect((await add(short!, headers)).html).toContain('This voucher is no longer valid');
    expect(await ends()).toEqual([192]);
  });

  test('guesses a few times only', async () => {
    const [first, second] = await codesOf();
    const { headers } = await withVoucher(first!);
    for (let i = 0; i < 9; i += 1) await add('QQQQQ-QQQQQ', headers);
    await holdBlocks(venue.api.app);
    const refused = await venue.captive.post(extendAt(), { voucher: second!, lang: 'en' }, headers);
    const page = () => venue.captive.get(refused.headers.get('location')!, headers);
    expect((await page()).html).toMatch(/data-wait="\d+".*Too many attempts/s);
    expect(await ends()).toEqual([2]);
    // The page that is loaded again after the wait asks for none.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_620_000 });
    onTestFinished(() => void vi.useRealTimers());
    const over = (await page()).html;
    vi.useRealTimers();
    expect(over).toContain(`action="${extendAt()}"`);
    expect(over).not.toMatch(/Too many attempts|aria-invalid="true"/);
  });
});

describe('a guest without a voucher', () => {
  const noBytes = { uploadBytes: 0, downloadBytes: 0 };
  /** Comes online with a user name whose access ends in so many minutes. */
  async function online(minutes: number | null) {
    const username = await venue.visitor();
    const end = minutes === null ? null : new Date(Date.now() + minutes * 60_000).toISOString();
    await venue.run(sql`update visitors set session_end_at = ${end} where username = ${username}`);
    const answer = await venue.submit({ username, password: 'parola 1' });
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    const sessionId = ticket.slice(0, 12);
    await venue.routerStarts(ticket, noBytes, { sessionId });
    const ends = () => venue.routerStarts(ticket, noBytes, { sessionId, status: 'stop' });
    return { at: onlineOf(answer), headers: { cookie: cookiesOf(answer) }, ends };
  }
  const send = (voucher: string, headers: Record<string, string>) =>
    venue.captive.post(extendAt(), { voucher, lang: 'en' }, headers);
  const unused = async () =>
    (await venue.rows<{ n: number }>(sql`select count(*)::int as n from vouchers where used_at is null`))[0]!.n;

  test('goes on with one when the time is nearly over; the first session ends, then the voucher signs in', async () => {
    const [code] = await codesOf();
    const { at, headers, ends: routerEnds } = await online(10);
    const page = await venue.captive.get(`${at}&lang=en`, headers);
    expect(page.html).toContain('Your access is nearly over');
    expect(page.html).toContain('Continue with a voucher');
    // The form leads to the router in the end, which browsers check.
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self' http:/);
    const sold = await sales();
    const answer = await send(code!, headers);
    expect(answer.headers.get('location')).toBe(`/w/${venue.nas}/switch?lang=en`);
    expect(answer.headers.get('location')).not.toContain(code);
    const both = { cookie: `${headers.cookie}; ${cookiesOf(answer)}` };
    // The router has not reported the end.
    const waiting = await venue.captive.get(answer.headers.get('location')!, both);
    expect(waiting.html).toContain('Almost there');
    expect(waiting.html).toContain(`/w/${venue.nas}/switch?lang=en&amp;n=1`);
    const asked = await venue.rows(sql`
      select k.reason from session_commands k join online_sessions s on s.id = k.session_id where s.client_mac = ${venue.mac}::macaddr`);
    expect(asked).toEqual([{ reason: 'guest' }]);
    await routerEnds();
    const admitted = await venue.captive.get(`/w/${venue.nas}/switch?lang=en&n=1`, both);
    const ticket = new URL(admitted.headers.get('location')!).searchParams.get('username')!;
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    await venue.routerStarts(ticket, noBytes, { sessionId: 'second' });
    expect(await ends()).toEqual([2]);
    expect(await sales()).toBe(sold + 1);
    // Now it is a guest of a voucher, who can add another. The old link leads to the status page.
    const now = { cookie: `${cookiesOf(admitted)}; ${cookiesOf(answer)}` };
    expect((await venue.captive.get(`${onlineOf(admitted)}&lang=en`, now)).html).toContain('Add another voucher');
    const late = await venue.captive.get(`/w/${venue.nas}/switch?lang=en`, now);
    expect(late.headers.get('location')).toBe(`/w/${venue.nas}/online?lang=en`);
  });

  test('is not asked while much is left, and its code is not spent', async () => {
    const [code] = await codesOf();
    for (const minutes of [60, null]) {
      venue.newMac();
      const { at, headers } = await online(minutes);
      const before = await unused();
      expect((await venue.captive.get(`${at}&lang=en`, headers)).html).not.toContain(extendAt());
      const answer = await send(code!, headers);
      expect(answer.headers.get('location')).not.toContain('switch');
      expect(await unused()).toBe(before);
    }
  });

  test('keeps the session when the code is wrong, over, or in use on as many devices as it may be', async () => {
    const [used] = await codesOf();
    await withVoucher(used!);
    venue.newMac();
    const { headers } = await online(5);
    for (const [code, words] of [
      ['', 'Something is missing'],
      ['QQQQQ-QQQQQ', 'This code is not right'],
      [used!, 'Too many devices'],
    ] as const)
      expect((await add(code, headers)).html, code).toContain(words);
    const open = await venue.rows(sql`select from online_sessions where client_mac = ${venue.mac}::macaddr`);
    expect(open).toHaveLength(1);
  });

  test('accepts new agreements first; until then no code is spent', async () => {
    const [code] = await codesOf();
    const { headers } = await online(5);
    const agreements = (text: string) =>
      venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: text } } });
    await agreements('<p>Be kind</p>');
    await expect
      .poll(async () => (await venue.captive.get(venue.arrival({ lang: 'en' }))).html)
      .toContain('name="agree"');
    const before = await unused();
    const answer = await send(code!, headers);
    expect(answer.headers.get('location')).toContain('step=form');
    expect(answer.headers.get('set-cookie') ?? '').not.toContain('portico_switch');
    expect(await unused()).toBe(before);
    const form = await venue.captive.get(answer.headers.get('location')!, headers);
    expect(form.html).toContain('name="agree"');
    await agreements('');
    await expect
      .poll(async () => (await venue.captive.get(venue.arrival({ lang: 'en' }))).html)
      .not.toContain('name="agree"');
  });

  test('cannot switch without both cookies, or with those of another guest', async () => {
    const [code] = await codesOf();
    const one = await online(5);
    const answer = await send(code!, one.headers);
    const ticketed = cookiesOf(answer);
    venue.newMac();
    const other = await online(5);
    for (const cookie of ['', ticketed, one.headers.cookie, `${other.headers.cookie}; ${ticketed}`]) {
      const got = await venue.captive.get(`/w/${venue.nas}/switch?lang=en`, { cookie });
      expect(got.headers.get('location'), cookie).toBe(`/w/${venue.nas}/online?lang=en`);
    }
  });
});

describe('others', () => {
  test('cannot use the page: no cookie, a forged one, a guest without a voucher, one who is offline', async () => {
    const [first, second, third] = await codesOf({ count: 3 });
    const guest = await withVoucher(first!);
    const post = (headers: Record<string, string>) =>
      venue.captive.post(extendAt(), { voucher: second!, lang: 'en' }, headers);
    const before = await ends();
    expect((await post({})).headers.get('location')).toContain('visit_unknown');
    const forged = guest.headers.cookie.replace(/portico_visit=./, 'portico_visit=x');
    expect((await post({ cookie: forged })).headers.get('location')).toContain('visit_unknown');
    venue.newMac();
    // Its router has reported no session.
    const offline = { cookie: cookiesOf(await venue.submit({ method: 'voucher', voucher: third! })) };
    expect((await add(second!, offline)).html).toContain('Sign in again');

    venue.newMac();
    const named = await comeOnline({ username: await venue.visitor(), password: 'parola 1' });
    expect((await venue.captive.get(`${named.at}&lang=en`, named.headers)).html).not.toContain(extendAt());
    expect((await add(second!, named.headers)).html).not.toContain('extended');
    expect(before).toEqual([2]);

    await venue.offer({ slug: 'username' });
    expect((await add(second!, guest.headers)).html, 'a portal without vouchers').not.toContain('extended');
    expect(await venue.rows(sql`select from vouchers where used_at is null`)).not.toHaveLength(0);
    await venue.offer({ slug: 'voucher' });
    // It is still good.
    venue.newMac();
    await withVoucher(second!);
    expect(await ends()).toEqual([2]);
  });
});
