import { type RemoteInfo, Socket } from 'node:dgram';
import { attribute, code } from '@portico/radius/attributes.ts';
import { encodeRequest, integer, octets, text } from '@portico/radius/encode.ts';
import { hidePassword } from '@portico/radius/password.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Fixture, fixtureSecret, startFixture } from './fixture.ts';
import type { SessionRecord } from './types.ts';

/** Makes datagrams of this length arrive as if sent from port 0. Only a privileged program can send such datagrams. */
function fromPortZero(length: number): void {
  const emit = Socket.prototype.emit as (this: Socket, ...values: unknown[]) => boolean;
  const forging = function (this: Socket, ...values: unknown[]): boolean {
    const [event, datagram, from] = values as [string, Buffer, RemoteInfo];
    if (event === 'message' && datagram.length === length) from.port = 0;
    return emit.apply(this, values);
  };
  vi.spyOn(Socket.prototype, 'emit').mockImplementation(forging);
}

let fixture: Fixture;
afterEach(async () => {
  await fixture?.close();
  vi.restoreAllMocks();
});

const nas = (name = 'nas00001') => text(attribute['NAS-Identifier'], name);
const user = text(attribute['User-Name'], 'guest');

const access = (id: number, name = 'nas00001', secret = fixtureSecret, more: Buffer[] = []): Buffer => {
  const authenticator = Buffer.alloc(16, id);
  const password = octets(attribute['User-Password'], hidePassword('hello', secret, authenticator));
  return encodeRequest({ code: 1, id, authenticator, secret, attributes: [nas(name), user, password, ...more] });
};

const interim = (id: number, bytes = 1): Buffer =>
  encodeRequest({
    code: 4,
    id,
    secret: fixtureSecret,
    attributes: [
      nas(),
      integer(attribute['Acct-Status-Type'], 3),
      text(attribute['Acct-Session-Id'], '80a1'),
      integer(attribute['Acct-Input-Octets'], bytes),
    ],
  });

const altered = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

describe('hostile packets are counted and not answered', () => {
  it.each<[reason: string, listener: 'auth' | 'acct', datagram: Buffer]>([
    ['truncated', 'auth', access(1).subarray(0, 40)],
    ['truncated', 'acct', Buffer.alloc(0)],
    ['overlong', 'auth', Buffer.alloc(5000, 1)],
    ['overlong', 'acct', altered(interim(1), copy => copy.writeUInt16BE(60_000, 2))],
    ['bad_length', 'auth', altered(access(1), copy => copy.writeUInt16BE(3, 2))],
    ['bad_attribute', 'auth', altered(access(1), copy => copy.writeUInt8(0, 39))],
    ['bad_attribute', 'acct', altered(interim(1), copy => copy.writeUInt8(200, 39))],
    ['repeated_message_authenticator', 'auth', access(1, 'nas00001', fixtureSecret, [octets(80, Buffer.alloc(16))])],
    ['wrong_code', 'auth', interim(1)],
    ['wrong_code', 'acct', access(1)],
    ['wrong_code', 'auth', altered(access(1), copy => copy.writeUInt8(2, 0))],
    ['unknown_device', 'auth', access(1, 'nobody01')],
    ['unknown_device', 'auth', access(1, 'n'.repeat(200))],
    ['no_nas_identifier', 'acct', encodeRequest({ code: 4, id: 1, secret: fixtureSecret, attributes: [user] })],
    ['wrong_message_authenticator', 'auth', access(1, 'nas00001', Buffer.from('guessed'))],
    ['wrong_message_authenticator', 'auth', altered(access(1), copy => copy.writeUInt8(copy[25]! ^ 1, 25))],
    ['wrong_authenticator', 'acct', altered(interim(1), copy => copy.writeUInt8(9, copy.length - 1))],
    ['incomplete', 'auth', encodeRequest({ code: 1, id: 1, secret: fixtureSecret, attributes: [nas()] })],
  ])('%s at the %s listener', async (reason, listener, datagram) => {
    fixture = await startFixture();
    expect(await fixture.raw(listener, [datagram], 60)).toHaveLength(0);
    expect(fixture.counted('radius_dropped_total', { listener, reason })).toBe(1);
    expect(fixture.counted('radius_dropped_total')).toBe(1);
    expect(fixture.requests.length + fixture.records.length + fixture.failures.length).toBe(0);
    const alive = await fixture.raw(listener, [listener === 'auth' ? access(9) : interim(9)]);
    expect(alive).toHaveLength(1);
  });

  it('Status-Server and EAP need a Message-Authenticator', async () => {
    fixture = await startFixture();
    const bare = (full: Buffer): Buffer =>
      altered(Buffer.concat([full.subarray(0, 20), full.subarray(38)]), copy => copy.writeUInt16BE(copy.length, 2));
    const status = encodeRequest({ code: code['Status-Server'], id: 1, secret: fixtureSecret, attributes: [nas()] });
    const eap = access(2, 'nas00001', fixtureSecret, [octets(attribute['EAP-Message'], Buffer.alloc(5))]);
    expect(await fixture.raw('auth', [bare(status), bare(eap)])).toHaveLength(0);
    expect(fixture.counted('radius_dropped_total', { reason: 'no_message_authenticator' })).toBe(2);
  });
});

