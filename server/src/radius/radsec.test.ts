import { createHash } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { attribute, code } from '@portico/radius/attributes.ts';
import { integer, text } from '@portico/radius/encode.ts';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { certificatePem, issue, makeAuthority } from '#lib/certificates.ts';
import { openRadsecClient, radsecSecret, requestOf } from '#test/radsec-client.ts';
import { type Fixture, startFixture } from './fixture.ts';
import type { RadsecOptions } from './radsec.ts';
import type { CertifiedDevice, CertifiedPeer, RadiusProxy, UnknownDevice } from './types.ts';

const authority = await makeAuthority('Tests');
const impostor = await makeAuthority('Tests');
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
const made = async (it: { days?: number; by?: typeof authority; purpose?: 'client' | 'server' } = {}) => {
  const wanted = { organization: 'T', commonName: 'nas00001', until: inDays(it.days ?? 1) };
  const { certificate, privateKey } = await issue(it.by ?? authority, { purpose: it.purpose ?? 'client', ...wanted });
  const fingerprint = createHash('sha256').update(certificate).digest('hex');
  return { tls: { cert: certificatePem(certificate), key: privateKey, ca }, fingerprint };
};
const ca = certificatePem(authority.certificate);
const server = await issue(authority, {
  purpose: 'server',
  organization: 'T',
  commonName: 'localhost',
  hosts: ['localhost', '127.0.0.1', '2001:db8::7'],
  until: inDays(1),
});

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A listener, devices registered by certificate, and a client for each. */
async function start(limits: Partial<RadsecOptions> = {}) {
  const known = new Map<string, CertifiedPeer>();
  const seen: string[] = [];
  const strangers: UnknownDevice[] = [];
  const database = { away: false };
  const fixture: Fixture = await startFixture(
    {
      resolveCertificates: async asked => {
        if (database.away) throw new Error('away');
        return new Map([...known].filter(([fingerprint]) => asked.includes(fingerprint)));
      },
      seenCertificate: (_device, id) => void seen.push(id),
      unknownDevices: async batch => void strangers.push(...batch),
    },
    { radsec: { port: 0, cert: certificatePem(server.certificate), key: server.privateKey, authority: ca, ...limits } },
  );
  open.push(fixture);
  const port = fixture.listener.radsecPort ?? 0;
  const dial = async (tls: object) => {
    const client = await openRadsecClient(port, tls);
    open.push(client);
    return client;
  };
  const know = (fingerprint: string, nas = 'nas00001', more: Partial<CertifiedDevice> = {}) =>
    known.set(fingerprint, {
      id: `certificate of ${nas}`,
      device: {
        id: `device of ${nas}`,
        tenantId: 't1',
        secret: Buffer.from('radsec'),
        requireMessageAuthenticator: false,
      },
      nasIdentifier: nas,
      expiresAt: inDays(1),
      ...more,
    });
  const device = async (nas = 'nas00001', more: Partial<CertifiedDevice> = {}) => {
    const { tls, fingerprint } = await made();
    know(fingerprint, nas, more);
    return { ...(await dial(tls)), tls, fingerprint };
  };
  const proxy = async (more: Partial<RadiusProxy> = {}) => {
    const { tls, fingerprint } = await made();
    const it = { id: 'p1', tenantId: 't1', address: undefined, secret: radsecSecret, locations: new Set<string>() };
    const whole = { ...it, requireMessageAuthenticator: false, ...more };
    known.set(fingerprint, { id: 'certificate of p1', proxy: whole, expiresAt: inDays(1) });
    return dial(tls);
  };
  return { fixture, port, known, database, seen, strangers, dial, know, device, proxy };
}

const ada = (id: number, nas?: string) => requestOf({ id, nas, user: 'ada', password: 'hello' });
const accounting = (id: number, nas?: string) =>
  requestOf({
    code: code['Accounting-Request'],
    id,
    nas,
    user: 'ada',
    more: [integer(attribute['Acct-Status-Type'], 1), text(attribute['Acct-Session-Id'], `s${id}`)],
  });

test('one connection carries sign-in, accounting and Status-Server of the device of its certificate', async () => {
  const { device, fixture, seen } = await start();
  const router = await device();
  expect((await router.ask(ada(1, 'nas00001')))?.code).toBe(code['Access-Accept']);
  // The certificate identifies the device, so NAS-Identifier may be missing.
  expect((await router.ask(accounting(1)))?.code).toBe(code['Accounting-Response']);
  expect((await router.ask(requestOf({ code: code['Status-Server'], id: 2 })))?.code).toBe(code['Access-Accept']);
  expect((await router.ask(requestOf({ id: 3, user: 'ada', password: 'wrong' })))?.code).toBe(code['Access-Reject']);
  expect(fixture.requests.map(it => it.device.id)).toEqual(['device of nas00001', 'device of nas00001']);
  expect(fixture.records).toMatchObject([{ sessionId: 's1', device: { id: 'device of nas00001' } }]);
  expect(seen).toEqual(['certificate of nas00001']);
  expect(fixture.learned).toEqual(['device of nas00001']);
  expect(fixture.counted('radius_replies_total', { listener: 'radsec' })).toBe(4);
});

