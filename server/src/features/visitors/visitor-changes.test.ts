import { createSocket } from 'node:dgram';
import { attribute, code, errorCause, mikrotik, vendor } from '@portico/radius/attributes.ts';
import { encodeReply, integer } from '@portico/radius/encode.ts';
import { decode, type Packet, readInteger, readText, readVendorText } from '@portico/radius/packet.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
let location: string;
let other: string;
let device: string;
let profile: string;

/** A router that receives and acknowledges commands on a real socket. */
const router = createSocket('udp4');
let heard: Packet[] = [];
let obeys = true;
let secret = Buffer.alloc(0);
router.on('message', (datagram, from) => {
  const request = decode(datagram);
  if (typeof request === 'string') return;
  heard.push(request);
  const attributes = obeys ? [] : [integer(attribute['Error-Cause'], errorCause['Administratively-Prohibited'])];
  const reply = encodeReply(request, { code: request.code + (obeys ? 1 : 2), attributes, secret });
  router.send(reply, from.port, from.address);
});
afterAll(() => void router.close());

beforeAll(async () => {
  await new Promise<void>(resolve => router.bind(0, '127.0.0.1', resolve));
  // A command that is answered late on a busy machine is not repeated meanwhile.
  api = await startApi({ COA_TIMEOUT: '30' });
  admin = (await api.user('tenant-admin')).token;
  const made = async (at: string, body: object): Promise<Body> => {
    const answer = await api.post(at, { token: admin, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  location = (await made('panel/location', { name: 'Otel' })).id;
  other = (await made('panel/location', { name: 'Kafe' })).id;
  const brands = (await api.get('panel/device/brands', { token: admin })).body.data;
  const { id } = await made('panel/device', {
    location_id: location,
    brand_id: brands.find((it: Body) => it.slug === 'mikrotik').id,
    name: 'Lobi',
    mac_address: 'A1:B2:C3:D4:E5:01',
  });
  device = id;
  secret = Buffer.from((await api.get(`panel/device/${device}`, { token: admin })).body.data.secret);
  await api.inTenant(tx =>
    tx.run(
      sql`update devices set last_address = '127.0.0.1', coa_port = ${router.address().port} where id = ${device}`,
    ),
  );
  profile = (
    await made('panel/location/user-profile', {
      location_id: location,
      name: 'Hızlı',
      max_upload: { is_active: true, option: 'mbps', value: 5 },
      max_download: { is_active: true, option: 'mbps', value: 20 },
      paid_sale: { is_active: true, option: 'try', value: 40 },
    })
  ).id;
});
beforeEach(() => {
  heard = [];
  obeys = true;
});

let names = 0;
/** A visitor who has been online at the router for a minute. */
async function online(more: object = {}): Promise<{ id: string; username: string }> {
  const username = `guest${++names}`;
  const body = {
    location_id: location,
    name: 'Ayşe',
    provider_type: 'username',
    username,
    password: 'parola1',
    ...more,
  };
  const { id } = (await api.post('panel/client', { token: admin, body })).body.data;
  await api.app.db.withSystem(async tx => {
    const { tenant_id } = await tx.one<{ tenant_id: string }>(sql`select tenant_id from devices where id = ${device}`);
    const start = {
      tenant: tenant_id,
      device,
      status: 'start',
      session: `s${names}`,
      user_name: username,
      mac: `A0:00:00:00:00:${String(names).padStart(2, '0')}`,
      ip: `10.5.50.${names}`,
      at: new Date(),
      seconds: 60,
      upload: 0,
      download: 0,
    };
    await tx.run(sql`select account(${JSON.stringify([start])}::jsonb)`);
  });
  return { id, username };
}
const act = (id: string, verb: string, body: object = {}, token = admin): Promise<Answer> =>
  api.post(`panel/client/${id}/${verb}`, { token, body });
/** The last command that the router received. */
const lastCommand = async (): Promise<Packet> => {
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  return heard.at(-1)!;
};
const kickOf = async (visitorId: string) => {
  const { body } = await api.get('panel/onlines', { token: admin });
  return body.data.find((row: Body) => row.client?.id === visitorId)?.kick;
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('a visitor who is online', () => {
  test('can get more time, which also extends the running session', async () => {
    const began = Date.now();
    const { id, username } = await online({ session_end_at: inDays(1) });
    const answer = await act(id, 'extend', { days: 2 });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data.told).toBe(1);
    expect(Date.parse(answer.body.data.session_end_at) - Date.now()).toBeGreaterThan(2.9 * 86_400_000);
    const command = await lastCommand();
    expect(command.code).toBe(code['CoA-Request']);
    expect(readText(command, attribute['User-Name'])).toBe(username);
    // The time from the start of the session, a minute before the test signed in, to the new end, which was chosen before that.
    const beyond = readInteger(command, attribute['Session-Timeout'])! - 3 * 86_400;
    expect(beyond).toBeLessThanOrEqual(61);
    expect(beyond).toBeGreaterThanOrEqual(59 - (Date.now() - began) / 1000);
    await expect.poll(() => kickOf(id)).toMatchObject({ kind: 'change', state: 'acknowledged' });
  });

  test('can be extended to a local time of the location', async () => {
    const { id } = await online({ session_end_at: inDays(1) });
    const answer = await act(id, 'extend', { until: '2100-06-01 10:30' });
    expect(answer.body.data.session_end_at).toBe('2100-06-01T07:30:00Z');
    await lastCommand();
  });

  test('can be extended by days of 23 or 25 hours', async () => {
    const berlin = await api.location(admin, 'Berlin');
    await api.put(`panel/location/${berlin}`, { token: admin, body: { time_zone: 'Europe/Berlin' } });
    for (const [end, days, later] of [
      ['2099-03-28 23:59:59', 1, '2099-03-29T21:59:59Z'],
      ['2099-10-24 12:00:00', 2, '2099-10-26T11:00:00Z'],
    ] as const) {
      const body = {
        location_id: berlin,
        name: 'Gast',
        provider_type: 'username',
        username: `gast${days}`,
        password: 'geheim1',
      };
      const made = await api.post('panel/client', { token: admin, body: { ...body, session_end_at: end } });
      expect(made.status, made.text).toBe(201);
      const answer = await act(made.body.data.id, 'extend', { days });
      expect(answer.body.data.session_end_at).toBe(later);
    }
  });

  test('gets the days of two concurrent extensions', async () => {
    const body = {
      location_id: location,
      name: 'Gül',
      provider_type: 'username',
      username: 'gul',
      password: 'secret1',
    };
    const paid = { profile_id: profile, total_paid_day: 1, session_end_at: inDays(1) };
    const { id } = (await api.post('panel/client', { token: admin, body: { ...body, ...paid } })).body.data;
    const before = (await api.get('panel/reports/total-sales-today', { token: admin })).body.data.total;
    const answers = await Promise.all([2, 3].map(days => act(id, 'extend', { days })));
    expect(answers.map(it => it.status)).toEqual([200, 200]);
    const { data } = (await api.get(`panel/client/${id}`, { token: admin })).body;
    expect(data.total_paid_day).toBe(6);
    expect(Math.round((Date.parse(data.session_end_at) - Date.now()) / 86_400_000)).toBe(6);
    expect((await api.get('panel/reports/total-sales-today', { token: admin })).body.data.total).toBe(before + 200);
  });

  test('is extended from now when the time is over', async () => {
    const { id } = await online({ session_end_at: inDays(-3) });
    const answer = await act(id, 'extend', { days: 1 });
    const left = Date.parse(answer.body.data.session_end_at) - Date.now();
    expect(left).toBeGreaterThan(0.9 * 86_400_000);
    expect(left).toBeLessThan(1.1 * 86_400_000);
    await lastCommand();
  });

  test('pays for days on a paid profile', async () => {
    const { id } = await online({ profile_id: profile, total_paid_day: 1, session_end_at: inDays(1) });
    const before = (await api.get('panel/reports/total-sales-today', { token: admin })).body.data.total;
    const answer = await act(id, 'extend', { days: 3 });
    expect(answer.body.data.total_paid_day).toBe(4);
    expect((await api.get('panel/reports/total-sales-today', { token: admin })).body.data.total).toBe(before + 120);
    await lastCommand();
  });

  test('gets the new limits when the profile is edited, and no command when only its name is', async () => {
    const made = await api.post('panel/location/user-profile', {
      token: admin,
      body: { name: 'Yavaş', location_id: location, max_upload: { is_active: true, option: 'mbps', value: 5 } },
    });
    const { id } = made.body.data;
    await online({ profile_id: id });
    const edit = (body: object) => api.put(`panel/location/user-profile/${id}`, { token: admin, body });
    await edit({ name: 'Hızlı' });
    expect((await edit({ max_download: { is_active: true, option: 'mbps', value: 7 } })).status).toBe(200);
    const command = await lastCommand();
    expect(command.code).toBe(code['CoA-Request']);
    expect(readVendorText(command, vendor.mikrotik, mikrotik['Rate-Limit'])).toBe('5M/7M');
    expect(heard).toHaveLength(1);
  });

  test('gets the speeds of a new profile', async () => {
    const { id } = await online({ session_end_at: inDays(5) });
    expect((await act(id, 'move', { profile_id: profile })).body.data.profile).toMatchObject({ name: 'Hızlı' });
    const command = await lastCommand();
    expect(command.code).toBe(code['CoA-Request']);
    expect(readVendorText(command, vendor.mikrotik, mikrotik['Rate-Limit'])).toBe('5M/20M');
    heard = [];
    for (const nowhere of [{}, { location_id: location }]) {
      const refused = await act(id, 'move', nowhere);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['profile_id']]);
    }
    expect((await act(id, 'move', { profile_id: null })).body.data.profile).toBeNull();
    expect(readVendorText(await lastCommand(), vendor.mikrotik, mikrotik['Rate-Limit'])).toBe('0/0');
  });

  test('is disconnected if the router refuses the change', async () => {
    obeys = false;
    const { id } = await online({ session_end_at: inDays(5) });
    await act(id, 'move', { profile_id: profile });
    await expect.poll(() => heard.map(it => it.code)).toEqual([code['CoA-Request'], code['Disconnect-Request']]);
    await expect.poll(() => kickOf(id)).toMatchObject({ kind: 'end', state: 'refused' });
  });

  test('is disconnected when paused, and sign-in gives the reason until resumed', async () => {
    const { id } = await online();
    expect((await act(id, 'pause')).body.data.blocked).toBe(true);
    expect((await lastCommand()).code).toBe(code['Disconnect-Request']);
    expect((await act(id, 'resume')).body.data).toMatchObject({ blocked: false, told: 1 });
    await expect.poll(() => heard).toHaveLength(2);
  });

  test('is disconnected when deleted; the session stays in the history without a name', async () => {
    const { id } = await online();
    const rows = async (path: string): Promise<Body[]> => (await api.get(path, { token: admin })).body.data;
    const session = (await rows('panel/onlines')).find(row => row.client?.id === id)!;
    expect((await api.delete(`panel/client/${id}`, { token: admin })).status).toBe(204);
    expect((await lastCommand()).code).toBe(code['Disconnect-Request']);
    const now = async () => (await rows('panel/onlines')).find(row => row.rhid === session['rhid']);
    await expect.poll(async () => (await now())?.['kick']).toMatchObject({ kind: 'end', state: 'acknowledged' });
    expect((await now())?.['client']?.name || null).toBeNull();
    const past = await rows(`panel/reports/sessions?client_mac=${session['client_mac']}`);
    const kept = past.find(row => row['id'] === session['rhid']);
    expect(kept).toBeDefined();
    expect(kept?.['client']?.name || null).toBeNull();
    expect((await act(id, 'extend', { days: 1 })).status).toBe(404);
  });

  test('keeps nothing of the old location when moved to another', async () => {
    const { id, username } = await online({ profile_id: profile, total_paid_day: 1 });
    const taken = { location_id: other, name: 'Can', provider_type: 'username', username, password: 'parola1' };
    const rival = (await api.post('panel/client', { token: admin, body: taken })).body.data.id;
    const refused = await act(id, 'move', { location_id: other });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['location_id']]);
    await api.delete(`panel/client/${rival}`, { token: admin });
    const wrong = await act(id, 'move', { location_id: other, profile_id: profile });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['profile_id']]);
    expect(heard).toEqual([]);
    const moved = await act(id, 'move', { location_id: other });
    expect(moved.body.data).toMatchObject({ location: { name: 'Kafe' }, profile: null, device: null, told: 1 });
    expect((await lastCommand()).code).toBe(code['Disconnect-Request']);
  });

  test('gets changed limits of the form at once, and no command when only the name changes', async () => {
    const { id, username } = await online();
    const form = { name: 'Fatma', provider_type: 'username', username };
    expect((await api.put(`panel/client/${id}`, { token: admin, body: form })).status).toBe(200);
    const speed = { is_active: true, option: 'kbps', value: 512 };
    const own = { ...form, special_profile: true, max_upload: speed, max_download: speed };
    await api.put(`panel/client/${id}`, { token: admin, body: own });
    expect(readVendorText(await lastCommand(), vendor.mikrotik, mikrotik['Rate-Limit'])).toBe('512k/512k');
    expect(heard).toHaveLength(1);
    heard = [];
    expect((await api.delete(`panel/client/${id}`, { token: admin })).status).toBe(204);
    expect((await lastCommand()).code).toBe(code['Disconnect-Request']);
  });

  test('belongs to the device of the first session', async () => {
    const { id } = await online();
    const { data } = (await api.get(`panel/client/${id}`, { token: admin })).body;
    expect(data.device).toEqual({ id: device, name: 'Lobi' });
    const list = await api.post('panel/client/export', { token: admin, body: { search: data.username } });
    expect(list.text).toContain(',Lobi,');
    const elsewhere = ['00000000-0000-4000-8000-000000000000'];
    const limited = (await api.user('member', { location, deviceIds: elsewhere })).token;
    expect((await api.get(`panel/client/${id}`, { token: limited })).status).toBe(404);
  });

  test('can be changed only with the permission, in the own location', async () => {
    const { id } = await online();
    const looking = (await api.user('member', { location, permissions: ['view-clients'] })).token;
    const neighbour = (await api.user('member', { location: other })).token;
    const member = (await api.user('member', { location })).token;
    for (const [verb, body] of [
      ['extend', { until: inDays(1) }],
      ['pause', {}],
      ['resume', {}],
      ['move', {}],
    ] as const) {
      expect((await act(id, verb, body, looking)).status, verb).toBe(403);
      expect((await act(id, verb, body, neighbour)).status, verb).toBe(404);
    }
    expect((await act(id, 'move', { location_id: other }, member)).body.errors).toHaveProperty('location_id');
    for (const body of [
      {},
      { days: 0 },
      { days: 1 },
      { days: 1, until: inDays(1) },
      { until: inDays(-1) },
      { until: '2020-01-01 10:00:00' },
      { until: '2026-02-30 10:00' },
      { until: 'x' },
    ])
      expect((await act(id, 'extend', body)).status, JSON.stringify(body)).toBe(422);
    expect(heard).toEqual([]);
  });
});
