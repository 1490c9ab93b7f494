import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openUnifiController } from '@portico/simulator/controllers/unifi.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandJobs } from '#features/devices/public.ts';
import { nameServers } from '#lib/look-up.ts';
import { afterFile } from '#test/after-file.ts';
import { startDns } from '#test/dns-server.ts';
import type { Body } from '#test/harness.ts';
import { apiKey, follow, login } from '../testing/controllers.ts';
import { cookiesOf, newGuestEachTest, startVenue, stateOf, type Venue } from '../testing/venue.ts';

/** A UniFi console that our server cannot reach, through Ubiquiti's cloud: a stand-in under the name of the cloud. */

const consoles = [
  { id: '70A7419783ED0000000006797F060000000006C71949:1261206302', name: 'Deniz Otel' },
  { id: '942A6F00301100000000074A6BA9000000000:714694', name: 'Kafe' },
];
const trusted = getCACertificates('default');

let venue: Venue;
let cloud: Awaited<ReturnType<typeof openUnifiController>>;
let device: Body;

beforeAll(async () => {
  cloud = await openUnifiController({ ...login, apiKey, consoles });
  const dns = await startDns();
  dns.records.set('api.ui.com', '127.0.0.1');
  nameServers.push(dns.address);
  afterFile(() => {
    nameServers.length = 0;
    setDefaultCACertificates(trusted);
    return cloud.close();
  });
  venue = await startVenue({ ROUTERS_INSIDE: '1', COA_TIMEOUT: '30' });
  const brands: Body[] = (await venue.api.get('panel/device/brands', { token: venue.admin })).body.data;
  const brand_id = brands.find(it => it['slug'] === 'unifi')!['id'];
  const form = { name: 'UniFi', brand_id, mac_address: '94:2a:6f:d0:30:57', location_id: venue.location };
  device = await venue.create('panel/device', { ...form, connection: connectionOf(consoles[0]!.id) });
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => setDefaultCACertificates([...trusted, cloud.certificate]));

const connectionOf = (username: string, password = apiKey) => ({
  ...{ host: 'api.ui.com', port: cloud.port, username, password },
});
const tested = async (username: string, password?: string) => {
  const body = connectionOf(username, password);
  return venue.api.post(`panel/device/${device['id']}/connection/test`, { token: venue.admin, body });
};
const sessions = async (): Promise<Body[]> =>
  (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;
const signIn = async () => {
  cloud.join(venue.mac);
  const page = await venue.captive.get(`/w/${device['nas_identifier']}/guest/s/default/?${cloud.arrival(venue.mac)}`);
  const typed = { method: 'username', username: await venue.visitor(), password: 'parola 1' };
  return venue.captive.form(`/w/${device['nas_identifier']}/sign-in`, { ...typed, state: stateOf(page.html) });
};

const goOnline = async () => {
  const answer = await signIn();
  expect(answer.status, answer.html).toBe(303);
  const to = new URL(answer.headers.get('location')!);
  const online = await venue.captive.get(to.pathname + to.search, { cookie: cookiesOf(answer) });
  expect(online.html).toContain('You are connected');
};

test('a guest is admitted and ended through the cloud, and its use is seen', async () => {
  await goOnline();
  expect(cloud.guest(venue.mac)).toMatchObject({ authorized: true });

  Object.assign(cloud.guest(venue.mac)!, { uploadBytes: 5_000_000, downloadBytes: 70_000_000 });
  await follow(venue);
  const [open] = await sessions();
  expect(JSON.stringify(open)).toContain('70000000');
  await venue.api.post(`panel/kick/${open!['rhid']}`, { token: venue.admin });
  await commandJobs.find(it => it.name === 'send router commands')!.run(venue.api.app);
  expect(cloud.guest(venue.mac)).toMatchObject({ authorized: false });
});

describe('the connection', () => {
  test('names its console, or is told which ones the key sees', async () => {
    const [hotel, cafe] = consoles;
    const good = await tested(cafe!.id);
    expect(good.body.data, good.text).toMatchObject({ identity: 'Default', version: '9.1.120', certificate: null });
    const open = await tested('api-key');
    expect(open.status, open.text).toBe(422);
    for (const word of [hotel!.id, hotel!.name, cafe!.id]) expect(open.body.errors.host[0]).toContain(word);
    expect((await tested('another console')).body.errors).toHaveProperty('host');
    expect((await tested(hotel!.id, 'wrong')).body.errors).toHaveProperty('password');
  });

  test('sends no key to a server whose certificate no authority signed, and pins none', async () => {
    const before = cloud.requests();
    setDefaultCACertificates(trusted);
    const refused = await tested(consoles[0]!.id);
    expect(refused.body.errors.host[0]).toContain('no valid certificate for api.ui.com');
    const answer = await signIn();
    expect(answer.status).toBe(422);
    expect(cloud.requests()).toBe(before);
    const shown = await venue.api.get(`panel/device/${device['id']}`, { token: venue.admin });
    expect(shown.body.data.connection).toMatchObject({ host: 'api.ui.com', certificate: null });
  });

  test('that the cloud refuses for a while ends no session', async () => {
    await goOnline();
    await venue.api.app.db.pool.query(`update online_sessions set started_at = started_at - interval '1 minute'`);
    cloud.interfere((_, response) => {
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"message":"rate limit exceeded"}');
      return true;
    });
    await follow(venue);
    const limited = await tested(consoles[0]!.id);
    expect(limited.body.errors.host[0]).toContain('rate limit exceeded');
    cloud.interfere(undefined);
    expect(await sessions()).toHaveLength(1);
  });
});