it.each(['auth', 'acct'] as const)(
  'a datagram from port 0 costs no other device its reply, and the %s listener still closes',
  async listener => {
    fixture = await startFixture();
    const extra = octets(attribute['NAS-Port-Id'], Buffer.alloc(50));
    const forged =
      listener === 'auth'
        ? access(1, 'nas00001', fixtureSecret, [extra])
        : encodeRequest({
            ...{ code: code['Accounting-Request'], id: 1, secret: fixtureSecret },
            attributes: [
              nas(),
              integer(attribute['Acct-Status-Type'], 1),
              text(attribute['Acct-Session-Id'], '1'),
              extra,
            ],
          });
    fromPortZero(forged.length);
    const replies = await fixture.raw(listener, [forged, listener === 'auth' ? access(2) : interim(2)]);
    expect(replies.map(reply => reply[1])).toEqual([2]);
    expect(fixture.failures).toEqual([]);
    expect(fixture.counted('radius_dropped_total', { reason: 'no_source_port' })).toBe(1);
    await fixture.close();
  },
);

describe('retransmissions', () => {
  it('get the stored reply, and the request is decided once', async () => {
    fixture = await startFixture();
    const replies = await fixture.raw('auth', [access(1), access(1), access(1)]);
    const first = replies[0] as Buffer;
    expect(replies.length).toBeGreaterThan(0);
    // Retransmissions during the decision are dropped; later ones get the stored reply.
    expect(replies.every(reply => reply.equals(first))).toBe(true);
    expect(fixture.requests).toHaveLength(1);
    expect(fixture.counted('radius_duplicates_total')).toBe(2);
  });

  it('differ from a packet of another source and from a new request with the same id', async () => {
    fixture = await startFixture();
    await fixture.raw('acct', [interim(1, 5), interim(1, 6)]);
    expect(fixture.records).toHaveLength(2);
    await fixture.raw('acct', [interim(1, 5)]);
    expect(fixture.records).toHaveLength(3);
  });

  it('are dropped during the decision and accepted again when it failed', async () => {
    const deciding = Promise.withResolvers<void>();
    let calls = 0;
    fixture = await startFixture({
      account: async () => {
        calls += 1;
        if (calls === 1) await deciding.promise;
      },
    });
    const client = fixture.client('acct', { attempts: 3 });
    const request = { code: code['Accounting-Request'], attributes: [nas(), integer(40, 3), text(44, 'x')] };
    expect(await client.send(request)).toBeUndefined();
    await expect.poll(() => fixture.counted('radius_duplicates_total', { state: 'in_progress' })).toBe(2);
    expect(calls).toBe(1);
    deciding.reject(new Error('away'));
    await expect.poll(() => fixture.counted('radius_dropped_total', { reason: 'batch_failed' })).toBe(1);
    expect(await fixture.client('acct').send(request)).toBeDefined();
  });
});

