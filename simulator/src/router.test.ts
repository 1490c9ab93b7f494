import { attribute, code, errorCause, mikrotik, terminateCause, vendor } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { integer, text, vendorInteger, vendorText } from '@portico/radius/encode.ts';
import { type Packet, readAddress, readInteger, readText } from '@portico/radius/packet.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';
import { type Router, type RouterOptions, startRouter } from './router.ts';
import { parseRateLimit } from './session.ts';
import { startToyServer, type ToyServer } from './toy-server.ts';

const secret = 'simulated-secret-of-a-device';
let accept: Buffer[] = [];
let server: ToyServer;
let router: Router | undefined;

beforeEach(async () => {
  accept = [];
  server = await startToyServer({ secret, password: 'hello', accept: () => accept });
});
afterEach(async () => {
  server.silence(false);
  await router?.close();
  router = undefined;
  server.close();
});

const start = async (options: Partial<RouterOptions> = {}): Promise<Router> => {
  router = await startRouter({
    nasIdentifier: 'sim00001',
    secret,
    radius: server.radius,
    captiveUrl: 'http://portal.test',
    // A request that is repeated would count twice.
    timeoutMs: 10_000,
    ...options,
  });
  return router;
};

const online = async (at: Router) => {
  const device = at.lease({ mac: '3C:06:30:00:00:01', name: 'iPhone' });
  const result = await at.signIn(device, 'guest', 'hello');
  if (result.outcome !== 'accepted') throw new Error(result.outcome);
  return { device, session: result.session };
};

const statuses = (packets: readonly Packet[]) =>
  packets.map(packet => readInteger(packet, attribute['Acct-Status-Type']));

describe('a session', () => {
  it('sends the Access-Request and accounting of RouterOS', async () => {
    accept = [text(attribute.Class, 'c1'), text(attribute['User-Name'], 'ayse')];
    const at = await start();
    expect(statuses(server.accounting)).toEqual([7]);
    const { device, session } = await online(at);
    const request = server.access[0] as Packet;
    expect(readText(request, attribute['NAS-Identifier'])).toBe('sim00001');
    expect(readText(request, attribute['Calling-Station-Id'])).toBe('3C:06:30:00:00:01');
    expect(readText(request, attribute['Called-Station-Id'])).toBe('hotspot1');
    expect(readAddress(request, attribute['Framed-IP-Address'])).toBe(device.ip);
    at.use(device, { uploadBytes: 5, downloadBytes: 3 * 2 ** 32 + 6 });
    at.signOut(device);
    await at.settled();
    const [first, last] = server.accountingOf(session.id) as [Packet, Packet];
    expect(statuses([first, last])).toEqual([1, 2]);
    expect(readText(first, attribute['User-Name'])).toBe('ayse');
    expect(readText(last, attribute.Class)).toBe('c1');
    expect(readInteger(last, attribute['Acct-Input-Octets'])).toBe(5);
    expect(readInteger(last, attribute['Acct-Output-Octets'])).toBe(6);
    expect(readInteger(last, attribute['Acct-Output-Gigawords'])).toBe(3);
    expect(readInteger(last, attribute['Acct-Terminate-Cause'])).toBe(terminateCause['User-Request']);
    expect(at.stats).toMatchObject({ accepted: 1, accounted: 3, acknowledged: 3, lost: 0 });
  });

  it('is rejected, or gets no answer', async () => {
    const at = await start({ passwordBy: 'chap', timeoutMs: 500 });
    const device = at.lease({ mac: '3C:06:30:00:00:01' });
    expect(await at.signIn(device, 'guest', 'no')).toEqual({ outcome: 'rejected', message: 'The password is wrong.' });
    expect((await at.signIn(device, 'guest', 'hello')).outcome).toBe('accepted');
    expect((await at.signIn(device, 'guest', 'x'.repeat(500))).outcome).toBe('rejected');
    server.silence(true);
    expect((await at.signIn(device, 'guest', 'hello')).outcome).toBe('no-answer');
  });

  it.each<
    [
      cause: string,
      limits: () => Buffer[],
      act: (at: Router, device: { mac: string; ip: string; name: string }) => void,
    ]
  >([
    ['Session-Timeout', () => [integer(attribute['Session-Timeout'], 300)], () => undefined],
    ['Idle-Timeout', () => [integer(attribute['Idle-Timeout'], 200)], () => undefined],
    ['Lost-Carrier', () => [], (at, device) => at.walkAway(device)],
    [
      'NAS-Request',
      () => [
        vendorInteger(vendor.mikrotik, mikrotik['Total-Limit'], 10),
        vendorInteger(vendor.mikrotik, mikrotik['Total-Limit-Gigawords'], 1),
      ],
      (at, device) => {
        at.use(device, { uploadBytes: 2 ** 32, downloadBytes: 9 });
        expect(at.session(device.mac)).toBeDefined();
        at.use(device, { uploadBytes: 0, downloadBytes: 1 });
      },
    ],
  ])('ends by %s', async (cause, limits, act) => {
    accept = limits();
    const at = await start({ clock: createClock(1000) });
    const { device, session } = await online(at);
    act(at, device);
    expect(await at.sessionEnded(session)).toBe(cause);
    await at.settled();
    expect(readInteger(server.accountingOf(session.id).at(-1) as Packet, attribute['Acct-Terminate-Cause'])).toBe(
      terminateCause[cause as keyof typeof terminateCause],
    );
  });

  it('sends interim updates at the given interval', async () => {
    accept = [integer(attribute['Acct-Interim-Interval'], 60)];
    const at = await start({ clock: createClock(60) });
    const { session } = await online(at);
    const sent = () => statuses(server.accountingOf(session.id));
    await expect.poll(() => sent().length).toBeGreaterThanOrEqual(3);
    expect(sent().slice(0, 3)).toEqual([1, 3, 3]);
    const [, first, second] = server.accountingOf(session.id) as [Packet, Packet, Packet];
    const seconds = (packet: Packet) => readInteger(packet, attribute['Acct-Session-Time']) as number;
    expect(seconds(second) - seconds(first)).toBeGreaterThanOrEqual(60);
  });

  it('does not exceed its rates', async () => {
    accept = [vendorText(vendor.mikrotik, mikrotik['Rate-Limit'], '1M/8M')];
    const at = await start();
    const { device, session } = await online(at);
    at.use(device, { uploadBytes: 1e9, downloadBytes: 1e9, seconds: 10 });
    expect([session.uploadBytes, session.downloadBytes]).toEqual([1_250_000, 10_000_000]);
    expect(parseRateLimit('512k/2M 1M/4M 256k/1M 8/8')).toEqual([512_000, 2_000_000]);
    expect(parseRateLimit('3M')).toEqual([3_000_000, 3_000_000]);
    expect(parseRateLimit('0/x')).toEqual([undefined, undefined]);
  });

  it('is lost without a Stop after a power cut', async () => {
    const at = await start();
    const { session } = await online(at);
    await at.powerCut();
    expect(at.sessions()).toEqual([]);
    expect(await at.sessionEnded(session)).toBeUndefined();
    expect(statuses(server.accounting)).toEqual([7, 1, 7]);
  });
});

