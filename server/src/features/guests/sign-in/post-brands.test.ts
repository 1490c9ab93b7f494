import { formsOf } from '@portico/simulator/browser.ts';
import { deviceHeader } from '@portico/simulator/hotspot-pages.ts';
import { type PostBrandName, postBrands } from '@portico/simulator/post-brands.ts';
import { type Router, startRouter } from '@portico/simulator/router.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { freePort } from '#test/process.ts';
import { startRadius } from '../../../services/radius.ts';
import type { PageAnswer } from '../testing/captive.ts';
import { cookiesOf, startVenue, stateOf, type Venue } from '../testing/venue.ts';

/** Gateways whose guests post their ticket to them, each as the simulator has it from the vendor's document. */
const names = Object.keys(postBrands) as PostBrandName[];

let venue: Venue;
const devices = new Map<PostBrandName, Body>();
const routers = new Map<PostBrandName, Router>();

beforeAll(async () => {
  const [authPort, acctPort] = [await freePort(), await freePort()];
  venue = await startVenue({
    ...{ UDP_HOST: '127.0.0.1', RADIUS_AUTH_PORT: String(authPort), RADIUS_ACCT_PORT: String(acctPort) },
    // Every router here answers, a busy machine later.
    ...{ COA_TIMEOUT: '30', RADSEC_PORT: '' },
  });
  const radius = await startRadius(venue.api.app, { seenEveryMs: 0 });
  afterFile(() => radius.stop());
  const brands: Body[] = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  for (const [i, brand] of names.entries()) {
    const form = {
      name: brand,
      brand_id: brands.find(it => it.slug === brand)!['id'],
      mac_address: `02:00:00:00:20:${10 + i}`,
      location_id: venue.location,
    };
    const made = await venue.create('panel/device', form);
    const device = (await venue.api.get(`panel/device/${made['id']}`, { token: venue.admin })).body.data;
    const files = (await venue.api.get(`panel/device/${made['id']}/setup-files`, { token: venue.admin })).body.data;
    const page = files.find((file: Body) => file['name'] === 'portal.html')?.text ?? '';
    const router = await startRouter({
      nasIdentifier: device.nas_identifier,
      secret: device.secret,
      radius: { host: '127.0.0.1', authPort, acctPort },
      post: { brand, portalUrl: device.portal_url, page },
      network: `10.7.${i}`,
    });
    await venue.api.app.db.pool.query('update devices set coa_port = $1 where id = $2', [router.coaPort, device.id]);
    devices.set(brand, device);
    routers.set(brand, router);
  }
  afterFile(() => Promise.all([...routers.values()].map(router => router.close())));
}, 120_000);

const local = (url: string) => url.replace('http://guests.example', '');
const signInAt = (brand: PostBrandName) => `/w/${devices.get(brand)!['nas_identifier']}/sign-in`;

/** The address to which the gateway sends the guest's browser: by a redirect, or by a page as the script of pfSense's reads it. */
async function atGateway(brand: PostBrandName, path: string, form?: URLSearchParams): Promise<string> {
  const headers = { [deviceHeader]: venue.mac };
  const init = form ? { method: 'POST', body: form, headers } : { headers };
  const answer = await fetch(routers.get(brand)!.hotspotUrl + path, { ...init, redirect: 'manual' });
  const html = await answer.text();
  if (answer.status === 302) return answer.headers.get('location')!;
  expect(answer.status).toBe(200);
  const [facts] = formsOf({ url: 'https://192.168.1.1:8003/', status: 200, html });
  const said = Object.fromEntries(facts!.fields) as Record<string, string>;
  const { mac, ip, zone, redirurl: orig, message: error } = said as Record<string, string>;
  const query = { mac: mac!, ip: ip!, zone: zone!, action: facts!.action, orig: orig!, error: error! };
  return `${devices.get(brand)!['portal_url']}?${new URLSearchParams(query)}`;
}

