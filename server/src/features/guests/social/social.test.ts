import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { startProvider } from '../testing/provider.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

let venue: Venue;
let provider: Awaited<ReturnType<typeof startProvider>>;
let made: Body;
const client = { id: 'portico', secret: 'their secret' };

beforeAll(async () => {
  venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  provider = await startProvider(client);
  afterFile(provider.close);
  const connection = {
    type: 'openid',
    issuer: provider.issuer,
    client_id: client.id,
    client_secret: client.secret,
    label: 'Köy <Kimlik>',
  };
  made = await venue.create('panel/integration', {
    name: 'Kimlik',
    location_id: venue.location,
    integration_id: 'openid',
    params: { connection },
  });
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => {
  provider.be({ sub: 'ada-1', name: 'Ada Deniz', email: 'Ada@Example.com', email_verified: true });
  provider.forge({});
});

/** Accepts the agreements. */
const leave = async (more: Record<string, string> = {}) => {
  const { html } = await venue.captive.get(venue.arrival());
  const [box = ''] = /<input[^>]*name="agree"[^>]*>/.exec(html) ?? [];
  const agree = /value="([^"]*)"/.exec(box)?.[1] ?? '';
  return venue.captive.form(`/w/${venue.nas}/social`, { state: stateOf(html), provider: made.id, agree, ...more });
};
const linkIn = (html: string) => (/class="button" href="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
const cookieIn = (headers: Headers) => /portico_social=[^;]*/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';
const back = (address: string, cookie: string) => {
  const { pathname, search } = new URL(address);
  return venue.captive.get(pathname + search, cookie ? { cookie } : {});
};
/** The whole flow: to the provider, consent, and back. */
const wholeWay = async () => {
  const away = await leave();
  return back(provider.consent(linkIn(away.html)), cookieIn(away.headers));
};
const visitors = async () =>
  (await venue.api.get('panel/client?per_page=50', { token: venue.admin })).body.data as Body[];

describe('a guest with an OpenID account', () => {
  test('sees the provider’s button, signs in there and is admitted with a ticket', async () => {
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).toContain('Continue with Köy &lt;Kimlik&gt;');
    const away = await leave();
    expect(away.status).toBe(200);
    expect(away.html).toMatch(/<meta http-equiv="refresh" content="0;url=http:\/\/localhost/i);
    const query = new URL(linkIn(away.html)).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: 'portico',
      code_challenge_method: 'S256',
      redirect_uri: made.redirect_uri,
      response_type: 'code',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)!.length).toBeGreaterThan(40);
    expect(away.headers.get('set-cookie')).toMatch(/HttpOnly/);
    const returned = await back(provider.consent(linkIn(away.html)), cookieIn(away.headers));
    expect(returned.status, returned.html).toBe(303);
    const way = new URL(returned.headers.get('location')!);
    expect(way.href).toMatch(/^http:\/\/10\.5\.50\.1\/login\?/);
    expect(way.searchParams.get('username')).toBeTruthy();
    expect(returned.headers.get('set-cookie')).toContain('Max-Age=0');
  });

  test('is told to use another browser if this one refuses cookies, and gets back to the form', async () => {
    const { html } = await venue.captive.get(venue.arrival());
    const agree = /name="agree"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? '';
    const form = { state: stateOf(html), provider: made.id, agree, lang: 'en' };
    const answer = await venue.captive.post(`/w/${venue.nas}/social`, form);
    const page = await venue.captive.get(answer.headers.get('location')!);
    expect([page.status, page.html.includes('This sign-in needs cookies')]).toEqual([400, true]);
    expect(page.html, 'the guest is not led to the provider').not.toContain('http-equiv="refresh"');
    expect(stateOf((await venue.captive.get(linkIn(page.html))).html)).toBeTruthy();
    const languages = /href="(\/w\/\w+\/social\?[^"]*lang=tr)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    expect((await venue.captive.get(languages)).html).toContain('Bu giriş yolu çerez gerektirir');

    const known = await venue.captive.post(`/w/${venue.nas}/social`, form, { cookie: 'portico_language=en' });
    expect(known.headers.get('location'), 'short once the browser has sent a cookie').toBe(
      `/w/${venue.nas}/social?lang=en`,
    );
  });

  test('is identified by its account and not by its e-mail address', async () => {
    expect((await wholeWay()).status).toBe(303);
    provider.be({ sub: 'ada-1', name: 'Ada Deniz', email: 'new@example.com', email_verified: true });
    venue.newMac();
    expect((await wholeWay()).status).toBe(303);
    // Some providers write the word.
    for (const [name, email_verified] of [
      ['Can', false],
      ['Cem', 'false'],
    ] as const) {
      provider.be({ sub: name, name, email: 'ada@example.com', email_verified });
      venue.newMac();
      expect((await wholeWay()).status).toBe(303);
    }
    const all = (await visitors()).filter(it => ['Ada Deniz', 'Can', 'Cem'].includes(it.name));
    expect(all.map(it => [it.name, it.email]).sort()).toEqual([
      ['Ada Deniz', 'ada@example.com'],
      ['Can', null],
      ['Cem', null],
    ]);
  });

  test('is a new visitor where the one before was moved away from', async () => {
    provider.be({ sub: 'moved', name: 'Mavi Oda' });
    expect((await wholeWay()).status).toBe(303);
    const mine = async () =>
      (await visitors()).filter(it => it.name === 'Mavi Oda').map(it => [it.id, it.location_id] as const);
    const [[first] = []] = await mine();
    const elsewhere = await venue.create('panel/location', { name: 'Elsewhere' });
    const body = { ids: [first], location_id: elsewhere.id };
    const moved = await venue.api.post('panel/client/selected/move', { token: venue.admin, body });
    expect(moved.body.data.changed, moved.text).toBe(1);
    for (const time of ['first', 'second']) {
      venue.newMac();
      const { status, html } = await wholeWay();
      expect(status, `${time}: ${html}`).toBe(303);
    }
    const all = await mine();
    expect(all.map(([, location]) => location).sort()).toEqual([venue.location, elsewhere.id].sort());
    expect(all).toContainEqual([first, elsewhere.id]);
  });

  test('has to accept the agreements, and is refused when blocked', async () => {
    await venue.update(`panel/portal/${venue.portal.id}`, {
      agreements: { general: { en: '<p>Terms</p>', tr: '<p>Koşullar</p>' } },
    });
    const refused = await leave({ agree: '' });
    expect([refused.status, refused.html.includes('Please accept the terms')]).toEqual([422, true]);
    expect((await leave({ agree: 'of another wording' })).status).toBe(422);
    expect((await wholeWay()).status).toBe(303);
    const kept = await venue.api.inTenant(tx =>
      tx.many(sql`select v.name from consents c join visitors v on v.id = c.visitor_id`),
    );
    expect(kept).toContainEqual({ name: 'Ada Deniz' });
    await venue.api.inTenant(tx => tx.run(sql`update visitors set blocked = true where name = 'Ada Deniz'`));
    const blocked = await wholeWay();
    expect([blocked.status, blocked.html.includes('name="state"')]).toEqual([422, false]);
    expect(blocked.html).toContain('<h1>Your access is paused</h1>');
    await venue.api.inTenant(tx => tx.run(sql`update visitors set blocked = false where name = 'Ada Deniz'`));
  });

  test('signs in right after the provider changed its keys', async () => {
    expect((await wholeWay()).status).toBe(303);
    provider.rotateKeys();
    expect((await wholeWay()).status).toBe(303);
  });

  test('gets the sign-in page when it cancels or the provider is unavailable', async () => {
    const away = await leave();
    const state = new URL(linkIn(away.html)).searchParams.get('state')!;
    const no = `${made.redirect_uri}?${new URLSearchParams({ error: 'access_denied', state })}`;
    const failed = await back(no, cookieIn(away.headers));
    expect([failed.status, failed.html.includes('That did not work')]).toEqual([422, true]);
    expect(failed.html).toContain('Continue with');
    expect(
      (await venue.api.get(`panel/integration/${made.id}`, { token: venue.admin })).body.data.last_error,
    ).toBeNull();
  });
});