describe('commands from the server', () => {
  const order = async (at: Router, kind: number, attributes: Buffer[], by = secret) => {
    const client = openClient({ host: at.address, port: at.coaPort, secret: Buffer.from(by), timeoutMs: 500 });
    const reply = await client.send({ code: kind, attributes });
    client.close();
    return reply;
  };

  it('end a session, are refused, or get no answer', async () => {
    const at = await start();
    const { device, session } = await online(at);
    const named = [
      text(attribute['Acct-Session-Id'], session.id),
      integer(attribute['Event-Timestamp'], Date.now() / 1000),
    ];
    at.behaveOnCoa('silent');
    expect(await order(at, code['Disconnect-Request'], named)).toBeUndefined();
    at.behaveOnCoa('nak');
    const refused = await order(at, code['Disconnect-Request'], named);
    expect(refused?.code).toBe(code['Disconnect-NAK']);
    expect(at.session(device.mac)).toBe(session);
    at.behaveOnCoa('ack');
    expect((await order(at, code['Disconnect-Request'], named))?.code).toBe(code['Disconnect-ACK']);
    expect(await at.sessionEnded(session)).toBe('Admin-Reset');
    const gone = (await order(at, code['Disconnect-Request'], named)) as Packet;
    expect(readInteger(gone, attribute['Error-Cause'])).toBe(errorCause['Session-Context-Not-Found']);
  });

  it('change limits; stale and forged ones are ignored', async () => {
    const at = await start();
    const { session } = await online(at);
    const limits = [
      text(attribute['User-Name'], 'guest'),
      vendorText(vendor.mikrotik, mikrotik['Rate-Limit'], '1M/2M'),
    ];
    expect((await order(at, code['CoA-Request'], limits))?.code).toBe(code['CoA-ACK']);
    expect(session.limits.downloadBps).toBe(2_000_000);
    const stale = integer(attribute['Event-Timestamp'], Date.now() / 1000 - 1000);
    expect(await order(at, code['Disconnect-Request'], [...limits, stale])).toBeUndefined();
    expect(await order(at, code['Disconnect-Request'], limits, 'guess')).toBeUndefined();
    expect(at.sessions()).toHaveLength(1);
  });
});

describe('the hotspot pages', () => {
  const get = (url: string) => fetch(url, { redirect: 'manual' });

  it('redirect a guest to the portal, sign it in and sign it out', async () => {
    const at = await start();
    const device = at.lease({ mac: '3C:06:30:00:00:01' });
    at.seat(device);
    const sent = new URL((await get(`${at.hotspotUrl}/news?a=1`)).headers.get('location') as string);
    expect(sent.origin + sent.pathname).toBe('http://portal.test/w/sim00001');
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      mac: device.mac,
      ip: device.ip,
      login: `${at.hotspotUrl}/login`,
      orig: `${at.hotspotUrl}/news?a=1`,
      v: '3',
      error: '',
    });
    const query = (password: string) =>
      new URLSearchParams({ username: 'guest', password, dst: 'http://example.com/x' });
    const refused = await get(`${at.hotspotUrl}/login?${query('no')}`);
    expect(new URL(refused.headers.get('location') as string).searchParams.get('error')).toBe('The password is wrong.');
    const back = await fetch(`${at.hotspotUrl}/login`, { method: 'POST', body: query('hello'), redirect: 'manual' });
    expect(back.headers.get('location')).toBe('http://example.com/x');
    expect(await (await get(`${at.hotspotUrl}/news`)).text()).toContain('The internet');
    const way = async (path: string) => (await get(`${at.hotspotUrl}${path}`)).headers.get('location');
    expect(await way('/status')).toBe('http://portal.test/w/sim00001/online');
    expect(await way('/logout')).toMatch(/^http:\/\/portal\.test\/w\/sim00001\?mac=.*&step=logged_out$/);
    expect(await way('/logout'), 'once more').toBe(`${at.hotspotUrl}/login`);
    expect((await get(`${at.hotspotUrl}/news`)).status).toBe(302);
    expect(at.stats.ended).toEqual({ 'User-Request': 1 });
  });
});
