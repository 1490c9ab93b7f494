import { expect, test } from 'vitest';
import type { AddressProof } from './proof.ts';
import { createSenders, type LogSender } from './senders.ts';

const device = (
  deviceId: string,
  sources: readonly (readonly [network: string, proof?: AddressProof])[],
  more: Partial<LogSender> = {},
): LogSender => ({
  ...{ tenantId: 't', deviceId, locationId: 'here', nasIdentifier: deviceId, brand: 'mikrotik', serial: null },
  ...{ timeZone: 'UTC', loggingEnabled: true, ...more },
  sources: sources.map(([network, proof = 'radius']) => {
    const [address = '', prefix = address.includes(':') ? '128' : '32'] = network.split('/');
    return { address, prefix: Number(prefix), proof };
  }),
});
const nameless = '<134>Mar  2 08:14:23 router hello';

/** The devices of a line, with the proof if there is one. */
function identify(all: readonly LogSender[], address: string, line = nameless): string[] {
  const senders = createSenders();
  senders.replace(all);
  const found = senders.identify(line, address);
  if (found.kind === 'ambiguous') return ['ambiguous', ...found.senders.map(it => it.deviceId)];
  if (found.kind === 'unknown') return ['unknown'];
  return [found.kind, found.sender.deviceId, ...(found.kind === 'proven' ? [found.proof] : [])];
}

test('a line from a trusted network belongs to its device', () => {
  const all = [device('v4', [['203.0.113.0/24', 'operator']]), device('v6', [['2001:db8:5::/48', 'operator']])];
  expect(identify(all, '203.0.113.7')).toEqual(['proven', 'v4', 'operator']);
  expect(identify(all, '203.0.114.7')).toEqual(['unknown']);
  expect(identify(all, '2001:db8:5::9')).toEqual(['proven', 'v6', 'operator']);
  expect(identify(all, '2001:db8:6::9')).toEqual(['unknown']);
  expect(identify([device('host', [['2001:db8::1']])], '2001:db8::1')).toEqual(['proven', 'host', 'radius']);
});

test('an address in a network of its device counts once, with its own proof', () => {
  const both = device('both', [['203.0.113.0/24', 'operator'], ['203.0.113.9']]);
  expect(identify([both], '203.0.113.9')).toEqual(['proven', 'both', 'radius']);
  expect(identify([both], '203.0.113.8')).toEqual(['proven', 'both', 'operator']);
});

test('of two proofs of an address the stronger counts', () => {
  for (const proofs of [
    ['operator', 'radius'],
    ['radius', 'operator'],
  ] as const)
    expect(
      identify(
        [
          device(
            'a',
            proofs.map(proof => ['192.0.2.1', proof]),
          ),
        ],
        '192.0.2.1',
      ),
    ).toEqual([...['proven', 'a', 'radius']]);
});

test('the word of an operator makes no lines of a device at another location ambiguous', () => {
  const proves = device('proves', [['192.0.2.1']]);
  const claims = (locationId: string, id: string = locationId) =>
    device(id, [['192.0.2.1', 'operator']], { locationId });
  expect(identify([proves, claims('there')], '192.0.2.1')).toEqual(['proven', 'proves', 'radius']);
  expect(identify([proves, claims('here')], '192.0.2.1')).toEqual(['ambiguous', 'proves', 'here']);
  expect(identify([proves, claims('here'), claims('there')], '192.0.2.1')).toEqual(['ambiguous', 'proves', 'here']);
  expect(identify([claims('here'), claims('there')], '192.0.2.1')).toEqual(['ambiguous', 'here', 'there']);
  expect(identify([claims('there')], '192.0.2.1')).toEqual(['proven', 'there', 'operator']);
  const twins = [proves, device('twin', [['192.0.2.1', 'radsec']], { locationId: 'there' })];
  expect(identify(twins, '192.0.2.1')).toEqual(['ambiguous', 'proves', 'twin']);
});

test('a line of an address that more than twenty devices share is unknown', () => {
  const sharing = (count: number) =>
    Array.from({ length: count }, (_, n) => device(`device${n}`, [['192.0.2.1', 'operator']]));
  expect(identify(sharing(20), '192.0.2.1')).toHaveLength(21);
  expect(identify(sharing(21), '192.0.2.1')).toEqual(['unknown']);
});

test('a serial number that two devices have names both, wherever the line comes from', () => {
  const serial = 'FVE6035FD3AE3';
  const all = [device('one', [['192.0.2.1']], { serial }), device('two', [['192.0.2.2']], { serial })];
  const line = `<142>May 10 15:19:06 Firebox ${serial} (2024-01-10T09:49:05) firewall[10]: Allow`;
  expect(identify(all, '198.51.100.1', line)).toEqual(['ambiguous', 'one', 'two']);
  expect(identify(all, '192.0.2.2', line)).toEqual(['proven', 'two', 'radius']);
  expect(identify(all.slice(1), '198.51.100.1', line)).toEqual(['unproven', 'two']);
});

test('devices are found by name, certificate, id and address, until they are replaced', () => {
  const senders = createSenders();
  senders.replace([
    device('one', [['192.0.2.1'], ['192.0.2.3']], { nasIdentifier: 'aaaaaaaa', certificates: ['ab', 'cd'] }),
    device('two', [['192.0.2.3']], { nasIdentifier: 'bbbbbbbb' }),
  ]);
  const found = () => [
    ...[senders.byName('aaaaaaaa'), senders.byName('one'), senders.byCertificate('cd'), senders.byCertificate('ef')],
    ...[senders.byDevice('two'), senders.byDevice('three'), senders.at('192.0.2.1'), senders.at('192.0.2.3')],
    senders.at('192.0.2.9'),
  ];
  expect(found().map(it => it?.deviceId)).toEqual([
    ...['one', undefined, 'one', undefined],
    ...['two', undefined, 'one', undefined],
    undefined,
  ]);
  senders.replace([]);
  expect(found().filter(it => it !== undefined)).toEqual([]);
});
