import { attribute } from '@portico/radius/attributes.ts';
import { text } from '@portico/radius/encode.ts';
import type { Packet } from '@portico/radius/packet.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Arrival } from './arrival.ts';
import { createLastSeen } from './last-seen.ts';
import { packetOf, packetSecret as secret } from './testing/packet-of.ts';
import type { RadiusDevice, SeenFacts } from './types.ts';

const device: RadiusDevice = { id: 'd', tenantId: 't', secret, requireMessageAuthenticator: false };

/** The reports about packets, each by its source address. */
async function reported(arrivals: readonly { packet: Packet; from: string; of?: RadiusDevice; listener?: string }[]) {
  const facts: SeenFacts[] = [];
  const { seen } = createLastSeen(
    {
      seen: (_, it) => void facts.push(it),
      seenProxy: () => undefined,
      failed: (_, error) => {
        throw error;
      },
    },
    0,
  );
  for (const { packet, from, of = device, listener = 'auth' } of arrivals)
    seen('auth', {
      kind: 'auth',
      ...{ listener, packet, device: of, socket: from, sourceIp: from },
      ...{ receivedAt: new Date(), since: 0, answer: () => undefined, learned: () => undefined },
    });
  await new Promise(setImmediate);
  return facts.map(it => [it.sourceIp, it.proof]);
}

test('a packet proves the address from which it came first; a copy of it from elsewhere proves nothing', async () => {
  const packet = packetOf([text(attribute['User-Name'], 'elif')]);
  expect(
    await reported([
      { packet, from: '192.0.2.1' },
      { packet, from: '198.51.100.9' },
      { packet, from: '192.0.2.1' },
      { packet: packetOf([text(attribute['User-Name'], 'elif')]), from: '198.51.100.9' },
    ]),
  ).toEqual([
    ['192.0.2.1', 'radius'],
    ['198.51.100.9', undefined],
    ['192.0.2.1', 'radius'],
    ['198.51.100.9', 'radius'],
  ]);
});

test('a certificate proves more than an address, and a packet through a proxy proves none', async () => {
  const packet = packetOf([text(attribute['User-Name'], 'elif')]);
  const proxy = { id: 'p', tenantId: 't', address: undefined, secret, requireMessageAuthenticator: false };
  expect(
    await reported([
      { packet, from: '192.0.2.1', listener: 'radsec' },
      { packet, from: '192.0.2.2', of: { ...device, proxy: { ...proxy, locations: new Set() } } },
    ]),
  ).toEqual([
    ['192.0.2.1', 'radsec'],
    ['192.0.2.2', undefined],
  ]);
});

describe('packets of one kind', () => {
  afterEach(() => void vi.useRealTimers());
  const packet = packetOf([text(attribute['User-Name'], 'elif')]);
  const receivedAt = new Date('2026-11-28T10:00:00Z');
  const arrivalOf = (more: { of?: RadiusDevice; from?: string }): Arrival => ({
    ...{ kind: 'auth', listener: 'auth', packet, device: more.of ?? device, receivedAt, since: 0 },
    ...{ socket: 's', sourceIp: more.from ?? '192.0.2.1', answer: () => undefined, learned: () => undefined },
  });

  function start(isAway = false) {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(100_000);
    const reports: string[] = [];
    const failures: string[] = [];
    const tell = (what: string) => {
      if (isAway) throw new Error('away');
      reports.push(what);
    };
    const lastSeen = createLastSeen(
      {
        seen: (it, { kind, sourceIp }) => tell(`${it.id} ${kind} ${sourceIp}`),
        seenProxy: (it, at) => tell(`${it.id} ${at.toISOString()}`),
        badSecret: (it, { sourceIp, at }) => tell(`${it.id} ${sourceIp} ${at.toISOString()}`),
        failed: where => failures.push(where),
      },
      60_000,
    );
    const told = async () => {
      await new Promise(setImmediate);
      return reports.splice(0);
    };
    return { ...lastSeen, told, failures };
  }
  const other = { ...device, id: 'e' };
  const proxy = { id: 'p', tenantId: 't', address: undefined, secret, requireMessageAuthenticator: false };
  const from = { ...proxy, locations: new Set<string>() };

  test('are reported once a minute of each device, kind and address', async () => {
    const { seen, told } = start();
    const all = () => {
      seen('auth', arrivalOf({}));
      seen('acct', arrivalOf({}));
      seen('auth', arrivalOf({ from: '192.0.2.2' }));
      seen('auth', arrivalOf({ of: other }));
    };
    const each = ['d auth 192.0.2.1', 'd acct 192.0.2.1', 'd auth 192.0.2.2', 'e auth 192.0.2.1'];
    all();
    all();
    expect(await told()).toEqual(each);
    vi.advanceTimersByTime(59_999);
    all();
    expect(await told()).toEqual([]);
    vi.advanceTimersByTime(1);
    all();
    expect(await told()).toEqual(each);
  });

  test('with a wrong secret are reported once a minute of each device', async () => {
    const { badSecret, seen, told } = start();
    badSecret(arrivalOf({}));
    badSecret(arrivalOf({ from: '192.0.2.2' }));
    badSecret(arrivalOf({ of: other }));
    const at = receivedAt.toISOString();
    expect(await told()).toEqual([`d 192.0.2.1 ${at}`, `e 192.0.2.1 ${at}`]);
    seen('auth', arrivalOf({}));
    expect(await told(), 'a right secret is another kind').toHaveLength(1);
  });

  test('of a proxy are reported once a minute of each proxy', async () => {
    const { proxySeen, told } = start();
    for (const it of [from, from, { ...from, id: 'q' }]) proxySeen(arrivalOf({}), it);
    const at = receivedAt.toISOString();
    expect(await told()).toEqual([`p ${at}`, `q ${at}`]);
  });

  test('that cannot be stored are told', async () => {
    const { seen, badSecret, proxySeen, told, failures } = start(true);
    seen('auth', arrivalOf({}));
    badSecret(arrivalOf({}));
    proxySeen(arrivalOf({}), from);
    expect([await told(), failures]).toEqual([[], ['seen', 'badSecret', 'seenProxy']]);
  });
});