test('TLS 1.2 is accepted, and the server certificate matches the host name', async () => {
  const { dial, know } = await start();
  const { tls, fingerprint } = await made();
  know(fingerprint);
  for (const servername of ['localhost']) {
    const router = await dial({ ...tls, servername, maxVersion: 'TLSv1.2', checkServerIdentity });
    expect(router.socket.authorized).toBe(true);
    expect((await router.ask(ada(1)))?.code).toBe(code['Access-Accept']);
  }
});

test('packets may arrive byte by byte or many at once', async () => {
  const { device, fixture } = await start();
  const router = await device();
  const slow = ada(1);
  router.socket.setNoDelay(true);
  for (const byte of slow) {
    router.write(Buffer.from([byte]));
    await new Promise(resolve => setImmediate(resolve));
  }
  expect((await router.reply(slow))?.code).toBe(code['Access-Accept']);
  const many = Array.from({ length: 200 }, (_, i) => accounting(i));
  const joined = Buffer.concat(many);
  router.write(joined.subarray(0, 1001));
  router.write(joined.subarray(1001));
  const replies = await Promise.all(many.map(router.reply));
  expect(new Set(replies.map(it => it?.code))).toEqual(new Set([code['Accounting-Response']]));
  expect(fixture.records).toHaveLength(200);
});

test.for([
  ['none', {}],
  ['one of another authority', (await made({ by: impostor })).tls],
  ['a self-signed one', { cert: certificatePem(impostor.certificate), key: impostor.privateKey }],
  ['an expired one', (await made({ days: -0.5 })).tls],
  ['one for servers', (await made({ purpose: 'server' })).tls],
  ['one that was never issued here', (await made()).tls],
] as const)('a valid client certificate is required: %s is refused', async ([, tls]) => {
  const { dial, fixture } = await start();
  const stranger = await dial({ ca, ...tls });
  stranger.write(ada(1, 'nas00001'));
  await stranger.ended();
  expect(stranger.replies).toEqual([]);
  expect(fixture.requests).toEqual([]);
  expect(fixture.counted('radsec_refused_total')).toBe(1);
  expect(fixture.counted('radius_packets_total')).toBe(0);
});

test('packets with the NAS identifier of another device are dropped', async () => {
  const { device, fixture } = await start();
  const thief = await device('nas00001');
  thief.write(ada(1, 'nas00002'), accounting(2, 'nas00002'));
  expect((await thief.ask(ada(3)))?.code).toBe(code['Access-Accept']);
  expect(thief.replies.map(it => it.id)).toEqual([3]);
  expect(fixture.requests.map(it => it.device.id)).toEqual(['device of nas00001']);
  expect(fixture.records).toEqual([]);
  expect(fixture.counted('radius_dropped_total', { reason: 'foreign_nas_identifier' })).toBe(2);
  const status = { code: code['Status-Server'], id: 4, nas: 'Status Check 0. Are you alive?' };
  expect((await thief.ask(requestOf(status)))?.code).toBe(code['Access-Accept']);
  // The UDP device directory, which has other secrets, is not used.
  expect(fixture.lookUps).toEqual([]);
});

test('a proxy speaks for the devices of its tenant that its packets name', async () => {
  const { proxy, fixture, seen, strangers } = await start();
  const forwarder = await proxy();
  forwarder.write(ada(1), ada(2, 'nas00009'), ada(3, 'nas00009'), ada(4, 'nas00002'));
  expect((await forwarder.ask(ada(5, 'nas00001')))?.code).toBe(code['Access-Accept']);
  expect((await forwarder.ask(requestOf({ code: code['Status-Server'], id: 6 })))?.code).toBe(code['Access-Accept']);
  expect(forwarder.replies.map(it => it.id)).toEqual([5, 6]);
  expect(fixture.requests.map(it => [it.device.id, it.device.proxy?.id])).toEqual([['d1', 'p1']]);
  const dropped = (reason: string) => fixture.counted('radius_dropped_total', { reason });
  expect(['no_nas_identifier', 'unknown_device', 'foreign_nas_identifier'].map(dropped)).toEqual([1, 2, 1]);
  expect([seen, fixture.learned], 'a proxy’s certificate does not count as a device’s').toEqual([[], []]);
  // The rest is reported at the end.
  await fixture.listener.close();
  const of = { sourceIp: '127.0.0.1', proxy: { id: 'p1', tenantId: 't1' } };
  expect(strangers).toMatchObject([
    { ...of, nasIdentifier: '', packets: 1 },
    { ...of, nasIdentifier: 'nas00009', packets: 2 },
  ]);
});

