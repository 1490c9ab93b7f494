import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import type { Body } from '#test/harness.ts';
import { cookiesOf, login, newGuestEachTest, onlineOf, startVenue, stateOf, type Venue } from './testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

describe('a guest sent by a router', () => {
  test('sees the location’s portal, signs in without script, and returns to the router with a one-time ticket', async () => {
    const username = await venue.visitor();
    const page = await venue.captive.get(venue.arrival());
    expect(page.status).toBe(200);
    expect(page.html).toContain('Kafe &lt;Çınar&gt;');
    expect(page.html).toMatch(/<form [^>]*method="post"/);
    const answer = await venue.submit({ username: ` ${username} `, password: 'parola 1' });
    expect(answer.status).toBe(303);
    const back = new URL(answer.headers.get('location')!);
    expect(back.origin + back.pathname).toBe(login);
    const ticket = back.searchParams.get('username')!;
    expect(ticket).toMatch(/^[a-z0-9]{32}$/);
    expect(back.searchParams.get('password')).toBe(ticket);
    expect(back.searchParams.get('dst')).toBe(`http://guests.example/w/${venue.nas}/online?new=1`);
    expect(answer.headers.getSetCookie().join()).toMatch(
      new RegExp(`portico_visit=[^;]+; Path=/w/${venue.nas}; Max-Age=43200; SameSite=Lax; HttpOnly`),
    );

    const before = await venue.openOnline(answer);
    expect(before.html).toContain('data-refresh=');
    expect((await venue.routerAccepts(ticket, '02:00:00:00:00:99')).outcome).toBe('reject');
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    expect((await venue.routerAccepts(ticket)).outcome).toBe('reject');

    await venue.routerStarts(ticket, { uploadBytes: 1_000_000, downloadBytes: 2_000_000 });
    const online = await venue.openOnline(answer);
    expect(online.html).toContain('You are connected');
    expect(online.html).toContain(`action="/w/${venue.nas}/log-out"`);
    expect(online.headers.get('content-security-policy')).toContain("form-action 'self' http:");
    const logOut = (cookie: string) => venue.captive.form(`/w/${venue.nas}/log-out`, { lang: 'en' }, { cookie });
    expect((await logOut('')).status).toBe(403);
    const out = await logOut(cookiesOf(answer));
    expect([out.status, out.headers.get('location')]).toEqual([303, 'http://10.5.50.1/logout']);
    expect(out.headers.getSetCookie().join()).toContain('portico_visit=; Path=');
    expect(online.html).toContain('href="http://example.com/news"');
    expect(online.html).toMatch(/<dt>Data used<\/dt><dd data-bytes="3000000">3 MB<\/dd>/);
    expect(online.html).toMatch(/<dt>Time left<\/dt><dd>Unlimited<\/dd>/);

    // The same address, loaded again after the end.
    await venue.routerStarts(ticket, { uploadBytes: 1_000_000, downloadBytes: 2_000_000 }, { status: 'stop' });
    const over = await venue.captive.get(onlineOf(answer), { cookie: cookiesOf(online) });
    expect(over.html).toContain('Your session has ended');
    expect((await venue.captive.get(onlineOf(answer), { cookie: cookiesOf(answer) })).html).toContain('data-refresh=');
  });

  test('gets the browser’s language, or the one it chose, which is remembered', async () => {
    const lang = async (headers: Record<string, string>, more = {}) =>
      /<html lang="(\w+)" dir="(\w+)"/
        .exec((await venue.captive.get(venue.arrival(more), headers)).html)!
        .slice(1)
        .join(' ');
    expect(await lang({ 'accept-language': 'fr-FR,fr;q=0.9' })).toBe('en ltr');
    expect(await lang({ 'accept-language': 'tr-TR,tr;q=0.9,en;q=0.8' })).toBe('tr ltr');
    expect(await lang({ 'accept-language': 'en;q=0.5, ar;q=0.9, xx' })).toBe('ar rtl');
    expect(await lang({ 'accept-language': ',;q=,*;q=0;;' })).toBe('en ltr');
    const chosen = await venue.captive.get(venue.arrival({ lang: 'de' }), { 'accept-language': 'tr' });
    expect(chosen.html).toContain('<html lang="de"');
    expect(chosen.headers.get('set-cookie')).toMatch(
      /^portico_language=de; Path=\/; Max-Age=31536000; SameSite=Lax; HttpOnly$/,
    );
    expect(await lang({ 'accept-language': 'tr', cookie: 'a=b; portico_language=ru' })).toBe('ru ltr');
    expect(await lang({ cookie: 'portico_language=xx' })).toBe('en ltr');
    expect((await venue.captive.get(venue.arrival({ lang: '<x>' }))).headers.get('set-cookie')).toBeNull();
    expect(chosen.html).toContain('value="ar" lang="ar"');
  });

  test('does not wait for the statistics of browsers, which other guests of the venue change too', async () => {
    const counted = async () =>
      Number((await venue.rows(sql`select coalesce(sum(sign_ins), 0) as n from guest_agent_days`))[0]!['n']);
    const signIn = async () => (await venue.submit({ username: await venue.visitor(), password: 'parola 1' })).status;
    const before = await counted();
    expect(await signIn()).toBe(303);
    await expect.poll(counted).toBeGreaterThan(before);
    const first = await counted();
    await venue.api.inTenant(async tx => {
      await tx.many(sql`select from guest_agent_days for update`);
      expect(await signIn()).toBe(303);
    });
    // Sign-ins of earlier tests may be counted meanwhile too.
    await expect.poll(counted).toBeGreaterThanOrEqual(first + 3);
  });

  test('sees why the sign-in failed and keeps its user name; the failure is recorded without the password', async () => {
    const username = await venue.visitor();
    for (const fields of [
      { username, password: 'wrong-secret' },
      { username: `${username}x`, password: 'parola 1' },
    ]) {
      const answer = await venue.submit(fields);
      expect(answer.status).toBe(422);
      expect(answer.html).toContain('Wrong username or password');
      expect(answer.html).toContain(`value="${fields.username}"`);
      expect(answer.html).not.toContain(fields.password);
    }
    const list = await venue.api.get(`panel/failed-login?mac=${venue.mac}`, { token: venue.admin });
    expect(list.status, list.text).toBe(200);
    const attempts = list.body.data[0].attempts.map((a: Body) => [a.provider_slug, a.params]);
    expect(attempts).toContainEqual(['username', { username, password: '••••••••' }]);
    expect(JSON.stringify(list.body)).not.toContain('wrong-secret');
  });

  test('sees which field is empty or too long; that is not recorded as a failed sign-in', async () => {
    const username = await venue.visitor();
    for (const fields of [
      { username: ' ', password: 'x' },
      { username },
      {},
      { username: 'İ'.repeat(300), password: 'x' },
    ]) {
      const answer = await venue.submit(fields);
      expect(answer.status, JSON.stringify(fields)).toBe(422);
      expect(answer.html).toContain('Something is missing');
    }
    const long = await venue.submit({ username, password: 'wrong', security_code: 'x'.repeat(65) });
    expect(long.html).toContain('Wrong username or password');
    const list = await venue.api.get(`panel/failed-login?mac=${venue.mac}`, { token: venue.admin });
    expect(list.body.data[0].attempts).toHaveLength(1);
  });

  test('has to wait after many failures, even with the right password', async () => {
    const username = await venue.visitor();
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const post = (password: string) =>
      venue.captive.form(venue.signInAt, { state, method: 'username', username, password });
    const statuses: number[] = [];
    for (let i = 0; i < 9; i++) statuses.push((await post('wrong')).status);
    expect(statuses.slice(0, 8)).toEqual(Array(8).fill(422));
    await holdBlocks(venue.api.app);
    const answer = await post('parola 1');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.html).toContain('Too many attempts');
    venue.newMac();
    expect((await venue.submit({ username, password: 'parola 1' })).status).toBe(303);
  });

  test('gets no more guesses in parallel than in sequence', async () => {
    const username = await venue.visitor();
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const post = (password: string) =>
      venue.captive.form(venue.signInAt, { state, method: 'username', username, password });
    const began = performance.now();
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => post(`wrong ${i}`)));
    // The block lasts one second at first, and twice as long with each further guess. A slow machine may see it end.
    const seconds = (performance.now() - began) / 1000;
    const inSequence = 8 + Math.floor(Math.log2(1 + seconds));
    const guesses = all.filter(it => it.status === 422).length;
    expect(guesses).toBeGreaterThanOrEqual(8);
    expect(guesses).toBeLessThanOrEqual(inSequence);
    for (const it of all) expect([422, 429]).toContain(it.status);
    const list = await venue.api.get(`panel/failed-login?mac=${venue.mac}`, { token: venue.admin });
    expect(list.body.data[0].attempts).toHaveLength(guesses);
    // Simultaneous correct attempts are admitted, and do not count as running afterwards.
    venue.newMac();
    expect((await venue.submit({ username, password: 'parola 1' })).status).toBe(303);
  });

  test('sees why it is refused once it is verified', async () => {
    const ended = await venue.visitor({ session_end_at: '2020-01-01T00:00:00Z' });
    const soon = await venue.visitor({ session_start_at: '2099-01-01T00:00:00Z' });
    expect((await venue.submit({ username: ended, password: 'parola 1' })).html).toContain('Your access has ended');
    expect((await venue.submit({ username: ended, password: 'wrong' })).html).toContain('Wrong username or password');
    expect((await venue.submit({ username: soon, password: 'parola 1' })).html).toContain(
      'Your access has not begun yet',
    );
    const one = await venue.visitor({ special_profile: true, shared_user: 1 });
    const answer = await venue.submit({ username: one, password: 'parola 1' });
    expect(
      (await venue.routerAccepts(new URL(answer.headers.get('location')!).searchParams.get('username')!)).outcome,
    ).toBe('accept');
    venue.newMac();
    expect((await venue.submit({ username: one, password: 'parola 1' })).html).toContain('Too many devices');
  });

  test('has to enter the portal’s security code', async () => {
    const username = await venue.visitor();
    const providers = [
      { slug: 'username', order: 1, options: { require_security_code: true, security_code: 'Kahve-7' } },
    ];
    await venue.update(`panel/portal/${venue.portal.id}`, { providers });
    expect((await venue.captive.get(venue.arrival())).html).toContain('name="security_code"');
    expect((await venue.submit({ username, password: 'parola 1' })).status).toBe(422);
    expect((await venue.submit({ username, password: 'parola 1', security_code: 'tea' })).status).toBe(422);
    expect((await venue.submit({ username, password: 'parola 1', security_code: ' kahve-7 ' })).status).toBe(303);
    await venue.update(`panel/portal/${venue.portal.id}`, { providers: [{ slug: 'username', order: 1 }] });
  });

  test('is offered only methods that work', async () => {
    await venue.update(`panel/portal/${venue.portal.id}`, {
      providers: [
        { slug: 'sms', order: 1, is_active: false },
        { slug: 'username', order: 2 },
      ],
    });
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).toContain('name="username"');
    expect(page.html).not.toContain('name="phone"');
    const post = await venue.captive.form(venue.signInAt, {
      state: stateOf(page.html),
      method: 'sms',
      phone: '1',
      username: 'a',
      password: 'b',
    });
    expect(post.status).toBe(400);
    await venue.update(`panel/portal/${venue.portal.id}`, { providers: [{ slug: 'username', order: 1 }] });
  });

  test('sees why the router refused it', async () => {
    for (const [error, says] of [
      ['RADIUS server is not responding', 'The sign-in service is not answering'],
      ['no more sessions are allowed for user x', 'Too many devices'],
      ['The username or the password is wrong.', 'That took too long'],
      ['invalid username or password', 'That took too long'],
      ['Your data allowance for today is used up.', 'data is used up'],
      ['<script>alert(1)</script>', 'The router did not let you in'],
    ] as const) {
      const { html, status } = await venue.captive.get(venue.arrival({ error }));
      expect(status).toBe(200);
      expect(html, error).toContain(says);
      expect(html).not.toContain('alert(1)');
    }
  });

  test('sees the router’s fatal errors and the end of a log-out on our pages', async () => {
    const fatal = await venue.captive.get(venue.arrival({ mac: '', error: 'hotspot is not ready yet' }));
    expect([fatal.status, fatal.html.includes('The router did not let you in')]).toEqual([200, true]);
    expect(fatal.html).toContain('href="http://neverssl.com/"');
    const out = await venue.captive.get(venue.arrival({ step: 'logged_out', lang: 'tr' }));
    expect([out.status, out.html.includes('<h1>Oturumunuz kapatıldı</h1>')]).toEqual([200, true]);
    const again = /class="button" href="([^"]*)">Yeniden giriş yap</.exec(out.html)![1]!.replaceAll('&amp;', '&');
    expect((await venue.captive.get(again)).html).toContain('name="username"');
  });

  test('gets a page for a problem that no input can solve, in every language, with a link to the form', async () => {
    const ended = await venue.visitor({ session_end_at: '2020-01-01T00:00:00Z' });
    const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(it => it[1]!.replaceAll('&amp;', '&'));
    const page = await venue.submit({ username: ended, password: 'parola 1' });
    expect([page.status, page.html.includes('name="username"')]).toEqual([422, false]);
    const links = hrefs(page.html).filter(it => it.includes('step=expired'));
    expect(links).toHaveLength(4);
    for (const [lang, title, back] of [
      ['tr', 'Erişiminiz sona erdi', 'Giriş sayfasına dön'],
      ['de', 'Ihr Zugang ist abgelaufen', 'Zur Anmeldeseite'],
      ['ru', 'Ваш доступ закончился', 'К странице входа'],
      ['ar', 'انتهت صلاحية اتصالك', 'إلى صفحة تسجيل الدخول'],
    ] as const) {
      const { html } = await venue.captive.get(links.find(it => it.endsWith(`lang=${lang}`))!);
      expect(html).toContain(`<html lang="${lang}"`);
      expect(html, lang).toContain(`<title>${title}`);
      expect(html).toContain(`<h1>${title}</h1>`);
      expect(html).toContain(back);
    }
    const form = hrefs(page.html).find(it => it.includes('step=form'))!;
    expect((await venue.captive.get(form)).html).toContain('name="username"');
    const quota = await venue.captive.get(venue.arrival({ error: 'Your data allowance for today is used up.' }));
    expect(quota.html).toContain('<h1>Today’s data is used up</h1>');
    for (const step of ['wrong_code', 'constructor', '<b>', 'x'.repeat(99)])
      expect((await venue.captive.get(venue.arrival({ step }))).html, step).toContain('name="username"');
  });

  test('sees the portal of its network if there is one', async () => {
    const other = await venue.create('panel/portal', { name: 'Terrace', location_id: venue.location });
    await venue.update(`panel/portal/${other.id}`, {
      messages: { welcome_message_title: { en: 'Welcome to the terrace' } },
    });
    await venue.create(`panel/device/${venue.device.id}/network`, {
      name: 'Terrace',
      start_ip: '10.9.0.0',
      subnet: '24',
      portal_id: other.id,
    });
    expect((await venue.captive.get(venue.arrival({ ip: '10.9.0.77' }))).html).toContain('Welcome to the terrace');
    expect((await venue.captive.get(venue.arrival({ ip: '10.8.0.77' }))).html).not.toContain('terrace');
    expect((await venue.captive.get(venue.arrival({ ip: 'nonsense' }))).status).toBe(200);
  });

  test('can read the agreements', async () => {
    await agree({ general: { tr: '<h2>Koşullar</h2><script>x</script>' } });
    const page = await venue.captive.get(venue.arrival());
    const fields = { state: stateOf(page.html), method: 'username', lang: 'en', go: 'general' };
    const href = (await venue.captive.post(venue.signInAt, fields)).headers.get('location')!;
    const agreement = await venue.captive.get(href);
    expect(agreement.status).toBe(200);
    expect(agreement.html).toContain('<h2>Koşullar</h2>');
    expect(agreement.html).not.toContain('<script>x');
    expect((await venue.captive.get(href.replace('general', 'kvkk'))).status).toBe(404);
    expect((await venue.captive.get(href.replace('general', 'other'))).status).toBe(404);
  });
});

