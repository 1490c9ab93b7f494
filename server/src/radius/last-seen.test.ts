import { attribute } from '@portico/radius/attributes.ts';
import { text } from '@portico/radius/encode.ts';
import type { Packet } from '@portico/radius/packet.ts';
import { expect, test } from 'vitest';
import { createLastSeen } from './last-seen.ts';
import { packetOf, packetSecret as secret } from './testing/packet-of.ts';
import type { RadiusDevice, SeenFacts } from './types.ts';

const device: RadiusDevice = { id: 'd', tenantId: 't', secret, requireMessageAuthenticator: false };

/** What is reported of packets, each by its source address. */
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