describe('an attacker', () => {
  test('cannot use an answer that its own browser did not request', async () => {
    const mine = await leave();
    const yours = await leave();
    const address = provider.consent(linkIn(mine.html));
    expect((await back(address, '')).status).toBe(400);
    expect((await back(address, cookieIn(yours.headers))).status).toBe(422);
    expect((await back(address, 'portico_social=AAAA')).status).toBe(400);
    expect((await back(address, cookieIn(mine.headers))).status).toBe(303);
    expect((await back(address, cookieIn(mine.headers))).status, 'a code works once').toBe(422);
  });

  test.for([
    ['of another provider', { iss: 'http://127.0.0.1:1' }],
    ['for another client', { aud: 'somebody' }],
    ['that is over', { exp: 1000 }],
    ['of another attempt', { nonce: 'another' }],
  ] as const)('gets in with no token %s', async ([, lie]) => {
    provider.forge(lie);
    expect((await wholeWay()).status).toBe(422);
  });

  test('cannot use a token that it signed itself', async () => {
    // The signature is checked although the token comes directly from the provider.
    provider.forge({}, 'other');
    expect((await wholeWay()).status).toBe(422);
  });

  test('cannot send a guest to another location’s provider', async () => {
    const { html } = await venue.captive.get(venue.arrival());
    const form = { state: stateOf(html), provider: '00000000-0000-4000-8000-000000000000' };
    expect((await venue.captive.form(`/w/${venue.nas}/social`, form)).status).toBe(400);
    expect((await venue.captive.form(`/w/${venue.nas}/social`, { ...form, state: 'x' })).status).toBe(400);
    expect((await venue.captive.form(`/w/${venue.nas}/social`, {})).status).toBe(400);
  });
});

