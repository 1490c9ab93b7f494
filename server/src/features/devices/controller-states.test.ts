import { webhookEvents } from '@portico/contract/integration-names.ts';
import type { Interference } from '@portico/simulator/controllers/tls-json-server.ts';
import sql from 'sql-template-tag';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { follow as followAll, login, startControllers } from '#features/guests/testing/controllers.ts';
import { cookiesOf, newGuestEachTest, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';

type Controllers = Awaited<ReturnType<typeof startControllers>>;

let venue: Venue;
let unifi: Controllers['unifi'];
let omada: Controllers['omada'];
let devices: Controllers['devices'];
let hook: string;
beforeAll(async () => {
  ({ venue, unifi, omada, devices } = await startControllers({ COA_TIMEOUT: '20' }));
  const params = { connection: { type: 'webhook', url: 'https://example.com/', events: webhookEvents } };
  hook = (
    await venue.create('panel/integration', {
      ...{ name: 'CRM', location_id: venue.location, integration_id: 'webhook', params },
    })
  )['id'];
}, 120_000);
newGuestEachTest(() => venue);
afterEach(() => {
  unifi.interfere(undefined);
  omada.interfere(undefined);
});

const follow = () => followAll(venue);
const at = (name: string, path: string) => `panel/device/${devices[name]!['id']}/${path}`;
const checkOf = async (name: string): Promise<Body> => {
  const { body } = await venue.api.get(at(name, 'doctor'), { token: venue.admin });
  return (body.data as Body[]).find(it => it['name'] === 'controller')!;
};
/** Examines a device and waits for the answer. */
const examine = async (name: string): Promise<Body> => {
  expect((await venue.api.post(at(name, 'doctor'), { token: venue.admin })).status).toBe(200);
  await expect.poll(async () => (await checkOf(name))['state']).not.toBe('running');
  return checkOf(name);
};
const problems = async (): Promise<string[]> =>
  (await venue.api.get('panel/statistics/problems', { token: venue.admin })).body.data
    .filter((it: Body) => it['kind'] === 'controller')
    .map((it: Body) => it['name']);
const events = async (): Promise<{ event: string; data: Body }[]> => {
  const rows = await venue.rows<{ event: string; body: string }>(
    sql`select event, body from webhook_deliveries where integration_id = ${hook} and event like 'device.controller%'
      order by created_at, id`,
  );
  await venue.run(sql`delete from webhook_deliveries where event like 'device.controller%'`);
  return rows.map(({ event, body }) => ({ event, data: (JSON.parse(body) as Body)['data'] }));
};
const notices = async (): Promise<string[]> => {
  const { data } = (await venue.api.get('panel/notification?unread=1', { token: venue.admin })).body;
  await venue.api.post('panel/notification/read-all', { token: venue.admin });
  return data.map((it: Body) => it['kind']).filter((it: string) => it.startsWith('controller'));
};
/** Moves the stored times back, so that this time seems to have passed. */
const later = (minutes: number) =>
  venue.run(sql`update controller_states set failing_since = failing_since - make_interval(mins => ${minutes}),
    tried_at = tried_at - make_interval(mins => ${minutes})`);
const broken: Interference = (_, response) => {
  response.writeHead(503).end();
  return true;
};
const signIn = async (name: 'omada' | 'unifi' = 'omada') => {
  const nas: string = devices[name]!['nas_identifier'];
  const query = name === 'omada' ? omada.arrival(venue.mac) : unifi.arrival(venue.mac);
  const page = await venue.captive.get(`/w/${nas}${name === 'omada' ? '' : '/guest/s/default/'}?${query}`);
  const typed = { state: stateOf(page.html), method: 'username', username: await venue.visitor() };
  return venue.captive.form(`/w/${nas}/sign-in`, { ...typed, password: 'parola 1' });
};
const named = (name: string) => ({ id: devices[name]!['id'], location_id: venue.location, name });

test('the doctor asks the controller', async () => {
  expect(await checkOf('unifi')).toMatchObject({ state: 'unknown', reason: 'none' });
  for (const name of ['unifi', 'unifi by key', 'omada'])
    expect(await examine(name), name).toMatchObject({ state: 'ok', at: expect.any(String), words: null });
});

test('a controller that does not answer is told after two minutes, once, and tried until it does', async () => {
  await examine('omada');
  omada.interfere(broken);
  expect((await signIn()).status).toBe(422);
  expect(await checkOf('omada')).toMatchObject({ state: 'failed', reason: 'unreachable', words: 'HTTP 503' });
  expect([await problems(), await events(), await notices()], 'it may pass').toEqual([[], [], []]);
  const asked = omada.requests();
  await follow();
  expect(omada.requests(), 'a controller without sessions waits').toBe(asked);
  await later(6);
  await follow();
  await later(6);
  await follow();
  expect(await problems()).toEqual(['omada']);
  const failing = { problem: 'unreachable', reason: 'HTTP 503' };
  expect(await events()).toEqual([{ event: 'device.controller_failing', data: { ...named('omada'), ...failing } }]);
  expect(await notices()).toEqual(['controller_failing']);

  omada.interfere(undefined);
  await later(6);
  await follow();
  expect(await checkOf('omada')).toMatchObject({ state: 'ok' });
  expect(await problems()).toEqual([]);
  expect(await events()).toEqual([{ event: 'device.controller_recovered', data: named('omada') }]);
  expect(await notices()).toEqual(['controller_recovered']);
});

test('a refused account is told at once, and tried again when the connection is changed', async () => {
  const connect = (password: string) =>
    venue.api.put(`panel/device/${devices['unifi']!['id']}`, {
      ...{ token: venue.admin },
      body: { connection: { host: '127.0.0.1', port: unifi.port, ...login, password } },
    });
  const online = await signIn('unifi');
  const to = new URL(online.headers.get('location')!);
  await venue.captive.get(to.pathname + to.search, { cookie: cookiesOf(online) });
  expect((await connect('wrong')).status).toBe(200);
  expect(await examine('unifi')).toMatchObject({ state: 'failed', reason: 'login', words: 'api.err.Invalid' });
  expect(await problems()).toEqual(['unifi']);
  expect(await events()).toMatchObject([{ event: 'device.controller_failing', data: { problem: 'login' } }]);
  const asked = unifi.requests();
  await follow();
  expect(unifi.requests(), 'controllers lock accounts, also while it has sessions').toBe(asked);
  expect((await connect(login.password)).status).toBe(200);
  await follow();
  expect(await problems()).toEqual([]);
  expect(await events()).toMatchObject([{ event: 'device.controller_recovered' }]);
  await notices();
});

test('a guest who is refused is shown by the doctor until one is admitted', async () => {
  omada.interfere((request, response) => {
    if (!request.url?.endsWith('/extPortal/auth')) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"errorCode":-41501,"msg":"Failed."}');
    return true;
  });
  expect((await signIn()).status).toBe(422);
  expect(await checkOf('omada')).toMatchObject({ state: 'failed', reason: 'not_admitted', words: 'Failed.' });
  expect(await examine('omada'), 'its account works').toMatchObject({ reason: 'not_admitted' });
  expect(await events()).toEqual([]);
  omada.interfere(undefined);
  expect((await signIn()).status).toBe(303);
  expect(await checkOf('omada')).toMatchObject({ state: 'ok' });
});

test('a device without its controller has no state', async () => {
  await venue.api.put(`panel/device/${devices['unifi by key']!['id']}`, {
    ...{ token: venue.admin, body: { connection: null } },
  });
  expect(await examine('unifi by key')).toMatchObject({ state: 'unknown', reason: 'none' });
});
