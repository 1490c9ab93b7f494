import { acctStatusType, attribute, code } from '@portico/radius/attributes.ts';
import { type ClientRequest, openClient } from '@portico/radius/client.ts';
import { integer, octets, text } from '@portico/radius/encode.ts';
import { readAll } from '@portico/radius/packet.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ayse, startRadiusVenue } from '../../test/radius-venue.ts';

const { api, token, location_id, radius, addDevice } = await startRadiusVenue({}, { seenEveryMs: 0 });
const at = 'panel/radius-proxy';

const addProxy = async (more: object = {}, as = token) => {
  const answer = await api.post(at, { token: as, body: { name: 'Merkez', ...more } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const changed = async (id: string, body: object) => {
  const answer = await api.put(`${at}/${id}`, { token, body });
  expect(answer.status, answer.text).toBe(200);
};

/** The address from which the "proxy" of each test sends: all of 127/8 is this machine. */
let addresses = 10;
const newAddress = (): string => `127.0.0.${addresses++}`;

/** Waits for an answer for 900 ms; `patient`, for half a minute: a busy machine takes that long. */
const client = (from: string, secret: string, port: 'auth' | 'acct' = 'auth', attempts = 3) => {
  const made = openClient({
    ...{ host: '127.0.0.1', port: port === 'auth' ? radius.authPort : radius.acctPort, from },
    ...{ secret: Buffer.from(secret), timeoutMs: 300, attempts, requireMessageAuthenticator: true },
  });
  onTestFinished(() => made.close());
  return made;
};
const patient = (from: string, secret: string, port?: 'auth' | 'acct') => client(from, secret, port, 100);
const state = octets(attribute['Proxy-State'], Buffer.from('0a'));
const other = octets(attribute['Proxy-State'], Buffer.from('17'));
const signIn = (nas: string, password: string = ayse.password): ClientRequest => ({
  code: code['Access-Request'],
  attributes: [
    text(attribute['NAS-Identifier'], nas),
    text(attribute['User-Name'], ayse.username),
    text(attribute['Calling-Station-Id'], 'A0-00-00-00-00-01'),
    state,
    other,
  ],
  password,
});
const statusCheck: ClientRequest = {
  code: code['Status-Server'],
  attributes: [text(attribute['NAS-Identifier'], 'Status Check 0. Are you alive?')],
};
const start = (nas: string, session: string): ClientRequest => ({
  code: code['Accounting-Request'],
  attributes: [
    text(attribute['NAS-Identifier'], nas),
    text(attribute['User-Name'], ayse.username),
    text(attribute['Calling-Station-Id'], 'A0-00-00-00-00-01'),
    text(attribute['Acct-Session-Id'], session),
    integer(attribute['Acct-Status-Type'], acctStatusType.Start),
  ],
});

/** A proxy that the listener knows. */
async function trusted(more: object = {}) {
  const address = newAddress();
  const proxy = await addProxy({ address, ...more });
  // The change reaches the listener by NOTIFY.
  await expect
    .poll(async () => (await client(address, proxy.secret).send(statusCheck))?.code)
    .toBe(code['Access-Accept']);
  return { ...proxy, address };
}

describe('a trusted proxy', () => {
  test('is alive, signs guests in and reports sessions with its own secret', async () => {
    const device = await addDevice();
    const proxy = await trusted();
    const reply = await patient(proxy.address, proxy.secret).send(signIn(device.nas_identifier));
    expect(reply?.code).toBe(code['Access-Accept']);
    // RFC 2865 section 5.33: all of them, unchanged and in order.
    expect(readAll(reply!, attribute['Proxy-State']).map(String)).toEqual(['0a', '17']);
    const acct = patient(proxy.address, proxy.secret, 'acct');
    expect((await acct.send(statusCheck))?.code).toBe(code['Accounting-Response']);
    expect((await acct.send(start(device.nas_identifier, 'p1')))?.code).toBe(code['Accounting-Response']);
    const online = (await api.get(`panel/onlines?deviceIds=${device.id}`, { token })).body.data;
    expect(online).toMatchObject([{ client_mac: 'A0:00:00:00:00:01' }]);
    // Stored beside the answer.
    const seenAt = async () =>
      (await api.get(at, { token })).body.data.find((row: { id: string }) => row.id === proxy.id).last_seen_at;
    await expect.poll(seenAt).not.toBeNull();
    // The proxy's address is not the device's: log lines and commands do not go by it.
    const sources = (await api.get(`panel/device/${device.id}/log-sources`, { token })).body.data.trusted;
    expect(sources).toEqual([]);
  });

  test('speaks only for devices of its locations and its tenant', async () => {
    const device = await addDevice();
    const elsewhere = await api.location(token, 'Şube');
    const proxy = await trusted({ location_ids: [elsewhere] });
    const asks = () => client(proxy.address, proxy.secret).send(signIn(device.nas_identifier));
    expect(await asks()).toBeUndefined();
    await changed(proxy.id, { location_ids: [elsewhere, location_id] });
    // The change reaches the listener by NOTIFY.
    await expect.poll(async () => (await asks())?.code).toBe(code['Access-Accept']);

    const tenant = 'komsu';
    const stranger = await api.user('tenant-admin', { tenant });
    const address = newAddress();
    const claim = (its: string) =>
      api.post(at, { token: stranger.token, tenant, body: { name: 'Hırsız', address: its } });
    const answer = await claim(address);
    const thief = client(address, answer.body.data.secret);
    await expect.poll(async () => (await thief.send(statusCheck))?.code).toBe(code['Access-Accept']);
    expect(await thief.send(signIn(device.nas_identifier))).toBeUndefined();
    // A tenant that enters the address of another's proxy takes nothing from it.
    const second = await claim(proxy.address);
    expect(second.status).toBe(201);
    const heard = client(proxy.address, second.body.data.secret);
    await expect.poll(async () => (await heard.send(statusCheck))?.code).toBe(code['Access-Accept']);
    const own = patient(proxy.address, proxy.secret);
    expect((await own.send(signIn(device.nas_identifier)))?.code).toBe(code['Access-Accept']);
    expect((await own.send(statusCheck))?.code).toBe(code['Access-Accept']);
  });

  test('stops with its secret and with its deletion; its address alone proves nothing', async () => {
    const device = await addDevice();
    const proxy = await trusted();
    expect(await client(proxy.address, 'another secret!!').send(statusCheck)).toBeUndefined();
    expect(await client(newAddress(), proxy.secret).send(statusCheck)).toBeUndefined();
    const { secret } = (await api.post(`${at}/${proxy.id}/secret`, { token })).body.data;
    await expect
      .poll(async () => (await client(proxy.address, secret).send(signIn(device.nas_identifier)))?.code)
      .toBe(code['Access-Accept']);
    expect(await client(proxy.address, proxy.secret).send(statusCheck)).toBeUndefined();
    // A device at the address of a proxy keeps its own secret.
    const own = patient(proxy.address, device.secret);
    expect((await own.send(signIn(device.nas_identifier)))?.code).toBe(code['Access-Accept']);
    expect((await api.delete(`${at}/${proxy.id}`, { token })).status).toBe(204);
    await expect.poll(() => client(proxy.address, secret).send(statusCheck)).toBeUndefined();
  });
});

describe('the resource', () => {
  test('is checked, audited and never shows its secret again', async () => {
    const address = newAddress();
    const proxy = await addProxy({
      address: `::ffff:${address}`,
      secret: 'sixteen-letters-of-it',
      location_ids: [location_id],
    });
    expect(proxy).toMatchObject({ address, secret: 'sixteen-letters-of-it', location_ids: [location_id] });
    const bad = async (body: object, field: string) => {
      const answer = await api.post(at, { token, body: { name: 'X', ...body } });
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
    };
    await bad({ address }, 'address');
    await bad({ address: 'proxy.example' }, 'address');
    await bad({ secret: 'short' }, 'secret');
    await bad({ location_ids: ['00000000-0000-4000-8000-000000000000'] }, 'location_ids');
    // An empty list does not become "all locations".
    await bad({ location_ids: [] }, 'location_ids');
    const change = async (body: object) => {
      const answer = await api.put(`${at}/${proxy.id}`, { token, body });
      return [answer.status, answer.body.data?.location_ids];
    };
    expect(await change({ location_ids: [] })).toEqual([422, undefined]);
    expect(await change({ require_message_authenticator: true })).toEqual([200, [location_id]]);
    expect(await change({ location_ids: null })).toEqual([200, null]);
    expect((await addProxy({ location_ids: undefined })).location_ids).toBeNull();
    expect((await api.get(at, { token })).text).not.toContain('sixteen-letters-of-it');
    await api.put(`${at}/${proxy.id}`, { token, body: { name: 'Yeni', address: '2001:DB8::5' } });
    await api.post(`${at}/${proxy.id}/secret`, { token });
    const audit = (await api.get(`panel/audit?subject_id=${proxy.id}`, { token })).body.data;
    expect(audit.map((it: { verb: string }) => it.verb)).toEqual(['update', 'update', 'update', 'create']);
    expect(JSON.stringify(audit)).not.toContain('sixteen');
    expect(audit[1].after).toEqual({ name: 'Yeni', address: '2001:db8::5' });
  });

  test('is for tenant administrators; an auditor reads', async () => {
    const [auditor, reseller] = [await api.user('auditor'), await api.user('reseller')];
    const member = await api.user('member', { location: location_id });
    expect((await api.get(at, auditor)).status).toBe(200);
    expect((await api.post(at, { ...auditor, body: { name: 'X' } })).status).toBe(403);
    for (const user of [reseller, member]) expect((await api.get(at, user)).status).toBe(403);
  });
});
