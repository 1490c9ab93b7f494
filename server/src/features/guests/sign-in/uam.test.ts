import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

let venue: Venue;
let device: Body;
let uamsecret: string;
beforeAll(async () => {
  venue = await startVenue();
  device = await addGateway('02:00:00:00:09:01');
  const files = await venue.api.get(`panel/device/${device.id}/setup-files`, { token: venue.admin });
  expect(files.headers.get('cache-control')).toBe('no-store');
  const conf: string = files.body.data[0].text;
  uamsecret = /^uamsecret (\w+)$/m.exec(conf)![1]!;
  expect(conf).toContain(`uamserver ${device.portal_url}\n`);
  expect(conf).toContain(`radiussecret ${device.secret}\n`);
  expect(uamsecret).toMatch(/^[0-9a-f]{32}$/);
}, 120_000);
newGuestEachTest(() => venue);

async function addGateway(mac_address: string): Promise<Body> {
  const brands = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const brand_id = brands.find((brand: Body) => brand.slug === 'coovachilli').id;
  return venue.create('panel/device', { name: 'Chilli', brand_id, mac_address, location_id: venue.location });
}
const md5 = (...parts: (string | Buffer)[]) => parts.reduce((hash, it) => hash.update(it), createHash('md5')).digest();
const challenge = '00112233445566778899aabbccddeeff';

/** The address to which CoovaChilli redirects its guest. */
function redirect(more: Record<string, string> = {}, secret = uamsecret, at = device): string {
  const values = {
    ...{ res: 'notyet', uamip: '10.1.0.1', uamport: '3990', challenge, called: '02-00-00-00-99-01' },
    ...{ mac: venue.mac.replaceAll(':', '-'), ip: '10.1.0.5', nasid: at.nas_identifier, sessionid: '1' },
    ...{ userurl: 'http://example.com/news?a=1&b=2', ...more },
  };
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const url = `${at.portal_url}?${query.join('&')}`;
  return `${url}&md=${md5(url, secret).toString('hex').toUpperCase()}`;
}
const open = (url: string) => venue.captive.get(url.replace('http://guests.example', ''));
const signIn = async (url: string, username: string) => {
  const page = await open(url);
  const form = { state: stateOf(page.html), method: 'username', username, password: 'parola 1' };
  return venue.captive.form(`/w/${device.nas_identifier}/sign-in`, form);
};

describe('a guest of a gateway that speaks UAM', () => {
  test('takes a CHAP response for its ticket back, and sees the status page afterwards', async () => {
    const answer = await signIn(redirect(), await venue.visitor());
    expect(answer.status, answer.html).toBe(303);
    const to = new URL(answer.headers.get('location')!);
    expect(to.origin + to.pathname).toBe('http://10.1.0.1:3990/logon');
    const { username, response, userurl } = Object.fromEntries(to.searchParams) as Record<string, string>;
    const key = md5(Buffer.from(challenge, 'hex'), uamsecret);
    expect(response).toBe(md5(Buffer.of(0), username!, key).toString('hex'));
    expect(userurl).toBe(`${device.portal_url}/online?new=1`);
    expect(to.href).not.toContain(uamsecret);

    const done = await open(redirect({ res: 'success', userurl: userurl! }));
    expect(done.headers.get('location')).toBe(`/w/${device.nas_identifier}/online?new=1`);
    const again = await open(redirect({ res: 'already' }));
    expect(again.headers.get('location')).toBe(`/w/${device.nas_identifier}/online`);
    const out = await venue.captive.form(`/w/${device.nas_identifier}/log-out`, {}, { cookie: cookiesOf(answer) });
    expect(out.headers.get('location')).toBe('http://10.1.0.1:3990/logoff');
    expect((await open(redirect({ res: 'logoff' }))).html).toContain('logged out');
  });

  test('is told why the gateway refused', async () => {
    const over = await open(redirect({ res: 'failed', reason: 'reject', reply: 'Your data is used up' }));
    expect(over.status).toBe(200);
    for (const [values, words] of [
      [{ res: 'failed', reason: 'timeout' }, 'not answering'],
      [{ res: 'failed' }, 'try again'],
      [{ res: 'reject' }, 'try again'],
    ] as const)
      expect((await open(redirect(values))).html.toLowerCase(), JSON.stringify(values)).toContain(words);
  });

  test('with another UAM secret is told to the operator, until a genuine one arrives', async () => {
    const another = await addGateway('02:00:00:00:09:02');
    const garden = async () => {
      const { body } = await venue.api.post(`panel/device/${another.id}/doctor`, { token: venue.admin });
      return body.data.find((it: Body) => it.name === 'garden');
    };
    await open(redirect({}, 'guessed', another));
    expect(await garden()).toMatchObject({ state: 'failed', reason: 'wrong' });
    await venue.run(sql`update devices set arrived_at = now() where id = ${another.id}`);
    expect(await garden()).toMatchObject({ state: 'ok' });
  });

  test('is not let through by an address that the gateway did not sign', async () => {
    const genuine = redirect();
    for (const [what, url] of Object.entries({
      'another secret': redirect({}, 'guessed'),
      'the secret of RADIUS': redirect({}, device.secret),
      'a changed gateway': genuine.replace('uamip=10.1.0.1', 'uamip=10.1.0.66'),
      'a changed device': genuine.replace(/mac=[^&]+/, 'mac=02-00-00-00-00-66'),
      'no signature': genuine.replace(/&md=.*/, ''),
      'an empty signature': genuine.replace(/&md=.*/, '&md='),
      'more after the signature': `${genuine}&uamip=10.1.0.66`,
      'the address of another device': genuine.replace(device.nas_identifier, venue.nas),
      'a public gateway': redirect({ uamip: '8.8.8.8' }),
      'a gateway with a name': redirect({ uamip: 'evil.example' }),
      'a port out of range': redirect({ uamport: '99999' }),
      'a broken challenge': redirect({ challenge: 'x' }),
    })) {
      const page = await open(url);
      expect(page.status, what).toBe(400);
      expect(page.html, what).not.toContain('name="state"');
    }
  });

  test('is not led elsewhere by a link in the portal’s own form', async () => {
    const page = await open(redirect({ res: 'failed', reason: 'timeout' }));
    const own = /href="(\/w\/[^"]*login=[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(own, 'the page has links that carry the return address').toContain('login=');
    const link = (change: (login: URL) => void, mac = venue.mac) => {
      const url = new URL(own, 'http://guests.example');
      const login = new URL(url.searchParams.get('login')!);
      change(login);
      url.searchParams.set('login', login.href);
      url.searchParams.set('mac', mac);
      return url.pathname + url.search;
    };
    expect((await venue.captive.get(link(() => undefined))).status).toBe(200);
    for (const [what, url] of Object.entries({
      'another host': link(login => {
        login.hostname = '10.1.0.66';
      }),
      'another port': link(login => {
        login.port = '80';
      }),
      'another path': link(login => {
        login.pathname = '/www/login.chi';
      }),
      'another challenge': link(login => login.searchParams.set('challenge', '0'.repeat(32))),
      'another device': link(() => undefined, '02:00:00:00:00:66'),
    }))
      expect((await venue.captive.get(url)).status, what).toBe(400);
  });

  test('has setup files that only members who may change devices read', async () => {
    const at = `panel/device/${device.id}/setup-files`;
    expect((await venue.api.get(at)).status).toBe(401);
    expect(
      (await venue.api.get(`panel/device/${venue.device.id}/setup-files`, { token: venue.admin })).body.data,
    ).toEqual([]);
  });
});
