import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessionHandlers } from '#features/sessions/public.ts';
import { createTenant } from '#features/tenants/public.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { buildPages, startCaptive, type TestCaptive } from './testing/captive.ts';

let api: TestApi;
let captive: TestCaptive;
let admin: string;
let location: string;
let device: Body;
let portal: Body;

const login = 'http://10.5.50.1/login';
let guestNumber = 0;
/** A guest's device of its own for every test: throttles remember devices. */
const nextMac = () => `AA:BB:CC:00:00:${(++guestNumber).toString(16).padStart(2, '0').toUpperCase()}`;
let mac = '';

const arrival = (more: Record<string, string> = {}, nas: string = device.nas_identifier) =>
  `/w/${nas}?${new URLSearchParams({ mac, ip: '10.5.50.9', login, orig: 'http://example.com/news', ...more })}`;
const stateOf = (html: string) => /name="state" value="([^"]*)"/.exec(html)?.[1] ?? '';
const submit = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const page = await captive.get(arrival());
  return captive.form(
    `/w/${device.nas_identifier}/sign-in`,
    { state: stateOf(page.html), method: 'username', ...fields },
    headers,
  );
};
const create = async (at: string, body: unknown): Promise<Body> => {
  const answer = await api.post(at, { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const update = async (at: string, body: unknown): Promise<void> => {
  const answer = await api.put(at, { token: admin, body });
  expect(answer.status, answer.text).toBe(200);
};
let visitors = 0;
const visitor = async (more: object = {}): Promise<string> => {
  const username = `guest${++visitors}`;
  await create('panel/client', {
    name: 'Guest',
    provider_type: 'username',
    username,
    password: 'parola 1',
    location_id: location,
    ...more,
  });
  return username;
};
const run = (query: ReturnType<typeof sql>) => api.inTenant(tx => tx.run(query));

/** What the router asks with the ticket that the guest brings. */
async function routerAccepts(ticket: string, guestMac = mac): Promise<Body> {
  const handlers = sessionHandlers(api.app);
  const router = (await handlers.resolveDevice(device.nas_identifier))!;
  const request = {
    device: router,
    userName: ticket,
    mac: guestMac,
    framedIp: '10.5.50.9',
    key: Math.random().toString(),
    checkPassword: (typed: string) => typed === ticket,
  };
  const [decision] = await handlers.authorize([request as never]);
  return decision;
}

beforeAll(async () => {
  api = await startApi({ CAPTIVE_URL: 'http://guests.example' });
  captive = await startCaptive(api, await buildPages());
  admin = (await api.user('tenant-admin')).token;
  location = (await create('panel/location', { name: 'Kafe <Çınar>' })).id;
  portal = await create('panel/portal', { name: 'Lobby', location_id: location });
  const { data } = (await api.get('panel/device/brands', { token: admin })).body;
  const brand_id = data.find((b: Body) => b.slug === 'mikrotik').id;
  const made = await create('panel/device', {
    name: 'Router',
    brand_id,
    mac_address: '02:00:00:00:00:01',
    location_id: location,
  });
  device = (await api.get(`panel/device/${made.id}`, { token: admin })).body.data;
}, 120_000);
beforeEach(() => {
  mac = nextMac();
});

describe('a guest sent by a router', () => {
  test('sees the portal of the location, signs in without script, and takes a one-time ticket back to the router', async () => {
    const username = await visitor();
    const page = await captive.get(arrival());
    expect(page.status).toBe(200);
    expect(page.html).toContain('Kafe &lt;Çınar&gt;');
    expect(page.html).toMatch(/<form [^>]*method="post"/);
    const answer = await submit({ username: ` ${username} `, password: 'parola 1' });
    expect(answer.status).toBe(303);
    const back = new URL(answer.headers.get('location')!);
    expect(back.origin + back.pathname).toBe(login);
    const ticket = back.searchParams.get('username')!;
    expect(ticket).toMatch(/^[a-z0-9]{32}$/);
    expect(back.searchParams.get('password')).toBe(ticket);
    const dst = new URL(back.searchParams.get('dst')!);
    expect(dst.href).toMatch(new RegExp(`^http://guests\\.example/w/${device.nas_identifier}/online\\?s=`));

    const before = await captive.get(dst.pathname + dst.search);
    expect(before.html).toContain('data-refresh=');
    expect((await routerAccepts(ticket, '02:00:00:00:00:99')).outcome).toBe('reject');
    expect((await routerAccepts(ticket)).outcome).toBe('accept');
    expect((await routerAccepts(ticket)).outcome).toBe('reject');

    const handlers = sessionHandlers(api.app);
    const router = (await handlers.resolveDevice(device.nas_identifier))!;
    const record = {
      device: router,
      status: 'start',
      at: new Date(),
      sessionId: 's1',
      userName: ticket,
      mac,
      framedIp: '10.5.50.9',
      sessionSeconds: 0,
      uploadBytes: 1_000_000,
      downloadBytes: 2_000_000,
    };
    await handlers.account([record as never]);
    const online = await captive.get(dst.pathname + dst.search);
    expect(online.html).toContain('You are connected');
    expect(online.html).toContain('href="http://10.5.50.1/logout"');
    expect(online.html).toContain('href="http://example.com/news"');
    expect(online.html).toMatch(/<dt>Data used<\/dt><dd>3 MB<\/dd>/);
    expect(online.html).toMatch(/<dt>Time left<\/dt><dd>Unlimited<\/dd>/);
  });

  test('reads it in the language of the browser, or the one chosen, which is remembered', async () => {
    const lang = async (headers: Record<string, string>, more = {}) =>
      /<html lang="(\w+)" dir="(\w+)"/
        .exec((await captive.get(arrival(more), headers)).html)!
        .slice(1)
        .join(' ');
    expect(await lang({ 'accept-language': 'fr-FR,fr;q=0.9' })).toBe('en ltr');
    expect(await lang({ 'accept-language': 'tr-TR,tr;q=0.9,en;q=0.8' })).toBe('tr ltr');
    expect(await lang({ 'accept-language': 'en;q=0.5, ar;q=0.9, xx' })).toBe('ar rtl');
    expect(await lang({ 'accept-language': ',;q=,*;q=0;;' })).toBe('en ltr');
    const chosen = await captive.get(arrival({ lang: 'de' }), { 'accept-language': 'tr' });
    expect(chosen.html).toContain('<html lang="de"');
    expect(chosen.headers.get('set-cookie')).toMatch(
      /^portico_language=de; Path=\/; Max-Age=31536000; SameSite=Lax; HttpOnly$/,
    );
    expect(await lang({ 'accept-language': 'tr', cookie: 'a=b; portico_language=ru' })).toBe('ru ltr');
    expect(await lang({ cookie: 'portico_language=xx' })).toBe('en ltr');
    expect((await captive.get(arrival({ lang: '<x>' }))).headers.get('set-cookie')).toBeNull();
    expect(chosen.html).toContain(`lang=ar"`);
  });

  test('is told what was wrong, keeps its name, and never its password; the attempt is recorded with dots', async () => {
    const username = await visitor();
    for (const fields of [
      { username, password: 'wrong-secret' },
      { username: `${username}x`, password: 'parola 1' },
    ]) {
      const answer = await submit(fields);
      expect(answer.status).toBe(422);
      expect(answer.html).toContain('Wrong username or password');
      expect(answer.html).toContain(`value="${fields.username}"`);
      expect(answer.html).not.toContain(fields.password);
    }
    const list = await api.get(`panel/failed-login?mac=${mac}`, { token: admin });
    expect(list.status, list.text).toBe(200);
    const attempts = list.body.data[0].attempts.map((a: Body) => [a.provider_slug, a.params]);
    expect(attempts).toContainEqual(['username', { username, password: '••••••••' }]);
    expect(JSON.stringify(list.body)).not.toContain('wrong-secret');
  });

  test('has to wait after many failures, even with the right password', async () => {
    const username = await visitor();
    const state = stateOf((await captive.get(arrival())).html);
    const post = (password: string) =>
      captive.form(`/w/${device.nas_identifier}/sign-in`, { state, method: 'username', username, password });
    const statuses: number[] = [];
    for (let i = 0; i < 9; i++) statuses.push((await post('wrong')).status);
    expect(statuses.slice(0, 8)).toEqual(Array(8).fill(422));
    const answer = await post('parola 1');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.html).toContain('Too many attempts');
    mac = nextMac();
    expect((await submit({ username, password: 'parola 1' })).status).toBe(303);
  });

  test('is told why it may not, once it proved itself', async () => {
    const ended = await visitor({ session_end_at: '2020-01-01T00:00:00Z' });
    const soon = await visitor({ session_start_at: '2099-01-01T00:00:00Z' });
    expect((await submit({ username: ended, password: 'parola 1' })).html).toContain('Your access has ended');
    expect((await submit({ username: ended, password: 'wrong' })).html).toContain('Wrong username or password');
    expect((await submit({ username: soon, password: 'parola 1' })).html).toContain('Your access has not begun yet');
    const one = await visitor({ special_profile: true, shared_user: 1 });
    const answer = await submit({ username: one, password: 'parola 1' });
    expect((await routerAccepts(new URL(answer.headers.get('location')!).searchParams.get('username')!)).outcome).toBe(
      'accept',
    );
    mac = nextMac();
    expect((await submit({ username: one, password: 'parola 1' })).html).toContain('Too many devices');
  });

  test('types the security code that the portal asks for', async () => {
    const username = await visitor();
    const providers = [
      { slug: 'username', order: 1, options: { require_security_code: true, security_code: 'Kahve-7' } },
    ];
    await update(`panel/portal/${portal.id}`, { providers });
    expect((await captive.get(arrival())).html).toContain('name="security_code"');
    expect((await submit({ username, password: 'parola 1' })).status).toBe(422);
    expect((await submit({ username, password: 'parola 1', security_code: 'tea' })).status).toBe(422);
    expect((await submit({ username, password: 'parola 1', security_code: ' kahve-7 ' })).status).toBe(303);
    await update(`panel/portal/${portal.id}`, { providers: [{ slug: 'username', order: 1 }] });
  });

  test('is offered only what works', async () => {
    await update(`panel/portal/${portal.id}`, {
      providers: [
        { slug: 'sms', order: 1 },
        { slug: 'username', order: 2 },
      ],
    });
    const page = await captive.get(arrival());
    expect(page.html).toContain('name="username"');
    expect(page.html).not.toContain('name="phone"');
    const post = await captive.form(`/w/${device.nas_identifier}/sign-in`, {
      state: stateOf(page.html),
      method: 'sms',
      phone: '1',
      username: 'a',
      password: 'b',
    });
    expect(post.status).toBe(400);
    await update(`panel/portal/${portal.id}`, { providers: [{ slug: 'username', order: 1 }] });
  });

  test('reads the router’s own refusal', async () => {
    for (const [error, says] of [
      ['RADIUS server is not responding', 'The sign-in service is not answering'],
      ['no more sessions are allowed for user x', 'Too many devices'],
      ['The user name or the password is wrong.', 'That took too long'],
      ['invalid username or password', 'That took too long'],
      ['Your data allowance for today is used up.', 'data is used up'],
      ['<script>alert(1)</script>', 'The router did not let you in'],
    ] as const) {
      const { html, status } = await captive.get(arrival({ error }));
      expect(status).toBe(200);
      expect(html, error).toContain(says);
      expect(html).not.toContain('alert(1)');
    }
  });

  test('sees the portal of its network where that has one', async () => {
    const other = await create('panel/portal', { name: 'Terrace', location_id: location });
    await update(`panel/portal/${other.id}`, { messages: { welcome_message_title: { en: 'Welcome to the terrace' } } });
    await create(`panel/device/${device.id}/network`, {
      name: 'Terrace',
      start_ip: '10.9.0.0',
      subnet: '24',
      portal_id: other.id,
    });
    expect((await captive.get(arrival({ ip: '10.9.0.77' }))).html).toContain('Welcome to the terrace');
    expect((await captive.get(arrival({ ip: '10.8.0.77' }))).html).not.toContain('terrace');
    expect((await captive.get(arrival({ ip: 'nonsense' }))).status).toBe(200);
  });

  test('reads the agreements', async () => {
    await update(`panel/portal/${portal.id}`, {
      agreements: { general: { tr: '<h2>Koşullar</h2><script>x</script>' } },
    });
    const page = await captive.get(arrival());
    const href = /href="([^"]*\/agreement\/general[^"]*)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    const agreement = await captive.get(href);
    expect(agreement.status).toBe(200);
    expect(agreement.html).toContain('<h2>Koşullar</h2>');
    expect(agreement.html).not.toContain('<script>x');
    expect((await captive.get(href.replace('general', 'kvkk'))).status).toBe(404);
    expect((await captive.get(href.replace('general', 'other'))).status).toBe(404);
  });
});

describe('who is not let in', () => {
  test('reads a page of its own for every reason', async () => {
    const says = async (at: string, status: number, text: string) => {
      const page = await captive.get(at);
      expect(page.html).toContain(text);
      expect(page.status).toBe(status);
      expect(page.html).not.toContain('<form');
    };
    await says(arrival({}, 'nosuchrouter1'), 404, 'This Wi-Fi is not set up yet');
    await says(arrival({}, 'x%00'), 404, 'This Wi-Fi is not set up yet');
    await says(`/w/${device.nas_identifier}`, 400, 'Join the Wi-Fi first');
    await says('/', 200, 'Join the Wi-Fi first');
    await says('/nothing/here', 404, 'Page not found');
    await api.patch(`panel/device/${device.id}/management/disableHotspot`, { token: admin });
    await says(arrival(), 403, 'Guest Wi-Fi is switched off');
    await api.patch(`panel/device/${device.id}/management/enableHotspot`, { token: admin });
    await create(`panel/device/${device.id}/macs`, { mac, type: 'blocked', comment: '', networks: [] });
    await says(arrival(), 403, 'This device is blocked');
    await says(arrival({ mac: mac.toLowerCase().replaceAll(':', '-') }), 403, 'This device is blocked');
    mac = nextMac();
    await run(sql`update locations set trial_end_at = now() - interval '1 day' where id = ${location}`);
    await run(sql`update devices set trial_end_at = now() - interval '1 day' where id = ${device.id}`);
    await says(arrival(), 403, 'Guest Wi-Fi is paused');
    await run(sql`update locations set trial_end_at = now() + interval '1 day' where id = ${location}`);
    await run(sql`update locations set portal_id = null where id = ${location}`);
    await says(arrival(), 404, 'This page is not ready yet');
    await run(sql`update locations set portal_id = ${portal.id} where id = ${location}`);
  });

  test('a page opened before the service stopped lets nobody in', async () => {
    const username = await visitor();
    const state = stateOf((await captive.get(arrival())).html);
    await api.patch(`panel/device/${device.id}/management/disableHotspot`, { token: admin });
    const answer = await captive.form(`/w/${device.nas_identifier}/sign-in`, {
      state,
      method: 'username',
      username,
      password: 'parola 1',
    });
    expect(answer.status).toBe(403);
    await api.patch(`panel/device/${device.id}/management/enableHotspot`, { token: admin });
  });

  test('a device that needs no sign-in goes straight on, unless the router has just refused it', async () => {
    await create(`panel/device/${device.id}/macs`, { mac, type: 'bypassed', comment: '', networks: [] });
    const answer = await captive.get(arrival());
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('location')!).searchParams.get('username')).toBe(mac);
    expect((await captive.get(arrival({ error: 'not allowed' }))).status).toBe(200);
  });
});