/** Gives the portal agreements until the test ends: later tests sign in without them. */
async function agree(agreements: object): Promise<void> {
  const at = `panel/portal/${venue.portal.id}`;
  onTestFinished(() => venue.update(at, { agreements: { general: { en: '', tr: '' }, kvkk: { tr: '' } } }));
  await venue.update(at, { agreements });
}

describe('the agreements', () => {
  test('have to be accepted first, are stored with their wording, and are asked for again after a change', async () => {
    const agreements = { general: { en: '<p>Be kind</p>' }, kvkk: { tr: '<p>Aydınlatma</p>' } };
    await agree(agreements);
    const username = await venue.visitor();
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).toContain('I accept the terms of use.');
    expect(page.html).toContain('I have read the privacy notice.');
    const fields = { state: stateOf(page.html), method: 'username', username, password: 'parola 1', notice: '1' };
    for (const agree of [undefined, '', 'yes', '0'.repeat(32)]) {
      const answer = await venue.captive.form(venue.signInAt, { ...fields, ...(agree !== undefined && { agree }) });
      expect([answer.status, answer.html.includes('Please accept the terms')]).toEqual([422, true]);
    }
    expect((await venue.submit({ username, password: 'parola 1', notice: '' })).status).toBe(422);
    expect(await venue.failures()).toEqual([]);
    expect((await venue.submit({ username, password: 'wrong' })).html).toMatch(
      /name="agree"[^>]* checked=""|checked=""[^>]* name="agree"/,
    );
    expect(page.html).not.toContain('checked=""');
    expect((await venue.submit({ username, password: 'parola 1', lang: 'de' })).status).toBe(303);
    expect((await venue.submit({ username, password: 'parola 1' })).status).toBe(303);
    const consents = () =>
      venue.rows(sql`select c.language, upper(c.client_mac::text) as mac, a.texts->'general'->>'en' as terms
        from consents c join agreement_versions a on a.version = c.version join visitors v on v.id = c.visitor_id
        where v.username = ${username} order by c.created_at`);
    expect(await consents()).toEqual([{ language: 'de', mac: venue.mac, terms: '<p>Be kind</p>' }]);
    const agreed = /name="agree" value="(\w+)"/.exec(page.html)![1]!;
    await venue.update(`panel/portal/${venue.portal.id}`, { agreements: { general: { en: '<p>Be kinder</p>' } } });
    expect((await venue.captive.form(venue.signInAt, { ...fields, agree: agreed })).html).toContain(
      'Please accept the terms',
    );
    expect((await venue.submit({ username, password: 'parola 1' })).status).toBe(303);
    expect(await consents()).toHaveLength(2);
  });
});