/** The form that the portal's page sends to the gateway. */
function formOf(page: PageAnswer) {
  const form = formsOf({ url: 'http://guests.example/', ...page }).find(it => !it.names.has('state'));
  if (!form) throw new Error(`no form in ${page.html}`);
  return { to: new URL(form.action), fields: form.fields };
}

async function signIn(brand: PostBrandName, username: string, at?: string) {
  const page = await venue.captive.get(at ?? local(await atGateway(brand, '/news')));
  expect(page.status, page.html).toBe(200);
  const typed = { state: stateOf(page.html), method: 'username', username, password: 'parola 1' };
  const answer = await venue.captive.form(signInAt(brand), typed);
  expect(answer.status, answer.html).toBe(303);
  const cookie = cookiesOf(answer);
  const handOver = await venue.captive.get(answer.headers.get('location')!, { cookie });
  expect(handOver.status, handOver.html).toBe(200);
  return { cookie, handOver, ...formOf(handOver) };
}

const sessions = async (): Promise<Body[]> =>
  (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;

describe.each(names)('a guest of %s', brand => {
  test('signs in, is online with its limits, and is ended from the panel as far as the gateway can', async () => {
    venue.newMac();
    const profile = await venue.create('panel/location/user-profile', {
      ...{ name: `Limits of ${brand}`, location_id: venue.location },
      max_upload: { is_active: true, option: 'mbps', value: 2 },
      max_download: { is_active: true, option: 'mbps', value: 8 },
    });
    const username = await venue.visitor({ profile_id: profile['id'] });
    const { to, fields, cookie, handOver } = await signIn(brand, username);
    expect(to.hostname).toBe(postBrands[brand].host);
    expect(to.pathname).toBe(postBrands[brand].signIn);
    expect(handOver.html, 'script sends the form').toContain('data-auto');
    expect(handOver.headers.get('content-security-policy')).toContain("form-action 'self' http: https:");

    const next = await atGateway(brand, to.pathname + to.search, fields);
    expect(next).toMatch(new RegExp(`^${devices.get(brand)!['portal_url']}/online\\?new=1`));
    await routers.get(brand)!.settled();
    const online = await venue.captive.get(local(next), { cookie });
    expect(online.html).toContain('You are connected');
    const session = routers.get(brand)!.session(venue.mac)!;
    expect(session.limits.interimInterval).toBe(60);
    if (!['aruba', 'fortigate', 'meraki'].includes(brand))
      expect([session.limits.uploadBps, session.limits.downloadBps]).toEqual([2_000_000, 8_000_000]);

    const [open] = await sessions();
    expect(open).toMatchObject({ client_mac: venue.mac, endable: postBrands[brand].takesCommands });
    const kick = await venue.api.post(`panel/kick/${open!['rhid']}`, { token: venue.admin });
    if (postBrands[brand].takesCommands) {
      // Confirmed if the end of the session was stored before the answer.
      expect(kick.body.data.state, kick.text).toMatch(/^(acknowledged|confirmed)$/);
      await routers.get(brand)!.settled();
      expect(await sessions()).toEqual([]);
    } else {
      expect(kick.body.data, kick.text).toMatchObject({ state: 'refused', words: 'Unsupported-Service' });
      expect(await sessions()).toHaveLength(1);
      routers.get(brand)!.signOut(session.device);
      await routers.get(brand)!.settled();
      expect(await sessions()).toEqual([]);
    }
  });

  test('is told that a used ticket is over, and gets a new form', async () => {
    venue.newMac();
    const username = await venue.visitor();
    const { to, fields } = await signIn(brand, username);
    const wrong = new URLSearchParams(
      [...fields].map(([name, value]) => [name, value.length > 20 ? `${value}x` : value]),
    );
    // Another ticket is refused by RADIUS. The gateway's words about it do not count.
    for (const [name, value] of fields) if (value.startsWith('http') || value.length <= 20) wrong.set(name, value);
    const back = await atGateway(brand, to.pathname + to.search, wrong);
    const page = await venue.captive.get(local(back));
    expect(page.status, page.html).toBe(200);
    const state = JSON.parse(Buffer.from(stateOf(page.html).split('.')[0]!, 'base64url').toString());
    expect(JSON.stringify(state), 'our own page is not what the guest wanted').not.toContain('/online');
    expect(routers.get(brand)!.session(venue.mac)).toBeUndefined();
  });

  test('does not send the form by itself a second time', async () => {
    venue.newMac();
    const { cookie } = await signIn(brand, await venue.visitor());
    const again = await venue.captive.get(`/w/${devices.get(brand)!['nas_identifier']}/online?new=1&n=1`, { cookie });
    expect(again.html).not.toContain('data-auto');
    expect(formOf(again).to.hostname).toBe(postBrands[brand].host);
  });

  test('needs no sign-in if its device is bypassed', async () => {
    venue.newMac();
    const rule = { mac: venue.mac, type: 'bypassed', comment: '' };
    await venue.create(`panel/device/${devices.get(brand)!['id']}/macs`, rule);
    const answer = await venue.captive.get(local(await atGateway(brand, '/news')));
    expect(answer.status, answer.html).toBe(303);
    const page = await venue.captive.get(answer.headers.get('location')!, { cookie: cookiesOf(answer) });
    const { to, fields } = formOf(page);
    await atGateway(brand, to.pathname + to.search, fields);
    expect(routers.get(brand)!.session(venue.mac)).toBeDefined();
  });

  test('is not led to a stranger', async () => {
    venue.newMac();
    const genuine = new URL(await atGateway(brand, '/news'));
    const { host } = postBrands[brand];
    const changed = (from: string, to: string) => {
      const url = new URL(genuine);
      for (const [name, value] of genuine.searchParams)
        if (!['url', 'redirect', 'orig', 'continue_url', 'ga_orig_url'].includes(name))
          url.searchParams.set(name, value.replace(from, to));
      return local(url.href);
    };
    for (const [what, at] of Object.entries({
      'another host': changed(host, 'evil.example'),
      'a host that begins the same': changed(host, `${host}.evil.example`),
      'a name before the host': changed(host, `${host}@evil.example`),
      'a public address': changed(host, '8.8.8.8'),
      'a script': changed(/^https?:/.test(genuine.search) ? 'https' : host, 'javascript:alert(1)//'),
      'no host': changed(host, ''),
      'our own query with another host': local(
        `${genuine.origin}${genuine.pathname}?${new URLSearchParams({ mac: venue.mac, login: 'https://evil.example/login.html' })}`,
      ),
      'our own query with another path': local(
        `${genuine.origin}${genuine.pathname}?${new URLSearchParams({ mac: venue.mac, login: `https://${host}/elsewhere` })}`,
      ),
      'no MAC': changed(venue.mac.toLowerCase(), '').replaceAll(venue.mac.replaceAll(':', '-'), ''),
      'what cannot be stored': `${local(genuine.origin + genuine.pathname)}?mac=%00&switchip=%00&cmd=login`,
    })) {
      const page = await venue.captive.get(at);
      expect(page.status, `${what}: ${at}`).toBe(400);
      expect(page.html, what).not.toContain('name="state"');
    }
    const long = `${local(genuine.href)}&x=${'y'.repeat(6000)}`;
    expect((await venue.captive.get(long)).status).toBeLessThan(500);
  });
});

test('every such brand has a configuration with the values of its device', async () => {
  for (const brand of names) {
    const device = devices.get(brand)!;
    const files = await venue.api.get(`panel/device/${device['id']}/setup-files`, { token: venue.admin });
    const text = files.body.data.map((file: Body) => file['text']).join('\n');
    for (const value of ['nas_identifier', 'secret', 'portal_url'] as const)
      expect(text, `${brand}: ${value}`).toContain(device[value] as string);
    const doctor = await venue.api.post(`panel/device/${device['id']}/doctor`, { token: venue.admin });
    const checks = doctor.body.data.map((it: Body) => it['name']);
    expect(checks.includes('coa'), brand).toBe(postBrands[brand].takesCommands);
  }
});
