import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileForm, picture } from '#test/uploads.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from './testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

describe('an attacker', () => {
  test('cannot occupy the server with large bodies or other content types', async () => {
    for (const [type, body, status] of [
      ['application/json', `{"a":[${'0,'.repeat(20_000)}0]}`, 413],
      ['application/x-www-form-urlencoded', `a=${'0'.repeat(40_000)}`, 413],
      ['text/plain', 'a=0', 415],
    ] as const) {
      const headers = { 'content-type': type };
      const page = await venue.captive.ask('/w/abcdefgh/sign-in', { method: 'POST', headers, body });
      expect([type, page.status]).toEqual([type, status]);
    }
  });

  test('is told what a form takes, and a guest finds the way back in its language', async () => {
    const body = `a=${'0'.repeat(40_000)}`;
    for (const [language, title, advice] of [
      ['tr', 'Metniniz çok uzun', 'en çok 16 KB alır'],
      ['ar', 'النص طويل جدًا', '16 كيلوبايت'],
    ] as const) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language };
      const page = await venue.captive.ask(`/w/${venue.nas}/sign-in`, { method: 'POST', headers, body });
      expect(page.status).toBe(413);
      expect(page.html).toContain(`lang="${language}"`);
      expect(page.html).toContain(title);
      expect(page.html).toContain(advice);
      expect(page.html).toContain(`href="/o/${venue.nas}"`);
    }
  });

  test('cannot redirect a ticket or a guest to another host', async () => {
    const username = await venue.visitor();
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
      const page = await venue.captive.get(venue.arrival({ login: evil }));
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
      expect((await venue.captive.get(venue.arrival({ login: fine }))).status, fine).toBe(200);
    // Once the device's address is known, no other is accepted.
    await venue.run(sql`update devices set hotspot_address = '10.5.50.1' where id = ${venue.device.id}`);
    expect((await venue.captive.get(venue.arrival())).status).toBe(200);
    expect((await venue.captive.get(venue.arrival({ login: 'http://10.5.50.2/login' }))).status).toBe(400);
    // Older data may contain a port.
    await venue.run(sql`update devices set hotspot_address = '10.5.50.1:80' where id = ${venue.device.id}`);
    expect((await venue.captive.get(venue.arrival())).status).toBe(200);
    expect((await venue.captive.get(venue.arrival({ login: 'http://10.5.50.2/login' }))).status).toBe(400);
    await venue.run(sql`update devices set hotspot_address = null where id = ${venue.device.id}`);
    // The page never redirects to the wanted address, and only links to it if it is a web address.
    for (const orig of [
      'javascript:alert(1)',
      'http://user:x@evil.example/',
      `http://evil.example/${'a'.repeat(5000)}`,
      'data:text/html,x',
      'http://connectivitycheck.gstatic.com/generate_204',
    ]) {
      const page = await venue.captive.get(venue.arrival({ orig }));
      const answer = await venue.captive.form(venue.signInAt, {
        state: stateOf(page.html),
        method: 'username',
        username,
        password: 'parola 1',
      });

      const dst = new URL(new URL(answer.headers.get('location')!).searchParams.get('dst')!);
      expect(dst.origin).toBe('http://guests.example');
      expect((await venue.openOnline(answer)).html).not.toMatch(/javascript:|evil|data:text|gstatic/);
    }
  });

  test('cannot inject markup through a parameter, header or field', async () => {
    const hostile = `"><script>alert(1)</script>'--></style><img src=x onerror=alert(1)>`;
    for (const name of ['ip', 'orig', 'error', 'lang', 'login', 'mac', 'unknown']) {
      const page = await venue.captive.get(venue.arrival({ [name]: hostile }), {
        'accept-language': hostile,
        cookie: `portico_language=${encodeURIComponent(hostile)}`,
      });
      expect(page.html, name).not.toMatch(/<script>alert|<img src=x|onerror=alert\(1\)>/);
      expect(page.status).toBeLessThan(500);
    }
    const answer = await venue.submit(
      { username: hostile, password: hostile, lang: hostile },
      { 'user-agent': hostile },
    );
    expect(answer.status).toBe(422);
    expect(answer.html).not.toMatch(/<script>alert|<img src=x/);
    for (const at of [
      `/w/${encodeURIComponent(hostile)}`,
      `/w/${venue.nas}/online?s=${encodeURIComponent(hostile)}`,
      `/${encodeURIComponent(hostile)}`,
    ])
      expect((await venue.captive.get(at)).html).not.toMatch(/<script>alert|<img src=x/);
  });

  test('cannot forge, change or reuse a guest’s state', async () => {
    const username = await venue.visitor();
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const [payload = '', signature = ''] = state.split('.');
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify(fields.with(3, 'https://evil.example/login'))).toString('base64url');
    const post = (value: string, nas: string = venue.nas) =>
      venue.captive.form(`/w/${nas}/sign-in`, { state: value, method: 'username', username, password: 'parola 1' });
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
    // A state is valid for its own step only.
    const online = await venue.captive.get(`/w/${venue.nas}/online`, { cookie: `portico_visit=${state}` });
    expect(online.status).toBe(403);
    expect((await post(state)).status).toBe(303);
  });

  test('cannot break the portal with oversized or malformed input', async () => {
    const long = 'a'.repeat(10_000);
    expect((await venue.submit({ username: long, password: 'x' })).status).toBe(422);
    expect((await venue.submit({ username: 'a\0b', password: 'x' })).status).toBe(400);
    expect((await venue.submit({ username: 'a', password: '\ud800' })).status).toBeLessThan(500);
    expect((await venue.captive.form(venue.signInAt, { state: 'a'.repeat(40_000) })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect((await venue.captive.form(venue.signInAt, { __proto__: 'x', constructor: 'y' })).status).toBe(400);
    const at = venue.signInAt;
    const expired = `/w/${venue.nas}/problem?is=page_expired&lang=en`;
    for (const init of [{}, { body: '{"state":{}}', headers: { 'content-type': 'application/json' } }]) {
      const answer = await venue.captive.ask(at, { method: 'POST', ...init });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, expired]);
    }
    expect((await venue.captive.get(expired)).status).toBe(400);
    expect(
      (await venue.captive.ask(at, { method: 'POST', body: '<x/>', headers: { 'content-type': 'text/xml' } })).status,
    ).toBe(415);
    expect((await venue.captive.get(`/w/${venue.nas}?mac=${venue.mac}&mac=${venue.mac}&login[]=1`)).status).toBe(400);
    expect((await venue.captive.get(`/w/${venue.nas}?mac=%FF%FE%00&login=%ED%A0%80`)).status).toBe(400);
    expect((await venue.captive.get('/%E0%A4%A')).status).toBeLessThan(500);
  });
});