describe('floods', () => {
  it('from one source are limited', async () => {
    fixture = await startFixture({}, { packetsPerSecond: 5 });
    await fixture.raw(
      'acct',
      Array.from({ length: 200 }, (_, i) => interim(i)),
    );
    const dropped = fixture.counted('radius_dropped_total', { reason: 'flood' });
    expect(dropped).toBeGreaterThan(100);
    expect(fixture.records.length + dropped).toBe(200);
  });

  it('of invented devices cause few look-ups and do not lock out a known device', async () => {
    fixture = await startFixture({}, { deviceFreshMs: 1 });
    expect(await fixture.raw('auth', [access(1)])).toHaveLength(1);
    await fixture.raw(
      'auth',
      Array.from({ length: 100 }, () => access(2, 'nobody01')),
    );
    expect(fixture.lookUps.filter(name => name === 'nobody01')).toHaveLength(1);
    const crowd = Array.from({ length: 300 }, (_, i) => access(i % 250, `fake${i}`));
    expect(await fixture.raw('auth', [...crowd, access(3)])).toHaveLength(1);
  });

  it('beyond a quarter of the queue are dropped without a reply, and leave room for others', async () => {
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    fixture = await startFixture(
      {
        account: batch => {
          begun += batch.length;
          return gate.promise;
        },
      },
      { batchSize: 5, queueCapacity: 80 },
    );
    const replies = fixture.raw(
      'acct',
      Array.from({ length: 100 }, (_, i) => interim(i)),
      400,
    );
    const droppedSoFar = () => fixture.counted('radius_dropped_total', { reason: 'queue_full' });
    // Each of the 100 has been dropped, waits, or is in a batch.
    await expect.poll(() => droppedSoFar() + fixture.listener.stats().acctWaiting + begun).toBe(100);
    const dropped = droppedSoFar();
    expect(dropped).toBeGreaterThanOrEqual(60);
    const other = encodeRequest({
      ...{ code: 4, id: 1, secret: Buffer.from('another') },
      attributes: [nas('nas00002'), integer(attribute['Acct-Status-Type'], 1), text(attribute['Acct-Session-Id'], 'x')],
    });
    await fixture.raw('acct', [other], 50);
    expect(droppedSoFar()).toBe(dropped);
    gate.resolve();
    expect((await replies).length).toBeLessThanOrEqual(40);
    expect((await replies).length).toBeGreaterThanOrEqual(20);
  });

  it('of 20,000 random and mutated datagrams do not stop the listener', async () => {
    fixture = await startFixture({}, { packetsPerSecond: 1e6 });
    const base = [access(1), interim(1), access(2, 'nas00002', Buffer.from('another'))];
    for (let round = 0; round < 20; round += 1) {
      const datagrams = Array.from({ length: 1000 }, (_, i) =>
        altered(base[i % 3] as Buffer, copy => {
          for (let n = 0; n < 3; n += 1)
            copy[Math.floor(Math.random() * copy.length)] = Math.floor(Math.random() * 256);
        }),
      );
      await fixture.raw(round % 2 ? 'auth' : 'acct', datagrams, 5);
    }
    expect(fixture.failures).toEqual([]);
    // The listener handles the flood first, which takes a while on a busy machine.
    const client = fixture.client('auth', { attempts: 60 });
    expect(await client.send({ code: 1, attributes: [nas(), user], password: 'hello' })).toBeDefined();
  });
});

it('answers accepted requests before it closes', async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  fixture = await startFixture({
    account: batch => {
      begun += batch.length;
      return gate.promise;
    },
  });
  const replies = fixture.raw('acct', [interim(1), interim(2)], 300);
  await vi.waitUntil(() => begun === 2, { interval: 5, timeout: 120_000 });
  const closed = fixture.listener.close();
  gate.resolve();
  await closed;
  expect(await replies).toHaveLength(2);
});

/** A listener that decides one batch at a time, each when it is released. */
async function startHeld(staleRequestMs: number) {
  const held = { calls: 0, release: (): void => undefined };
  fixture = await startFixture(
    {
      authorize: batch => {
        held.calls += batch.length;
        return new Promise(resolve => {
          held.release = () => resolve(batch.map(() => ({ outcome: 'ignore' as const })));
        });
      },
    },
    { batchesInFlight: 1, staleRequestMs },
  );
  return held;
}

it('drops an Access-Request whose router has given up', async () => {
  // Long enough for the first one, which a busy machine does not decide at once.
  const held = await startHeld(500);
  await fixture.raw('auth', [access(1)], 50);
  await expect.poll(() => held.calls).toBe(1);
  await fixture.raw('auth', [access(2)], 600);
  held.release();
  await expect.poll(() => fixture.counted('radius_dropped_total', { reason: 'stale' })).toBe(1);
  await expect.poll(() => fixture.counted('radius_dropped_total', { reason: 'ignored' })).toBe(1);
  expect(held.calls).toBe(1);
});

it.each([1, -1])('answers what waits also when the wall clock is set by %i hours', async hours => {
  const held = await startHeld(60_000);
  await fixture.raw('auth', [access(1)], 50);
  await expect.poll(() => held.calls).toBe(1);
  await fixture.raw('auth', [access(2)], 50);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    held.release();
    const isOver = () => held.calls > 1 || fixture.counted('radius_dropped_total', { reason: 'stale' }) > 0;
    await vi.waitUntil(isOver, { timeout: 120_000 });
  } finally {
    vi.useRealTimers();
  }
  expect(held.calls).toBe(2);
  held.release();
});

it('texts of malformed UTF-8 are no longer than any attribute once they are read', async () => {
  fixture = await startFixture();
  const malformed = Buffer.alloc(253, 0xff);
  const session = ['User-Name', 'Acct-Session-Id', 'Class', 'Called-Station-Id', 'NAS-Port-Id'] as const;
  const update = [nas(), integer(attribute['Acct-Status-Type'], 3)];
  const attributes = [...update, ...session.map(name => octets(attribute[name], malformed))];
  await fixture.raw('acct', [encodeRequest({ code: 4, id: 1, secret: fixtureSecret, attributes })]);
  const { userName, sessionId, class: token, calledStationId, nasPortId } = fixture.records[0] as SessionRecord;
  for (const text of [userName, sessionId, token, calledStationId, nasPortId])
    expect(Buffer.byteLength(text ?? '')).toBe(252);
});
