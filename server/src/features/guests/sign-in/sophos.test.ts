import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { routerAt } from '#features/sessions/testing/router.ts';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

const login = 'https://192.168.5.1:8090/';
let venue: Venue;
let nas: string;
let firewall: { id: string; nas_identifier: string };
beforeAll(async () => {
  venue = await startVenue();
  await venue.run(sql`update locations set time_zone = ${zoneAtNoon()}`);
  firewall = await addFirewall('02:00:00:00:00:77');
  nas = firewall.nas_identifier;
  await venue.create(`panel/device/${firewall.id}/macs`, { mac: 'AA:AA:AA:AA:AA:AA', type: 'bypassed', comment: '' });
}, 120_000);
newGuestEachTest(() => venue);

async function addFirewall(mac_address: string): Promise<typeof firewall> {
  const brands = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const brand_id = brands.find((brand: { slug: string }) => brand.slug === 'sophos').id;
  return venue.create('panel/device', { name: 'Sophos', brand_id, mac_address, location_id: venue.location });
}
const open = (more: Record<string, string> = {}, cookie = '', at = nas) =>
  venue.captive.get(`/w/${at}?${new URLSearchParams({ login, orig: '', ...more })}`, { cookie });
const cookieOf = (page: { headers: Headers }) => /portico_device=[^;]+/.exec(page.headers.get('set-cookie') ?? '')?.[0];
const macOf = (html: string) => JSON.parse(Buffer.from(stateOf(html).split('.')[0]!, 'base64url').toString())[1];