test('a proxy of some locations speaks for no device elsewhere, and its refused packets do not fill its connection', async () => {
  const { proxy, fixture } = await start({ maxPending: 1 });
  const forwarder = await proxy({ locations: new Set(['l1']) });
  fixture.devices.set('nas00003', { ...fixture.devices.get('nas00001')!, id: 'd3', locationId: 'l1' });
  fixture.devices.set('nas00004', { ...fixture.devices.get('nas00001')!, id: 'd4', locationId: 'l2' });
  forwarder.write(ada(1, 'nas00001'), ada(2, 'nas00004'), ada(3), ada(4, 'nas00009'));
  expect((await forwarder.ask(ada(5, 'nas00003')))?.code).toBe(code['Access-Accept']);
  expect(forwarder.replies.map(it => it.id)).toEqual([5]);
});

test('revoking a certificate closes its connections at once and no others', async () => {
  const { device, known, fixture, dial } = await start();
  const [lost, other] = [await device('nas00001'), await device('nas00002')];
  await Promise.all([lost.ask(ada(1)), other.ask(ada(1))]);
  known.delete(lost.fingerprint);
  fixture.listener.recheckCertificates();
  await lost.ended();
  expect((await other.ask(ada(2)))?.code).toBe(code['Access-Accept']);
  const again = await dial(lost.tls);
  await again.ended();
  expect(fixture.requests).toHaveLength(3);
  expect(fixture.listener.stats().radsecConnections).toBe(1);
});

test('an unavailable database closes no connection, and a lost revocation is found by the next check', async () => {
  const { device, known, database, fixture, dial } = await start({ recheckMs: 20 });
  const router = await device();
  await router.ask(ada(0));
  database.away = true;
  while (fixture.failures.length < 2) await new Promise(resolve => setTimeout(resolve, 10));
  expect((await router.ask(ada(1)))?.code).toBe(code['Access-Accept']);
  await (await dial(router.tls)).ended();
  database.away = false;
  known.delete(router.fingerprint);
  await router.ended();
  expect(fixture.counted('radsec_refused_total', { reason: 'revoked' })).toBe(1);
});

test.for(['TLSv1.2', 'TLSv1.3'] as const)('the certificate of a resumed %s session is checked again', async version => {
  const { device, known, fixture, dial } = await start();
  const { tls, fingerprint } = await device();
  const first = await dial({ ...tls, maxVersion: version });
  expect((await first.ask(ada(1)))?.code).toBe(code['Access-Accept']);
  await expect.poll(() => first.session()).toBeDefined();
  const session = first.session();
  const second = await dial({ ...tls, maxVersion: version, session });
  expect(second.socket.isSessionReused()).toBe(true);
  expect((await second.ask(ada(2)))?.code).toBe(code['Access-Accept']);
  known.delete(fingerprint);
  await (await dial({ ...tls, maxVersion: version, session })).ended();
  expect(fixture.counted('radsec_refused_total', { reason: 'unknown_certificate' })).toBe(1);
});

test('a certificate that expires closes its open connection', async () => {
  const { device, fixture } = await start();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const router = await device('nas00001', { expiresAt });
  expect((await router.ask(ada(1)))?.code).toBe(code['Access-Accept']);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(expiresAt.getTime() - 1000);
  expect((await router.ask(ada(2)))?.code).toBe(code['Access-Accept']);
  vi.setSystemTime(expiresAt);
  expect(await router.ask(ada(3))).toBeUndefined();
  expect(fixture.requests).toHaveLength(2);
});

test.for([
  ['no length', Buffer.alloc(20)],
  ['a length below the minimum', Buffer.from([1, 1, 0, 19, ...Buffer.alloc(16)])],
  ['a length above the maximum', Buffer.from([1, 1, 0x10, 1, ...Buffer.alloc(16)])],
  ['an attribute beyond the end', Buffer.from([1, 1, 0, 22, ...Buffer.alloc(16), 1, 9])],
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')],
] as const)('%s closes the connection', async ([, bytes]) => {
  const { device } = await start();
  const router = await device();
  expect((await router.ask(ada(9)))?.code).toBe(code['Access-Accept']);
  router.write(bytes, ada(1));
  await router.ended();
  expect(router.replies).toHaveLength(1);
});

test('a packet made with another secret closes the connection; an unexpected code is ignored', async () => {
  const { device, fixture } = await start();
  const router = await device();
  router.write(requestOf({ code: code['CoA-Request'], id: 1 }));
  expect((await router.ask(ada(2)))?.code).toBe(code['Access-Accept']);
  router.write(requestOf({ id: 3, user: 'ada', password: 'hello' }, Buffer.from('testing123')));
  await router.ended();
  expect(fixture.requests).toHaveLength(1);
  expect(fixture.counted('radius_dropped_total', { reason: 'wrong_code' })).toBe(1);
});