/** The addresses to which the guests' forms are sent, without the router's. */
const forms = [
  'sign-in',
  'social',
  'make-room',
  'buy',
  'restore',
  'extend',
  'log-out',
  'mail',
  'confirm-email',
  'survey',
  'my-data/marketing',
  'my-data/mail',
  'my-data/delete',
];

test('every form of guests is attacked below', () => {
  const { routes } = venue.captive;
  // The others are asked by gateways, which have a token.
  const found = routes.filter(it => it.method === 'POST' && /^\/w\/:nas\/[a-z/-]+$/.test(it.path));
  expect(found.map(it => it.path.slice('/w/:nas/'.length)).sort()).toEqual([...forms].sort());
});

describe.each(forms)('a stranger at the form %s', form => {
  const headers = { 'accept-language': 'de', accept: 'text/html' };
  const post = (body: string | undefined, type: string, nas = venue.nas) =>
    venue.captive.ask(`/w/${nas}/${form}`, {
      method: 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
  /** The answer, or the page to which it leads. */
  const pageAfter = async (answer: Awaited<ReturnType<typeof post>>) => {
    const to = answer.headers.get('location');
    return to === null ? answer : venue.captive.get(to, headers);
  };
  const state = async () => stateOf((await venue.captive.get(venue.arrival())).html);

  test('sends a body that is not a form', async () => {
    const signed = await state();
    const lists = {
      state: signed,
      lang: ['de'],
      method: 'sms',
      phone: ['1'],
      email: [1],
      voucher: {},
      session: [],
      t: [],
    };
    const json = [
      '"x"',
      '[]',
      '1',
      'null',
      '{}',
      '{',
      '{"__proto__":{"a":1}}',
      JSON.stringify(lists),
      '['.repeat(5000),
    ];
    const urlencoded = [
      '',
      'lang=%00',
      'state=x',
      `state=${signed}&method[]=sms`,
      `state=${signed}&phone=%ff&email=%00`,
    ];
    for (const [type, bodies] of [
      ['application/json', json],
      ['application/x-www-form-urlencoded', urlencoded],
      ['text/plain', ['a=1']],
      ['multipart/form-data; boundary=x', ['--x--']],
      ['', [undefined]],
    ] as const)
      for (const body of bodies) {
        const page = await pageAfter(await post(body, type));
        const seen = `${type} ${body?.slice(0, 60)}`;
        expect(page.status, seen).toBeLessThan(500);
        expect(page.html, seen).toContain('<html lang="de"');
      }
  });

  test('gets a page for an address that is no router’s', async () => {
    for (const nas of ['abcdefgh1234', '%00', '%C4%9F', '..%2F', "'--", '%0d%0aset-cookie:a=b'])
      for (const body of ['lang=de', `state=${await state()}&lang=de&method=username`]) {
        const answer = await post(body, 'application/x-www-form-urlencoded', nas);
        const page = await pageAfter(answer);
        expect([400, 403, 404], `${nas} ${body.slice(0, 20)}`).toContain(page.status);
        expect(page.html).toContain('<html lang="de"');
        expect(answer.headers.get('set-cookie') ?? '').not.toContain('a=b');
      }
  });
});

describe('every response', () => {
  test('allows only its own styles, its own script and the return address', async () => {
    const page = await venue.captive.get(venue.arrival());
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
      (await venue.captive.get(venue.arrival({ login: 'http://hotspot.venue.local:81/login' }))).headers.get(
        'content-security-policy',
      ),
    ).toContain("form-action 'self' http://hotspot.venue.local:81;");
    const again = await venue.captive.get(venue.arrival());
    expect(again.headers.get('content-security-policy')).not.toBe(csp);
    const missing = await venue.captive.get('/nothing');
    expect(missing.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('stays within the size budget', async () => {
    const { request } = await import('node:http');
    const bytes = await new Promise<number>((resolve, reject) => {
      const call = request(
        venue.captive.url + venue.arrival(),
        { headers: { 'accept-encoding': 'gzip' } },
        response => {
          let total = 0;
          response.on('data', (chunk: Buffer) => (total += chunk.length));
          response.on('end', () => resolve(total));
          expect(response.headers['content-encoding']).toBe('gzip');
        },
      );
      call.on('error', reject);
      call.end();
    });
    expect(bytes).toBeLessThan(14_000 - 1500);
  });

  test('serves pictures with a picture’s content type', async () => {
    const form = fileForm(await picture(), { collection: 'logo' });
    const { url } = (await venue.api.post(`panel/portal/${venue.portal.id}/image`, { token: venue.admin, body: form }))
      .body.data;
    await venue.update(`panel/portal/${venue.portal.id}`, { styles: { portal_logo: url } });
    const path = new URL(url).pathname;
    const image = await venue.captive.get(path);
    expect(image.status).toBe(200);
    expect(image.headers.get('content-type')).toBe('image/webp');
    expect(image.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(image.headers.get('x-content-type-options')).toBe('nosniff');
    expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const again = await venue.captive.get(path, { 'if-none-match': image.headers.get('etag')! });
    expect(again.status).toBe(304);
    // The path only, as the guest loads it from the portal's host.
    expect((await venue.captive.get(venue.arrival())).html).toContain(`<img src="${path}"`);
    for (const at of [
      '/uploads/../../etc/passwd',
      `/uploads/${path.split('/')[2]}/..%2f..%2fsecret.key`,
      `/uploads/${path.split('/')[2]}/.x.part`,
      '/uploads/x/y.webp',
      // Another tenant's folder does not have it.
      path.replace(/[0-9a-f-]{36}/, crypto.randomUUID()),
      path.replace(/[0-9a-f-]{36}/, '-'.repeat(36)),
    ])
      expect((await venue.captive.get(at)).status).toBe(404);
  });
});
