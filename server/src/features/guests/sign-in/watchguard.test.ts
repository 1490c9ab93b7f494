import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { keepUnreported } from '#features/sessions/unreported.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

const xtm = 'http://10.0.3.1:4106/wgcgi.cgi';
const serial = '70AB02716F745';
const secret = 'a-secret-of-the-firebox-itself-32';
let venue: Venue;
let firebox: { id: string; nas_identifier: string; portal_url: string };
beforeAll(async () => {
  venue = await startVenue();
  const brands = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const brand_id = brands.find((brand: { slug: string }) => brand.slug === 'watchguard').id;
  const body = { name: 'Firebox', brand_id, mac_address: serial, secret, location_id: venue.location };
  firebox = await venue.create('panel/device', body);
}, 120_000);
newGuestEachTest(() => venue);

let stamps = 1_344_238_620;
/** The query of a Firebox. */
const request = (more: Record<string, string> = {}) => {
  stamps += 1;
  const asked = { xtm, action: 'hotspot_auth', ts: String(stamps), sn: serial, mac: venue.mac.toLowerCase() };
  return { ...asked, redirect: 'http://www.example.com/', ...more };
};
const open = (asked: Record<string, string>) => venue.captive.get(`/wg?${new URLSearchParams(asked)}`);
const signInAt = () => `/w/${firebox.nas_identifier}/sign-in`;
const signIn = async (asked: Record<string, string>, username: string, headers = {}) => {
  const page = await open(asked);
  const form = { state: stateOf(page.html), method: 'username', username, password: 'parola 1' };
  return venue.captive.form(signInAt(), form, headers);
};
const sessions = () =>
  venue.rows(sql`select * from online_sessions where device_id = ${firebox.id} and client_mac = ${venue.mac}::macaddr`);

/** Moves a session in time; only the database's functions write sessions. */
const change = (how: string) => venue.api.app.db.pool.query(`update online_sessions ${how}`);