// Each has a listener of its own: a short limit of one would end the others on a busy machine.
test('a connection that stalls in the handshake, in a packet or between packets is closed', async () => {
  const hasty = await start({ handshakeMs: 100 });
  const silent = connectTcp(hasty.port, '127.0.0.1');
  silent.resume();
  await new Promise(resolve => silent.on('error', () => undefined).on('close', resolve));
  expect(hasty.fixture.counted('radsec_refused_total', { reason: 'handshake' })).toBe(1);
  const brief = await start({ packetMs: 100 });
  const halting = await brief.device();
  halting.write(ada(1).subarray(0, 30));
  await halting.ended();
  expect(brief.fixture.counted('radius_dropped_total', { reason: 'incomplete_packet' })).toBe(1);
  const busy = await start({ idleMs: 400 });
  const idle = await busy.device();
  idle.write(ada(1));
  await idle.ended();
  expect(busy.fixture.requests).toHaveLength(1);
  expect(busy.fixture.counted('radsec_connections_total')).toBe(1);
  expect(busy.fixture.counted('radsec_refused_total')).toBe(0);
});

test('connections are limited per device and per address', async () => {
  const { dial, know } = await start({ maxPerDevice: 2, maxPerAddress: 3 });
  const { tls, fingerprint } = await made();
  know(fingerprint);
  const [first, second] = [await dial(tls), await dial(tls)];
  await Promise.all([first.ask(ada(1)), second.ask(ada(1))]);
  await (await dial(tls)).ended();
  const { tls: other, fingerprint: others } = await made();
  know(others, 'nas00002');
  const third = await dial(other);
  await third.ask(ada(1));
  await (await dial(other)).ended();
  for (const router of [first, second, third]) expect((await router.ask(ada(2)))?.code).toBe(code['Access-Accept']);
});

test('strangers that take every connection without a certificate keep no device out', async () => {
  const { device, port, fixture } = await start({ maxConnections: 10, maxPerAddress: 4 });
  const inside = await device();
  expect((await inside.ask(ada(1)))?.code).toBe(code['Access-Accept']);
  const strangers = Array.from({ length: 20 }, (_, n) => {
    const socket = connectTcp({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 5)}` });
    return socket.on('error', () => undefined).resume();
  });
  open.push({ close: () => strangers.forEach(it => void it.destroy()) });
  await expect.poll(() => fixture.counted('radsec_refused_total', { reason: 'pushed_out' })).toBeGreaterThan(0);
  const late = await device('nas00002');
  expect((await late.ask(ada(1, 'nas00002')))?.code).toBe(code['Access-Accept']);
  expect((await inside.ask(ada(2)))?.code).toBe(code['Access-Accept']);
});

test('strangers behind the address of a device keep it neither out nor away', async () => {
  const { device, port, fixture } = await start({ maxPerAddress: 4 });
  const inside = await device();
  expect((await inside.ask(ada(1)))?.code).toBe(code['Access-Accept']);
  const strangers = Array.from({ length: 6 }, () =>
    connectTcp(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume(),
  );
  open.push({ close: () => strangers.forEach(it => void it.destroy()) });
  await expect.poll(() => fixture.counted('radsec_refused_total', { reason: 'pushed_out' })).toBe(3);
  const late = await device('nas00002');
  expect((await late.ask(ada(1, 'nas00002')))?.code).toBe(code['Access-Accept']);
  expect((await inside.ask(ada(2)))?.code).toBe(code['Access-Accept']);
  expect(fixture.counted('radsec_refused_total', { reason: 'too_many_of_address' })).toBe(0);
});

test('requests beyond the pending limit of a connection wait in its socket', async () => {
  const { device, fixture } = await start({ maxPending: 4 });
  const router = await device();
  const many = Array.from({ length: 100 }, (_, i) => ada(i));
  router.write(...many);
  const replies = await Promise.all(many.map(router.reply));
  expect(replies.filter(it => it?.code === code['Access-Accept'])).toHaveLength(100);
  expect(fixture.counted('radius_dropped_total')).toBe(0);
});

test('accepted requests are answered before the listener closes', async () => {
  const { device, fixture } = await start();
  const router = await device();
  await router.ask(ada(1));
  const last = accounting(7);
  router.write(last);
  // Waits until the listener has received it.
  while (fixture.counted('radius_packets_total') < 2) await new Promise(resolve => setImmediate(resolve));
  await fixture.listener.close();
  expect((await router.reply(last))?.code).toBe(code['Accounting-Response']);
  await router.ended();
});