describe('a guest of a Sophos firewall', () => {
  test('shows the doctor that the portal is reachable, and the version of the page template', async () => {
    const another = await addFirewall('02:00:00:00:00:78');
    const arrive = (v: string) => open({ v }, '', another.nas_identifier);
    const checks = async () =>
      Object.fromEntries(
        (await venue.api.post(`panel/device/${another.id}/doctor`, { token: venue.admin })).body.data.map(
          (it: { name: string; state: string; reason: string }) => [it.name, it.reason],
        ),
      );
    expect(await checks()).toMatchObject({ garden: 'none', login_page: 'none' });
    await arrive('1');
    expect(await checks()).toMatchObject({ garden: 'ok', login_page: 'old' });
    await arrive('3');
    expect(await checks()).toMatchObject({ garden: 'ok', login_page: 'ok' });
  });

  test('signs in without a known MAC, and returns to the firewall with a ticket', async () => {
    const page = await open();
    expect(page.status).toBe(200);
    const form = {
      state: stateOf(page.html),
      method: 'username',
      username: await venue.visitor(),
      password: 'parola 1',
    };
    const answer = await venue.captive.form(`/w/${nas}/sign-in`, form);
    expect(answer.status, answer.html).toBe(303);
    const to = new URL(answer.headers.get('location')!);
    expect(to.origin + to.pathname).toBe(login);
    expect(to.searchParams.get('username')).toBe(to.searchParams.get('password'));
    expect(to.searchParams.get('dst')).toBe(`http://guests.example/w/${nas}/online?new=1`);
  });

  test('keeps its pseudo MAC, which cannot be forged', async () => {
    const first = await open();
    const mac = macOf(first.html);
    expect(mac, 'a group address, which no device has').toMatch(/^.[37BF]:/);
    expect(macOf((await open({}, cookieOf(first))).html)).toBe(mac);
    for (const cookie of ['', `portico_device=${mac.replaceAll(':', '').toLowerCase()}.${'0'.repeat(32)}`])
      expect(macOf((await open({}, cookie)).html)).not.toBe(mac);
  });

  test('gets no pseudo MAC of another guest by a link, beside the page for that guest’s code', async () => {
    await venue.offer({ slug: 'username', options: {} }, { slug: 'sms', options: {} });
    const first = await open();
    const form = { state: stateOf(first.html), method: 'sms', phone: '0532 123 45 11', lang: 'en' };
    const sent = (await venue.captive.post(`/w/${nas}/sign-in`, form)).headers.get('location')!;
    const kept = new URLSearchParams(sent).get('kept')!;
    const page = await venue.captive.get(sent);
    expect([macOf(page.html), page.html.includes('Enter the code')]).toEqual([macOf(first.html), true]);
    const cookie = cookieOf(page)!;
    expect(macOf((await open({}, cookie)).html)).not.toBe(macOf(first.html));
    for (const more of [{}, { step: 'visit' }, { step: 'form', error: 'Login failed' }])
      expect(macOf((await open({ ...more, kept })).html)).not.toBe(macOf(first.html));
    expect(macOf((await open({ step: 'form', kept }, cookie)).html)).not.toBe(macOf(first.html));
  });

  test('cannot set its own MAC', async () => {
    const page = await open({ mac: 'AA:AA:AA:AA:AA:AA' });
    expect(page.status).toBe(200);
    expect(macOf(page.html)).not.toBe('AA:AA:AA:AA:AA:AA');
    expect((await open({ login: 'https://evil.example/' })).status).toBe(400);
    expect((await open({ login: '' })).status).toBe(400);
  });

  describe('without script', () => {
    const plain = (headers: Record<string, string> = {}) => venue.captive.get(`/w/${nas}?step=plain&v=3`, headers);
    const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
    const nextOf = (html: string) => /href="([^"]*)" data-next/.exec(html)![1]!.replaceAll('&amp;', '&');

    const followed = (at: string, cookie = '') => venue.captive.get(at, { cookie, 'accept-language': 'en' });
    async function signIn(headers: Record<string, string>) {
      const page = await plain(headers);
      const cookie = cookieOf(page)!;
      const username = await venue.visitor();
      const form = {
        state: stateOf(page.html),
        method: 'username',
        username,
        password: 'parola 1',
      };
      const sent = await venue.captive.form(`/w/${nas}/sign-in`, form, { cookie });
      expect(sent.status, sent.html).toBe(303);
      const browser = `${cookie}; ${cookiesOf(sent)}`;
      return { cookie: browser, username, answer: await followed(sent.headers.get('location')!, browser) };
    }
    const ask = async (ticket: string, mac: string) => (await routerAt(venue.api.app, nas)).asks(ticket, { mac });

    test('posts the ticket to its firewall by a form, and sees the outcome', async () => {
      const { cookie, answer } = await signIn({ referer: `${login}?url=http%3A%2F%2Fexample.com%2Fnews` });
      expect(answer.status, answer.html).toBe(200);
      expect(answer.html).toContain('action="https://192.168.5.1:8090/login.xml"');
      expect(answer.headers.get('content-security-policy')).toMatch(/form-action 'self' https:; .*frame-src https:/);
      const ticket = hidden(answer.html, 'username');
      expect(ticket.length).toBeGreaterThan(20);
      expect(hidden(answer.html, 'password')).toBe(ticket);
      expect(hidden(answer.html, 'mode')).toBe('191');

      expect(answer.html).not.toContain('role="alert"');
      const early = await venue.captive.get(nextOf(answer.html), { cookie });
      expect(early.html, 'the firewall has sent no guest').toContain('role="alert"');
      expect(hidden(early.html, 'username')).toBe(ticket);
      expect((await ask(ticket, 'D0:00:00:00:00:01')).outcome).toBe('accept');
      const waiting = await venue.captive.get(nextOf(answer.html), { cookie });
      expect(waiting.html).toContain('http-equiv="refresh"');
      expect(waiting.html).not.toContain(`value="${ticket}"`);

      const again = await venue.captive.get(`/w/${nas}?step=plain`, { referer: login, cookie });
      expect(macOf(again.html), 'the firewall has told the MAC').toBe('D0:00:00:00:00:01');
    });

    test('sees why the firewall refused it, or that the ticket has expired', async () => {
      const { answer, cookie } = await signIn({ referer: login });
      const ticket = hidden(answer.html, 'username');
      await venue.run(sql`update tickets set expires_at = now() where hash = sha256(${ticket}::bytea)`);
      expect((await venue.captive.get(nextOf(answer.html), { cookie })).html).toContain('That took too long');
      const other = await signIn({ referer: login });
      await venue.run(sql`update visitors set session_end_at = now() where username = ${other.username}`);
      expect((await ask(hidden(other.answer.html, 'username'), 'D0:00:00:00:00:02')).outcome).toBe('reject');
      const expired = await venue.captive.get(nextOf(other.answer.html), { cookie: other.cookie });
      expect(expired.html).toContain('Your access has ended');
    });

    test('is sent only to the firewall, whatever the Referer says', async () => {
      expect((await plain({ referer: 'https://evil.example/' })).status).toBe(400);
      expect((await plain()).status).toBe(400);
      await venue.run(sql`update devices set hotspot_address = '192.168.7.1' where id = ${firewall.id}`);
      for (const referer of ['https://evil.example/', 'https://192.168.5.1:8090/', '']) {
        const { answer } = await signIn({ referer });
        expect(answer.html).toContain('action="https://192.168.7.1:8090/login.xml"');
      }
      await venue.run(sql`update devices set hotspot_address = null where id = ${firewall.id}`);
    });
  });

  test('counts as one device, and is refused by RADIUS when it is one too many', async () => {
    const username = await venue.visitor({ special_profile: true, shared_user: 1 });
    const firewall = await routerAt(venue.api.app, nas);
    const submit = async (cookie: string) => {
      const page = await open({}, cookie);
      const form = { state: stateOf(page.html), method: 'username', username, password: 'parola 1' };
      const answer = await venue.captive.form(`/w/${nas}/sign-in`, form, { cookie: cookie || cookieOf(page)! });
      return { cookie: cookie || cookieOf(page)!, answer };
    };
    const ticketOf = ({ answer }: Awaited<ReturnType<typeof submit>>) =>
      new URL(answer.headers.get('location')!).searchParams.get('username')!;
    const ask = (ticket: string, mac: string) => firewall.asks(ticket, { mac });
    const mine = 'D0:00:00:00:00:11';
    const first = await submit('');
    const ticket = ticketOf(first);
    expect((await ask(ticket, mine)).outcome).toBe('accept');
    await firewall.reports('start', ticket, { sessionId: 's11', mac: mine });
    const again = await submit(first.cookie);
    expect(again.answer.status, again.answer.html).toBe(303);
    expect((await ask(ticketOf(again), mine)).outcome).toBe('accept');

    // An unknown browser may be on this device or on another; only the firewall can tell.
    const stranger = await submit('');
    expect((await ask(ticketOf(stranger), 'D0:00:00:00:00:12')).outcome).toBe('reject');
    const error = 'Login failed. Invalid user name/password.';
    const refused = await open({ error }, stranger.cookie);
    expect(refused.html, 'the guest can end one of its sessions').toContain('D0:00:••:••:••:11');
    expect((await open({ error })).html, 'nothing about another browser').not.toContain('D0:00:••:••:••:11');

    // After the deletion of its data, the browser is unknown.
    const named = () => venue.rows(sql`select pseudo_mac from pseudo_macs where client_mac = ${mine}::macaddr`);
    expect(await named()).toHaveLength(1);
    const erased = await venue.captive.form(`/w/${nas}/my-data/delete`, {}, { cookie: cookiesOf(first.answer) });
    expect(erased.status).toBe(303);
    expect(await named()).toEqual([]);
  });

  test('has free access once a day per device, with any browser', async () => {
    await venue.offer({ slug: 'username', options: {} }, { slug: 'temp', options: {} });
    await venue.update(`panel/location/${venue.location}`, {
      name: 'Kafe',
      time_limit_enabled: true,
      time_limit: 30,
      time_limit_unit: 'minute',
    });
    const firewall = await routerAt(venue.api.app, nas);
    const submit = async (cookie = '') => {
      const page = await open({}, cookie);
      const form = { state: stateOf(page.html), method: 'temp' };
      const answer = await venue.captive.form(`/w/${nas}/sign-in`, form, { cookie: cookie || cookieOf(page)! });
      return { cookie: cookie || cookieOf(page)!, answer };
    };
    const radiusOutcome = async ({ answer }: Awaited<ReturnType<typeof submit>>, mac: string) => {
      expect(answer.status, answer.html).toBe(303);
      const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
      return (await firewall.asks(ticket, { mac })).outcome;
    };
    const mine = 'D0:00:00:00:00:21';
    const free = () =>
      venue.rows(sql`select name, session_end_at <= now() as over from visitors where portal_mac = ${mine}::macaddr`);
    const at = (start: string, end: string) =>
      venue.run(sql`update visitors set session_start_at = now() + ${start}::interval, session_end_at = now() + ${end}::interval
        where portal_mac = ${mine}::macaddr`);

    const first = await submit();
    expect(await radiusOutcome(first, mine)).toBe('accept');
    expect(await free()).toEqual([{ name: mine, over: false }]);
    // A second browser of the device gets the rest of the time.
    await at('0', '10 minutes');
    expect(await radiusOutcome(await submit(), mine)).toBe('accept');
    const newest = sql`
      select session_end_at <= now() + interval '10 minutes' as is_cut from visitors order by created_at desc, id desc limit 1`;
    expect(await venue.rows(newest)).toEqual([{ is_cut: true }]);
    await at('0', '-1 second');
    // The firewall has told the browser's MAC, whose free access is used up.
    expect((await submit(first.cookie)).answer.status).toBe(422);
    // Another browser is unknown until the firewall asks; then it is refused, and known.
    const other = await submit();
    expect(await radiusOutcome(other, mine)).toBe('reject');
    expect((await submit(other.cookie)).answer.status).toBe(422);
    expect(await radiusOutcome(await submit(), 'D0:00:00:00:00:22'), 'another device is admitted').toBe('accept');

    // On another day it starts again, once, with any browser.
    await at('-2 days', '-1 day');
    const later = await submit();
    expect(await radiusOutcome(later, mine)).toBe('accept');
    expect(await free()).toEqual([{ name: mine, over: false }]);
    await at('0', '-1 second');
    expect((await submit(later.cookie)).answer.status).toBe(422);
    expect((await submit(first.cookie)).answer.status).toBe(422);
  });

  test('logs out at the firewall, by its page or by a form', async () => {
    const page = await open();
    const form = {
      state: stateOf(page.html),
      method: 'username',
      username: await venue.visitor(),
      password: 'parola 1',
    };
    const answer = await venue.captive.form(`/w/${nas}/sign-in`, form);
    const out = await venue.captive.form(`/w/${nas}/log-out`, {}, { cookie: cookiesOf(answer) });
    expect(out.headers.get('location')).toBe(`${login}?logout=`);
  });
});