describe('an attacker', () => {
  test('cannot send a ticket or a guest to a stranger', async () => {
    const username = await visitor();
    for (const evil of [
      'https://evil.example/login',
      'http://10.5.50.1@evil.example/login',
      'http://user:pass@10.5.50.1/login',
      'javascript:alert(1)//10.5.50.1',
      'data:text/html,x',
      '//evil.example/login',
      '/login',
      'http://10.5.50.1.evil.example/login',
      'http://8.8.8.8/login',
      'http://134744072/login',
      'http://[2001:db8::1]/login',
      'http://evil.example#.local',
      'http://local/login',
      'ftp://10.5.50.1/login',
    ]) {
      const page = await captive.get(arrival({ login: evil }));
      expect(page.status, evil).toBe(400);
      expect(page.html).toContain('This link can’t be trusted');
      expect(page.html).not.toContain('<form');
    }
    for (const fine of [
      'http://192.168.88.1/login',
      'https://hotspot.venue.local/login',
      'http://[fd00::1]/login',
      'http://127.0.0.1:8123/login',
    ])
      expect((await captive.get(arrival({ login: fine }))).status, fine).toBe(200);
    // Once the device's own address is known, nothing else will do.
    await run(sql`update devices set hotspot_address = '10.5.50.1' where id = ${device.id}`);
    expect((await captive.get(arrival())).status).toBe(200);
    expect((await captive.get(arrival({ login: 'http://10.5.50.2/login' }))).status).toBe(400);
    await run(sql`update devices set hotspot_address = null where id = ${device.id}`);
    // What the guest wanted to see is never followed by itself, and only offered when it is a web address.
    for (const orig of [
      'javascript:alert(1)',
      'http://user:x@evil.example/',
      `http://evil.example/${'a'.repeat(5000)}`,
      'data:text/html,x',
      'http://connectivitycheck.gstatic.com/generate_204',
    ]) {
      const page = await captive.get(arrival({ orig }));
      const answer = await captive.form(`/w/${device.nas_identifier}/sign-in`, {
        state: stateOf(page.html),
        method: 'username',
        username,
        password: 'parola 1',
      });

      const dst = new URL(new URL(answer.headers.get('location')!).searchParams.get('dst')!);
      expect(dst.origin).toBe('http://guests.example');
      expect((await captive.get(dst.pathname + dst.search)).html).not.toMatch(/javascript:|evil|data:text|gstatic/);
    }
  });

  test('cannot write into a page by any parameter, header or field', async () => {
    const hostile = `"><script>alert(1)</script>'--></style><img src=x onerror=alert(1)>`;
    for (const name of ['ip', 'orig', 'error', 'lang', 'login', 'mac', 'unknown']) {
      const page = await captive.get(arrival({ [name]: hostile }), {
        'accept-language': hostile,
        cookie: `portico_language=${encodeURIComponent(hostile)}`,
      });
      expect(page.html, name).not.toMatch(/<script>alert|<img src=x|onerror=alert\(1\)>/);
      expect(page.status).toBeLessThan(500);
    }
    const answer = await submit({ username: hostile, password: hostile, lang: hostile }, { 'user-agent': hostile });
    expect(answer.status).toBe(422);
    expect(answer.html).not.toMatch(/<script>alert|<img src=x/);
    for (const at of [
      `/w/${encodeURIComponent(hostile)}`,
      `/w/${device.nas_identifier}/online?s=${encodeURIComponent(hostile)}`,
      `/${encodeURIComponent(hostile)}`,
    ])
      expect((await captive.get(at)).html).not.toMatch(/<script>alert|<img src=x/);
  });

  test('cannot forge, change or borrow where a guest stands', async () => {
    const username = await visitor();
    const state = stateOf((await captive.get(arrival())).html);
    const [payload = '', signature = ''] = state.split('.');
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify(fields.with(3, 'https://evil.example/login'))).toString('base64url');
    const post = (value: string, nas: string = device.nas_identifier) =>
      captive.form(`/w/${nas}/sign-in`, { state: value, method: 'username', username, password: 'parola 1' });
    for (const value of [
      `${forged}.${signature}`,
      payload,
      `.${signature}`,
      'x',
      '',
      `${payload}.${signature}x`,
      `${payload}.${'0'.repeat(64)}`,
    ]) {
      const answer = await post(value);
      expect(answer.status, value).toBe(400);
      expect(answer.html).toContain('This page is out of date');
    }
    expect((await post(state, 'abcdefgh1234')).status).toBe(400);
    // A state made for the form opens no status page, and the other way round.
    expect((await captive.get(`/w/${device.nas_identifier}/online?s=${encodeURIComponent(state)}`)).status).toBe(400);
    expect((await post(state)).status).toBe(303);
  });

  test('cannot break it by size or shape', async () => {
    const long = 'a'.repeat(10_000);
    expect((await submit({ username: long, password: 'x' })).status).toBe(400);
    expect((await submit({ username: 'a\0b', password: 'x' })).status).toBe(400);
    expect((await submit({ username: 'a', password: '\ud800' })).status).toBeLessThan(500);
    expect(
      (await captive.form(`/w/${device.nas_identifier}/sign-in`, { state: 'a'.repeat(40_000) })).status,
    ).toBeGreaterThanOrEqual(400);
    expect(
      (await captive.form(`/w/${device.nas_identifier}/sign-in`, { __proto__: 'x', constructor: 'y' })).status,
    ).toBe(400);
    const at = `/w/${device.nas_identifier}/sign-in`;
    expect((await captive.ask(at, { method: 'POST' })).status).toBe(400);
    expect(
      (await captive.ask(at, { method: 'POST', body: '{"state":{}}', headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(400);
    expect(
      (await captive.ask(at, { method: 'POST', body: '<x/>', headers: { 'content-type': 'text/xml' } })).status,
    ).toBe(415);
    expect((await captive.get(`/w/${device.nas_identifier}?mac=${mac}&mac=${mac}&login[]=1`)).status).toBe(400);
    expect((await captive.get(`/w/${device.nas_identifier}?mac=%FF%FE%00&login=%ED%A0%80`)).status).toBe(400);
    expect((await captive.get('/%E0%A4%A')).status).toBeLessThan(500);
  });
});

describe('every answer', () => {
  test('allows nothing but its own styles, its own script and the way back', async () => {
    const page = await captive.get(arrival());
    const csp = page.headers.get('content-security-policy')!;
    const nonce = /'nonce-([^']+)'/.exec(csp)![1];
    expect(csp).toContain("default-src 'none'");
    expect(csp).toContain("script-src 'self'");
    expect(csp).toContain("frame-ancestors 'none'");
    expect(csp).toContain("form-action 'self' http:");
    expect(csp).not.toContain('unsafe');
    expect(page.html).toContain(`<style nonce="${nonce}">`);
    expect(page.html).not.toMatch(/ style="| src="http|<link/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(
      (await captive.get(arrival({ login: 'http://hotspot.venue.local:81/login' }))).headers.get(
        'content-security-policy',
      ),
    ).toContain("form-action 'self' http://hotspot.venue.local:81;");
    const again = await captive.get(arrival());
    expect(again.headers.get('content-security-policy')).not.toBe(csp);
    const missing = await captive.get('/nothing');
    expect(missing.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('is within the budget on the wire', async () => {
    const { request } = await import('node:http');
    const bytes = await new Promise<number>((resolve, reject) => {
      const call = request(captive.url + arrival(), { headers: { 'accept-encoding': 'gzip' } }, response => {
        let total = 0;
        response.on('data', (chunk: Buffer) => (total += chunk.length));
        response.on('end', () => resolve(total));
        expect(response.headers['content-encoding']).toBe('gzip');
      });
      call.on('error', reject);
      call.end();
    });
    expect(bytes).toBeLessThan(14_000 - 1500);
  });

  test('serves pictures as pictures', async () => {
    const { default: sharp } = await import('sharp');
    const form = new FormData();
    form.set('collection', 'logo');
    form.set(
      'file',
      new Blob([
        (await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .png()
          .toBuffer()) as BlobPart,
      ]),
      'a.png',
    );
    const { url } = (await api.post(`panel/portal/${portal.id}/image`, { token: admin, body: form })).body.data;
    await update(`panel/portal/${portal.id}`, { styles: { portal_logo: url } });
    const path = new URL(url).pathname;
    const image = await captive.get(path);
    expect(image.status).toBe(200);
    expect(image.headers.get('content-type')).toBe('image/webp');
    expect(image.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(image.headers.get('x-content-type-options')).toBe('nosniff');
    // By its path: the guest loads it from where it is.
    expect((await captive.get(arrival())).html).toContain(`<img src="${path}"`);
    for (const at of [
      '/uploads/../../etc/passwd',
      `/uploads/${path.split('/')[2]}/..%2f..%2fsecret.key`,
      `/uploads/${path.split('/')[2]}/.x.part`,
      '/uploads/x/y.webp',
    ])
      expect((await captive.get(at)).status).toBe(404);
  });
});

describe('the preview', () => {
  const at = (id: string, tenant = 'panel') => `/preview/${id}?tenant=${tenant}`;
  const draw = (id: string, draft: unknown, headers: Record<string, string> = {}, tenant = 'panel') =>
    captive.ask(at(id, tenant), {
      method: 'POST',
      body: JSON.stringify(draft),
      headers: { 'content-type': 'application/json', ...headers },
    });

  test('shows a portal in the panel’s frame only, with every method that is on', async () => {
    const page = await captive.get(at(portal.id));
    expect(page.status).toBe(200);
    expect(page.html).toContain('data-panel="http://localhost:8080"');
    const csp = page.headers.get('content-security-policy')!;
    expect(csp).toContain('frame-ancestors http://localhost:8080');
    expect(csp).toContain("form-action 'none'");
    expect(page.headers.get('x-frame-options')).toBeNull();
  });

  test('draws what is not saved yet, and saves nothing', async () => {
    const answer = await draw(portal.id, {
      styles: { primary_color: '#00aa00' },
      messages: { welcome_message_title: { ar: 'مرحبا' } },
      providers: [
        { slug: 'sms', order: 1 },
        { slug: 'temp', order: 2, options: { collect_email: true } },
      ],
      language: 'ar',
    });
    expect(answer.status, answer.html).toBe(200);
    const { css, body, dir, language } = JSON.parse(answer.html);
    expect([language, dir]).toEqual(['ar', 'rtl']);
    expect(css).toContain('--second:');
    expect(body).toContain('مرحبا');
    expect(body).toContain('name="phone"');
    expect(body).not.toContain('name="username"');
    expect((await captive.get(arrival())).html).toContain('name="username"');
  });

  test('is closed to other sites, other tenants and nonsense', async () => {
    await api.app.db.withSystem(tx => createTenant(tx, 'neighbour', 'Neighbour'));
    expect((await captive.get(at(portal.id, 'neighbour'))).status).toBe(404);
    expect((await draw(portal.id, {}, {}, 'neighbour')).status).toBe(404);
    expect((await captive.get(at(portal.id, 'nobody'))).status).toBe(404);
    expect((await captive.get(at('00000000-0000-4000-8000-000000000000'))).status).toBe(404);
    expect((await captive.get(at('x'))).status).toBe(404);
    expect((await draw(portal.id, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await captive.form(at(portal.id), { styles: '{}' })).status).toBe(403);
    expect((await draw(portal.id, { styles: { primary_color: '</style><script>' } })).status).toBe(400);
    const logo = await draw(portal.id, {
      styles: { portal_logo: 'https://evil.example/uploads/00000000-0000-4000-8000-000000000000/x.png' },
    });
    expect(JSON.parse(logo.html).body).not.toContain('evil');
    const text = await draw(portal.id, { messages: { welcome_message_title: { en: '<script>alert(1)</script>' } } });
    expect(JSON.parse(text.html).body).toContain('&lt;script&gt;');
  });
});
