import { attribute, code } from '@portico/radius/attributes.ts';
import { encodeRequest, octets, text } from '@portico/radius/encode.ts';
import { decode, type Packet } from '@portico/radius/packet.ts';
import { expect, test } from 'vitest';
import { createLastSeen } from './last-seen.ts';
import { readNetworks } from './requests.ts';
import type { RadiusDevice, SeenFacts } from './types.ts';

const secret = Buffer.from('testing123');
const device: RadiusDevice = { id: 'd', tenantId: 't', secret, requireMessageAuthenticator: false };
const packetOf = (...attributes: Buffer[]): Packet => {
  const packet = decode(encodeRequest({ code: code['Access-Request'], id: 1, secret, attributes }));
  if (typeof packet === 'string') throw new Error(packet);
  return packet;
};

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
  const packet = packetOf(text(attribute['User-Name'], 'elif'));
  expect(
    await reported([
      { packet, from: '192.0.2.1' },
      { packet, from: '198.51.100.9' },
      { packet, from: '192.0.2.1' },
      { packet: packetOf(text(attribute['User-Name'], 'elif')), from: '198.51.100.9' },
    ]),
  ).toEqual([
    ['192.0.2.1', 'radius'],
    ['198.51.100.9', undefined],
    ['192.0.2.1', 'radius'],
    ['198.51.100.9', 'radius'],
  ]);
});

test('a certificate proves more than an address, and a packet through a proxy proves none', async () => {
  const packet = packetOf(text(attribute['User-Name'], 'elif'));
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

test('an IPv6 address that belongs to no guest, and a network that is too large, are left out', () => {
  const framed = (hex: string) => octets(attribute['Framed-IPv6-Address'], Buffer.from(hex.padEnd(32, '0'), 'hex'));
  const prefix = (length: number, hex: string) =>
    octets(attribute['Delegated-IPv6-Prefix'], Buffer.from(`00${length.toString(16).padStart(2, '0')}${hex}`, 'hex'));
  const networks = readNetworks(
    packetOf(
      framed('20010db8000000000000000000000005'),
      framed('20010db8000000000000000000000005'),
      // Too short to be an address.
      octets(attribute['Framed-IPv6-Address'], Buffer.alloc(5, 0x20)),
      framed('fe80'),
      framed('ff02'),
      framed('00000000000000000000000000000001'),
      framed('00000000000000000000ffff0a000001'),
      prefix(32, '20010db8'),
      prefix(31, '20010db8'),
    ),
  );
  expect(networks).toEqual(['2001:db8:0:0:0:0:0:5', '2001:db8:0:0:0:0:0:0/32']);
});
