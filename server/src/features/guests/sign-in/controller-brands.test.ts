import { openOmadaController } from '@portico/simulator/controllers/omada.ts';
import { openUnifiController } from '@portico/simulator/controllers/unifi.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandJobs } from '#features/devices/public.ts';
import { afterFile } from '#test/after-file.ts';
import type { Body } from '#test/harness.ts';
import { apiKey, follow as followAll, login, startControllers } from '../testing/controllers.ts';
import { cookiesOf, newGuestEachTest, stateOf, type Venue } from '../testing/venue.ts';

type Controllers = Awaited<ReturnType<typeof startControllers>>;

let venue: Venue;
let unifi: Controllers['unifi'];
let omada: Controllers['omada'];
let devices: Controllers['devices'];
beforeAll(async () => {
  ({ venue, unifi, omada, devices } = await startControllers({ COA_TIMEOUT: '20' }));
}, 120_000);
newGuestEachTest(() => venue);

const nasOf = (name: string): string => devices[name]!['nas_identifier'];
const sendCommands = () => commandJobs.find(it => it.name === 'send router commands')!.run(venue.api.app);
const follow = () => followAll(venue);
const sessions = async (): Promise<Body[]> =>
  (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;
const kick = async () =>
  (await venue.api.post(`panel/kick/${(await sessions())[0]!['rhid']}`, { token: venue.admin })).body.data;
/** Sessions are older than the time in which a controller may not list its guest yet. */
const grow = () =>
  venue.api.app.db.pool.query(`update online_sessions set started_at = started_at - interval '1 minute'`);

/** The paths by which a guest may arrive. */
const arrivalAt = (name: string): string => {
  if (name.startsWith('omada')) return `/w/${nasOf(name)}?${omada.arrival(venue.mac)}`;
  return `/w/${nasOf(name)}/guest/s/default/?${unifi.arrival(venue.mac)}`;
};
/** Adds another device of a brand, with a controller of its own. */
const add = async (name: string, of: string, mac_address: string, controller: { port: number; close(): unknown }) => {
  afterFile(() => controller.close());
  const connection = { host: '127.0.0.1', port: controller.port, ...login };
  const form = { name, brand_id: devices[of]!['brand'].id, mac_address, location_id: venue.location, connection };
  devices[name] = await venue.create('panel/device', form);
};
const signIn = async (name: string, at: string, more: object = {}, password = 'parola 1') => {
  unifi.join(venue.mac);
  const page = await venue.captive.get(at);
  expect(page.status, page.html).toBe(200);
  const typed = { state: stateOf(page.html), method: 'username', username: await venue.visitor(more), password };
  return venue.captive.form(`/w/${nasOf(name)}/sign-in`, typed);
};
const goOnline = async (name: string, at = arrivalAt(name), more: object = {}) => {
  const answer = await signIn(name, at, more);
  expect(answer.status, answer.html).toBe(303);
  const to = new URL(answer.headers.get('location')!);
  expect(to.origin + to.pathname).toBe(`${devices[name]!['portal_url']}/online`);
  const online = await venue.captive.get(to.pathname + to.search, { cookie: cookiesOf(answer) });
  expect(online.html).toContain('You are connected');
  // No browser can end a session there.
  expect(online.html).not.toContain('/log-out');
  expect(online.html).toContain('Leave the Wi-Fi when you are done');
};
const limited = async () => {
  const profile = await venue.create('panel/location/user-profile', {
    ...{ name: `Limits ${venue.mac}`, location_id: venue.location },
    max_upload: { is_active: true, option: 'mbps', value: 2 },
    max_download: { is_active: true, option: 'mbps', value: 8 },
    session_quota: { is_active: true, option: 'gb', value: 1 },
  });
  return { profile_id: profile['id'], session_end_at: new Date(Date.now() + 1_800_000).toISOString() };
};

describe.each(['unifi', 'unifi by key'])('a guest of %s', name => {
  test('is admitted by the controller with its limits, and its use and end are seen', async () => {
    await goOnline(name, arrivalAt(name), await limited());
    const guest = unifi.guest(venue.mac)!;
    expect(guest).toMatchObject({ authorized: true, upKbps: 2000, downKbps: 8000, megabytes: 1000 });
    expect(guest.minutes).toBe(30);
    expect(await sessions()).toHaveLength(1);

    Object.assign(guest, { uploadBytes: 5_000_000, downloadBytes: 70_000_000 });
    await follow();
    const [open] = await sessions();
    expect(JSON.stringify(open)).toContain('70000000');

    // The controller ended it.
    guest.authorized = false;
    await follow();
    expect(await sessions(), 'just begun').toHaveLength(1);
    await grow();
    await follow();
    expect(await sessions()).toEqual([]);
  });

  test('is ended from the panel within seconds', async () => {
    await goOnline(name);
    expect(await sessions()).toMatchObject([{ endable: true }]);
    expect(await kick()).toMatchObject({ state: 'requested', within: 20 });
    expect(unifi.guest(venue.mac)!.authorized).toBe(true);
    await follow();
    expect(await sessions(), 'the controller has not ended it yet').toHaveLength(1);
    await sendCommands();
    expect(unifi.guest(venue.mac)!.authorized).toBe(false);
    await follow();
    expect(await sessions()).toEqual([]);
  });

  test('gets nothing with a wrong password', async () => {
    const answer = await signIn(name, arrivalAt(name), {}, 'no');
    expect(answer.status).toBe(422);
    expect(unifi.guest(venue.mac)).toBeUndefined();
  });
});

test('a UniFi controller that runs on its own admits and ends a guest', async () => {
  const alone = await openUnifiController({ ...login, apiKey, unifiOs: false });
  await add('on its own', 'unifi', '94:2a:6f:d0:30:59', alone);
  await goOnline('on its own');
  expect(alone.guest(venue.mac)).toMatchObject({ authorized: true });
  await kick();
  await sendCommands();
  expect(alone.guest(venue.mac)).toMatchObject({ authorized: false });
});

describe('a guest of a UniFi controller that sends no path', () => {
  test('is known by its access point', async () => {
    await goOnline('unifi', `/guest/s/default/?${unifi.arrival(venue.mac)}`);
  });
  test('gets no page if the access point is unknown and several devices could be meant', async () => {
    const query = unifi.arrival(venue.mac);
    query.set('ap', '00:00:00:00:00:01');
    expect((await venue.captive.get(`/guest/s/default/?${query}`)).status).toBe(404);
    expect((await venue.captive.get(`/w/${venue.nas}/guest/s/default/?${query}`)).status, 'another brand').toBe(404);
  });
});

describe('a guest of Omada', () => {
  test('is admitted at an access point, and its session ends with its time', async () => {
    await goOnline('omada', arrivalAt('omada'), await limited());
    const guest = omada.guest(venue.mac)!;
    expect(guest).toMatchObject({ site: 'Default', at: 'access point' });
    expect(guest.seconds).toBeGreaterThan(1700);
    expect(guest.seconds).toBeLessThanOrEqual(1800);
    expect(await sessions()).toMatchObject([{ endable: false }]);
    expect(await kick(), 'the controller takes no commands').toMatchObject({
      state: 'refused',
      words: 'Unsupported-Service',
    });
    await grow();
    await follow();
    expect(await sessions(), 'nobody says that it ended').toHaveLength(1);
  });
  test('is admitted at a gateway', async () => {
    await goOnline('omada', `/w/${nasOf('omada')}?${omada.arrivalAtGateway(venue.mac)}`);
    expect(omada.guest(venue.mac)).toMatchObject({ at: 'gateway' });
  });
});

describe.each(['unifi', 'omada'])('a guest of %s with a forged link', name => {
  test('gets no form', async () => {
    const genuine = new URL(arrivalAt(name), 'http://guests.example');
    const changed = (change: (url: URL) => void) => {
      const url = new URL(genuine);
      change(url);
      return url.pathname + url.search;
    };
    const own = (more: Record<string, string>) =>
      `/w/${nasOf(name)}?${new URLSearchParams({ mac: venue.mac, ...more })}`;
    for (const [what, at] of Object.entries({
      'no MAC': changed(url => url.searchParams.set(name === 'omada' ? 'clientMac' : 'id', '')),
      'half a MAC': changed(url => url.searchParams.set(name === 'omada' ? 'clientMac' : 'id', 'aa:bb')),
      'what cannot be stored': changed(url => url.searchParams.set(name === 'omada' ? 'clientMac' : 'id', '\0')),
      'our own query with a stranger': own({ login: 'https://evil.example/' }),
      'our own query with an address inside': own({ login: 'http://10.5.50.1/login' }),
      'our own query with a strange site': own({ login: 'http://controller.internal/?site=../../x&apMac=x' }),
      'no address': own({ login: '' }),
    })) {
      const page = await venue.captive.get(at);
      expect(page.status, `${what}: ${at}`).toBe(400);
      expect(page.html, what).not.toContain('name="state"');
    }
  });
});

// The guest's browser brings the address, so a guest could name the one that a NAT gives to everybody.
test('a guest who claims the address of a NAT makes no other guest look connected', async () => {
  const shared = '127.0.0.1';
  const at = `${arrivalAt('omada')}&clientIp=${shared}`;
  await goOnline('omada', at);
  expect(await sessions()).toMatchObject([{ client_ip: shared }]);
  const other = await venue.captive.get(`/w/${nasOf('omada')}/online`);
  expect([other.status, other.html.includes('You are connected')]).toEqual([403, false]);
  expect((await venue.captive.get(`/captive/${nasOf('omada')}`)).status).toBe(404);
});

describe('the controller', () => {
  const form = (port: number, more: object = {}) => ({ host: '127.0.0.1', port, ...login, ...more });
  const testAt = (name: string, body: object) =>
    venue.api.post(`panel/device/${devices[name]!['id']}/connection/test`, { token: venue.admin, body });

  test('is tested with the values of the form', async () => {
    const good = await testAt('unifi', form(unifi.port));
    expect(good.body.data, good.text).toMatchObject({ identity: 'UDM', version: '9.1.120' });
    const byKey = await testAt('unifi by key', form(unifi.port, { username: 'api-key', password: apiKey }));
    expect(byKey.body.data, byKey.text).toMatchObject({ version: '9.1.120' });
    expect((await testAt('omada', form(omada.port))).body.data).toMatchObject({ version: '5.15.20' });
    for (const [name, body, field] of [
      ['unifi', form(unifi.port, { password: 'wrong' }), 'password'],
      ['unifi by key', form(unifi.port, { username: 'api-key', password: 'wrong' }), 'password'],
      ['omada', form(omada.port, { password: 'wrong' }), 'password'],
      ['omada', form(unifi.port), 'host'],
      ['unifi', form(1), 'host'],
    ] as const) {
      const bad = await testAt(name, body);
      expect(bad.status, bad.text).toBe(422);
      expect(Object.keys(bad.body.errors)).toEqual([field]);
    }
  });

  test('must show the certificate that it showed first', async () => {
    const renewed = await openUnifiController({ ...login, apiKey });
    await add('renewed', 'unifi', '94:2a:6f:d0:30:60', renewed);
    await goOnline('renewed');
    const before = renewed.requests();
    venue.newMac();
    renewed.renew();
    const answer = await signIn('renewed', arrivalAt('renewed'));
    expect(answer.status).toBe(422);
    expect(renewed.requests(), 'nothing was sent').toBe(before);
    const forget = await venue.api.delete(`panel/device/${devices['renewed']!['id']}/connection/certificate`, {
      token: venue.admin,
    });
    expect(forget.status).toBe(204);
    venue.newMac();
    await goOnline('renewed');
  });

  test.each(['unifi', 'omada'])('%s: a guest who never opens the page after the sign-in has a session', async name => {
    const answer = await signIn(name, arrivalAt(name));
    expect(answer.status, answer.html).toBe(303);
    const [session] = await sessions();
    expect(session).toBeDefined();
    // The page, opened later, shows the same session.
    const to = new URL(answer.headers.get('location')!);
    await venue.captive.get(to.pathname + to.search, { cookie: cookiesOf(answer) });
    expect((await sessions()).map(it => it['rhid'])).toEqual([session!['rhid']]);
  });

  test('that cannot be reached uses up no ticket, and its sessions stay open', async () => {
    const away = await openOmadaController({ name: login.username, password: login.password });
    await add('omada away', 'omada', '02:00:00:00:40:02', away);
    await goOnline('omada away');
    await away.close();
    await grow();
    await follow();
    expect(await sessions()).toHaveLength(1);
    venue.newMac();
    const answer = await signIn('omada away', arrivalAt('omada away'));
    expect(answer.status).toBe(422);
    expect(await sessions()).toEqual([]);
  });
});