describe('a guest of a Firebox', () => {
  test('returns with a signed decision about the Firebox’s values, and its session begins when it is back', async () => {
    expect(firebox.portal_url).toBe('http://guests.example/wg');
    const asked = request();
    const answer = await signIn(asked, await venue.visitor());
    expect(answer.status, answer.html).toBe(303);
    const to = new URL(answer.headers.get('location')!);
    expect(to.origin + to.pathname).toBe(xtm);
    const said = Object.fromEntries(to.searchParams) as Record<string, string>;
    expect(said).toMatchObject({ action: 'hotspot_auth', ts: asked.ts, success: '1', idle_timeout: '0' });
    const signed = [said['ts'], asked.sn, asked.mac, '1', said['sess_timeout'], said['idle_timeout'], secret].join('');
    expect(said['sig']).toBe(createHash('sha1').update(signed).digest('hex'));
    expect(to.href).not.toContain(secret);
    // The guest carries the values, and the checksum does not tell where one ends: no other division gives more time.
    const digits = said['sess_timeout']! + said['idle_timeout']!;
    for (let end = 1; end < digits.length; end++)
      expect(Number(digits.slice(0, end))).toBeLessThanOrEqual(Number(said['sess_timeout']));

    expect(await sessions()).toHaveLength(0);
    const back = said['redirect']!.replace('http://guests.example', '');
    expect(back).not.toContain(venue.mac);
    expect((await venue.captive.get(back, { cookie: cookiesOf(answer) })).html).toContain('You are connected');
    expect(await sessions()).toHaveLength(1);
    await venue.captive.get(back);
    expect(await sessions(), 'loading the page twice opens one session').toHaveLength(1);
    const [session] = await sessions();
    expect(session!['visitor_id']).not.toBeNull();
    const list = await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin });
    // A Firebox counts nothing. That is not 0 bytes.
    expect(list.body.data).toMatchObject([{ upload: 0, download: 0, figures_reported: false }]);
    const ask = { token: venue.admin };
    const listed = await venue.api.get(`panel/reports/sessions?client_mac=${venue.mac}`, ask);
    expect(listed.body.data).toMatchObject([{ figures_reported: false }]);
    const visitor = session!['visitor_id'];
    for (const part of ['sessions', 'devices'])
      expect((await venue.api.get(`panel/client/${visitor}/${part}`, ask)).body.data).toMatchObject([
        { figures_reported: false },
      ]);
    const csv = await venue.api.get(`panel/reports/sessions?client_mac=${venue.mac}&download=true`, ask);
    expect(csv.text.trim().split('\n').at(-1)).toMatch(/,,$/);

    // The unreported session lasts for the granted time.
    await change(`set updated_at = now() - interval '1 hour'`);
    const begun = Date.now();
    await keepUnreported(venue.api.app);
    const [open] = await sessions();
    expect(new Date(open!['updated_at'] as string).getTime()).toBeGreaterThan(begun - 1000);
    const over = `replace(acct_session_id, split_part(acct_session_id, '-', 2), '1000000000')`;
    const named = `accounting_id(device_id, ${over}, '', upper(client_mac::text), class)`;
    await change(`set acct_session_id = ${over}, accounting_id = ${named}`);
    await keepUnreported(venue.api.app);
    expect(await sessions()).toHaveLength(0);
  });

  test('gets the session time that its limits allow', async () => {
    const ends = new Date(Date.now() + 600_000).toISOString();
    const answer = await signIn(request(), await venue.visitor({ session_end_at: ends }));
    const seconds = Number(new URL(answer.headers.get('location')!).searchParams.get('sess_timeout'));
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  test('gets no decision with a wrong password, and can try again in any language', async () => {
    const page = await open(request());
    expect(page.status).toBe(200);
    const go = await venue.captive.post(signInAt(), { state: stateOf(page.html), go: 'tr' });
    expect((await venue.captive.get(go.headers.get('location')!)).html).toContain('<html lang="tr"');
    const form = { state: stateOf(page.html), method: 'username', username: await venue.visitor(), password: 'no' };
    const answer = await venue.captive.form(signInAt(), form);
    expect([answer.status, answer.headers.get('location')]).toEqual([422, null]);
  });

  test('is admitted without a form if its device is bypassed', async () => {
    const rule = { mac: venue.mac, type: 'bypassed', comment: '' };
    await venue.create(`panel/device/${firebox.id}/macs`, rule);
    const answer = await open(request());
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('location')!).searchParams.get('success')).toBe('1');
  });

  test('sees that the Firebox refused, and how to start again', async () => {
    const page = await open({ error: '510', sn: serial, mac: venue.mac });
    expect(page.status).toBe(400);
    expect(page.html).toContain('href="http://neverssl.com/"');
  });
});

describe('a forged request', () => {
  test.each([
    ['an unknown serial number', { sn: 'NOBODYS' }, 404],
    ['no serial number', { sn: '' }, 404],
    ['an address on the internet', { xtm: 'http://evil.example/wgcgi.cgi' }, 400],
    ['a script for an address', { xtm: 'javascript:alert(1)' }, 400],
    ['no time stamp', { ts: '' }, 400],
    ['a time stamp that is none', { ts: '1 or 1=1' }, 400],
    ['no guest device', { mac: '' }, 400],
    ['what cannot be stored', { mac: '\0', redirect: '\ud800' }, 400],
  ])('with %s gets no form', async (_what, change, status) => {
    const page = await open(request(change));
    expect(page.status).toBe(status);
    expect(page.html).not.toContain('name="password"');
  });

  test('for another guest device or Firebox gets no form', async () => {
    for (const login of [`${xtm}?ts=1&sn=${serial}&mac=00:00:00:00:00:01`, `${xtm}?ts=1&sn=OTHER&mac=${venue.mac}`]) {
      const query = new URLSearchParams({ mac: venue.mac, ip: '', login, orig: '' });
      const page = await venue.captive.get(`/w/${firebox.nas_identifier}?${query}`);
      expect(page.status).toBe(400);
      expect(page.html).not.toContain('name="password"');
    }
  });
});