describe('a provider', () => {
  const connection = () => ({
    type: 'openid',
    issuer: provider.issuer,
    client_id: client.id,
    client_secret: client.secret,
    label: 'Kimlik',
  });
  const tryIt = (body: object) => venue.api.post('panel/integration/test', { token: venue.admin, body });

  test('is discovered, with the hosts that guests must reach', async () => {
    const answer = await tryIt(connection());
    expect(answer.body.data).toContainEqual({ name: 'walled_garden', value: 'localhost' });
    const wrong = await tryIt({ ...connection(), issuer: `${provider.issuer}/nowhere` });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['issuer']]);
  });

  test.each(['data:text/html,x', 'mailto:a@b', 'http://[::1]/a', 'https://a_b/', 'https://x.example./'])(
    'that signs people in at %s opens no such host',
    async address => {
      provider.authorizeAt(address);
      const { data } = (await tryIt(connection())).body;
      expect(data).toContainEqual({ name: 'walled_garden', value: 'localhost' });
      provider.authorizeAt(undefined);
      await tryIt(connection());
    },
  );

  test('is reached before the sign-in: its hosts are in the script of the router and in what it fetches later', async () => {
    const { text: script } = await venue.api.post(`panel/device/mikrotik/script/${venue.device.id}`, {
      token: venue.admin,
      body: {
        gateway_interface: 'ether1',
        gateway_ip: '192.168.88.2',
        hotspot_address: '10.5.50.1',
        hotspot_subnet: '24',
        guestInterfaces: ['ether2'],
      },
    });
    const open = '/ip hotspot walled-garden ip add dst-host="localhost" action=accept comment="portico-open"';
    expect(script.split('\n')).toContain(open);
    const headers = { 'x-portico-token': /x-portico-token: ([\w-]+)/.exec(script)![1]! };
    const poll = () => venue.api.get(`/v1/device/poll/${venue.nas}`, { headers });
    await expect.poll(async () => (await poll()).text).toContain(':foreach h in={"localhost"} do={');
  });

  test('does not get another provider’s secret', async () => {
    const { client_secret: _, ...rest } = connection();
    const at = `panel/integration/${made.id}`;
    const shown = await venue.api.get(at, { token: venue.admin });
    expect([shown.status, shown.text]).toEqual([200, expect.not.stringContaining(client.secret)]);
    const moved = await venue.api.put(at, {
      token: venue.admin,
      body: { name: 'Kimlik', params: { connection: { ...rest, issuer: 'https://evil.example' } } },
    });
    expect([moved.status, moved.body.errors]).toEqual([
      422,
      { 'params.connection.client_secret': [expect.stringContaining('again')] },
    ]);
  });
});

describe('the window that a phone opens by itself', () => {
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
  const android =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP3A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0 Mobile Safari/537.36';
  const openAs = async (userAgent: string) =>
    (await venue.captive.get(`${venue.arrival()}&step=form&lang=en`, { 'user-agent': userAgent })).html;
  const outside = 'This window is not your browser.';

  test('is told to go on in the browser: on Apple’s systems by a short address, on Android by a button', async () => {
    const apple = await openAs(iphone);
    expect(apple).toContain(outside);
    expect(apple).toContain(`<bdi dir="ltr">http://guests.example/o/${venue.nas}</bdi>`);
    expect(apple).not.toContain('intent:');
    const droid = await openAs(android);
    expect(droid).toContain(
      `href="intent://guests.example/o/${venue.nas}#Intent;scheme=http;action=android.intent.action.VIEW;end"`,
    );
    for (const html of [apple, droid]) {
      expect(html, 'who wants may try').toMatch(/<details>.*name="provider"/s);
      // The advice says which account it is about, before the buttons.
      expect(html).toMatch(/<b>Continue with [^<]+<\/b><\/p><p>This window is not your browser\..*<details>/s);
    }
    for (const browser of [
      '',
      `${iphone} Safari/604.1`,
      android.replace('; wv', ''),
      `${iphone.replace('Mobile', 'CriOS/131.0 Mobile')} Safari/604.1`,
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0',
    ]) {
      const html = await openAs(browser);
      expect(html, browser).not.toContain(outside);
      expect(html, browser).toContain('name="provider"');
    }
  });

  test('finds the sign-in page again by that address, through the router', async () => {
    const answer = await venue.captive.get(`/o/${venue.nas}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'http://neverssl.com/']);
    await venue.update(`panel/device/${venue.device.id}`, { hotspot_address: '10.5.50.1' });
    expect((await venue.captive.get(`/o/${venue.nas}`)).headers.get('location')).toContain('http://10.5.50.1/');
    const unknown = await venue.captive.get('/o/nosuchrouter1');
    expect([unknown.status, unknown.headers.get('location')]).toEqual([303, '/w/nosuchrouter1']);
  });
});