describe('a refused guest', () => {
  test('gets a page for every reason', async () => {
    const says = async (at: string, status: number, text: string) => {
      const page = await venue.captive.get(at);
      expect(page.html).toContain(text);
      expect(page.status).toBe(status);
      expect(page.html).not.toContain('<form');
    };
    await says(venue.arrival({}, 'nosuchrouter1'), 404, 'This Wi-Fi is not set up yet');
    await says(venue.arrival({}, 'x%00'), 404, 'This Wi-Fi is not set up yet');
    await says(`/w/${venue.nas}`, 400, 'Join the Wi-Fi first');
    await says('/', 200, 'Join the Wi-Fi first');
    await says('/nothing/here', 404, 'Page not found');
    await says(`/q/${'a'.repeat(301)}`, 404, 'Page not found');
    await says('/w/%zz/sign-in?lang=tr', 404, 'Sayfa bulunamadı');
    await says('/%ff', 404, 'Page not found');
    await venue.api.patch(`panel/device/${venue.device.id}/management/disableHotspot`, { token: venue.admin });
    await says(venue.arrival(), 403, 'Guest Wi-Fi is switched off');
    await venue.api.patch(`panel/device/${venue.device.id}/management/enableHotspot`, { token: venue.admin });
    await venue.create(`panel/device/${venue.device.id}/macs`, {
      mac: venue.mac,
      type: 'blocked',
      comment: '',
    });
    await says(venue.arrival(), 403, 'This device is blocked');
    await says(venue.arrival({ mac: venue.mac.toLowerCase().replaceAll(':', '-') }), 403, 'This device is blocked');
    venue.newMac();
    await venue.run(sql`update locations set trial_end_at = now() - interval '1 day' where id = ${venue.location}`);
    await venue.run(sql`update devices set trial_end_at = now() - interval '1 day' where id = ${venue.device.id}`);
    await says(venue.arrival(), 403, 'Guest Wi-Fi is paused');
    await venue.run(sql`update locations set trial_end_at = now() + interval '1 day' where id = ${venue.location}`);
    await venue.run(sql`update locations set portal_id = null where id = ${venue.location}`);
    await says(venue.arrival(), 404, 'This page is not ready yet');
    await venue.run(sql`update locations set portal_id = ${venue.portal.id} where id = ${venue.location}`);
  });

  test('is not admitted with a page from before the service stopped', async () => {
    const username = await venue.visitor();
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    await venue.api.patch(`panel/device/${venue.device.id}/management/disableHotspot`, { token: venue.admin });
    const answer = await venue.captive.form(venue.signInAt, {
      state,
      method: 'username',
      username,
      password: 'parola 1',
    });
    expect(answer.status).toBe(403);
    await venue.api.patch(`panel/device/${venue.device.id}/management/enableHotspot`, { token: venue.admin });
  });

  test('a device that needs no sign-in is admitted at once, unless the router has just refused it', async () => {
    await venue.create(`panel/device/${venue.device.id}/macs`, {
      mac: venue.mac,
      type: 'bypassed',
      comment: '',
    });
    const answer = await venue.captive.get(venue.arrival());
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('location')!).searchParams.get('username')).toBe(venue.mac);
    expect((await venue.captive.get(venue.arrival({ error: 'not allowed' }))).status).toBe(200);
  });
});
