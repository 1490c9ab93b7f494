import { expect, test } from 'vitest';
import { createNetflowDecoder } from './netflow.ts';
import { fields, flow, ipfix, v9 } from './testing/netflow-packets.ts';

const out = flow('10.5.50.9', '142.250.1.1', 1200);
const back = flow('142.250.1.1', '10.5.50.9', 900_000);
const both = [
  { from: '10.5.50.9', to: '142.250.1.1', bytes: 1200 },
  { from: '142.250.1.1', to: '10.5.50.9', bytes: 900_000 },
];

test('NetFlow v9: flows are decoded by a template in the same or an earlier packet', () => {
  const decoder = createNetflowDecoder();
  expect(decoder.read('a', v9({ flows: [out] })), 'without a template').toEqual([]);
  expect(decoder.read('a', v9({ template: fields, flows: [out, back] }))).toEqual(both);
  expect(decoder.read('a', v9({ flows: [back] }))).toEqual([both[1]]);
  expect(decoder.read('b', v9({ flows: [back] })), 'the template of another router').toEqual([]);
  expect(decoder.read('a', v9({ flows: [back] }, 257)), 'another template id').toEqual([]);
});

test('NetFlow v5: flows have a fixed form', () => {
  const header = Buffer.alloc(24);
  header.writeUInt16BE(5, 0);
  header.writeUInt16BE(3, 2);
  const record = (from: number[], to: number[], bytes: number): Buffer => {
    const made = Buffer.alloc(48);
    Buffer.from([...from, ...to]).copy(made);
    made.writeUInt32BE(bytes, 20);
    return made;
  };
  const out5 = record([10, 5, 50, 9], [142, 250, 1, 1], 1200);
  // The header promises three records. The third is cut off.
  const packet = Buffer.concat([header, out5, record([142, 250, 1, 1], [10, 5, 50, 9], 900_000), out5.subarray(0, 40)]);
  expect(createNetflowDecoder().read('a', packet)).toEqual(both);
  expect(createNetflowDecoder().read('a', packet.subarray(0, 20))).toEqual([]);
});

test('a set that is longer than its packet is ignored, and so is what IPFIX has after its length', () => {
  const decoder = createNetflowDecoder();
  const whole = v9({ template: fields, flows: [out, back] });
  expect(decoder.read('a', whole)).toEqual(both);
  // The set of flows promises one more byte than came.
  expect(decoder.read('a', whole.subarray(0, whole.length - 1))).toEqual([]);
  const message = ipfix([{ from: '10.5.50.9', to: '1.2.3.4', bytes: 7n, name: 'short' }]);
  expect(decoder.read('a', Buffer.concat([message, v9({ flows: [out] }).subarray(20)]))).toHaveLength(1);
  const shorter = Buffer.from(message);
  shorter.writeUInt16BE(message.length - 1, 2);
  expect(decoder.read('a', shorter)).toEqual([]);
});

test('NetFlow v9: addresses may be IPv6, and those that map an IPv4 address are that', () => {
  const template = [
    [27, 16],
    [28, 16],
    [7, 2],
    [11, 2],
    [1, 4],
  ] as const;
  const record = (from: string, to: string): Buffer =>
    Buffer.concat([Buffer.from(from + to, 'hex'), Buffer.from([0xc3, 0x50, 1, 0xbb]), Buffer.from([0, 0, 4, 0xb0])]);
  const guest = '20010db8005000000000000000000023';
  const site = '2a001450400100000000000000000001';
  const mapped = `${'0'.repeat(20)}ffff`;
  const flows = [record(guest, site), record(`${mapped}0a053209`, `${mapped}8efa0101`)];
  expect(createNetflowDecoder().read('a', v9({ template, flows }))).toEqual([
    { from: '2001:db8:50::23', to: '2a00:1450:4001::1', bytes: 1200, fromPort: 50_000, toPort: 443 },
    { from: '10.5.50.9', to: '142.250.1.1', bytes: 1200 },
  ]);
});

test('IPFIX: elements of vendors and of variable length are skipped', () => {
  const decoder = createNetflowDecoder();
  const flows = [
    { from: '10.5.50.9', to: '1.2.3.4', bytes: 5_000_000_000n, name: 'short' },
    { from: '1.2.3.4', to: '10.5.50.9', bytes: 7n, name: 'x'.repeat(700) },
  ];
  expect(decoder.read('a', ipfix(flows))).toEqual(
    flows.map(({ from, to, bytes }) => ({ from, to, bytes: Number(bytes) })),
  );
  expect(decoder.read('a', ipfix([{ ...flows[0]!, bytes: 2n ** 63n }])), 'not a count of bytes').toEqual([]);
});

test('the number of templates is limited: the oldest is removed, and invalid ones are ignored', () => {
  const decoder = createNetflowDecoder(10);
  for (let id = 256; id < 1000; id++) decoder.read('a', v9({ template: fields }, id));
  expect(decoder.templates()).toBe(10);
  const none = createNetflowDecoder();
  none.read('a', v9({ template: [] }));
  none.read('a', v9({ template: Array.from({ length: 101 }, () => [8, 4] as const) }));
  none.read('a', v9({ template: fields }, 255));
  expect(none.templates()).toBe(0);
  none.read('a', v9({ template: [[8, 0]], flows: [out] }));
  expect(none.read('a', v9({ flows: [out] }))).toEqual([]);
});

test('random packets neither throw nor take long', () => {
  const decoder = createNetflowDecoder(50);
  // A seeded generator, so that a failure can be reproduced.
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const whole = [
    v9({ template: fields, flows: [out, back] }),
    ipfix([{ from: '10.0.0.1', to: '1.1.1.1', bytes: 9n, name: 'n' }]),
  ];
  for (let round = 0; round < 50_000; round++) {
    const packet = Buffer.from(whole[round % 2]!);
    for (let i = random(6); i >= 0; i--) packet[random(packet.length)] = random(256);
    const flows = decoder.read('a', packet.subarray(0, random(packet.length + 1)));
    expect(flows.length).toBeLessThan(50);
  }
  for (let round = 0; round < 5000; round++)
    decoder.read(
      'a',
      Buffer.from(
        Array.from({ length: random(200) }, (_, i) => (i === 0 ? 0 : i === 1 ? 9 + (round % 2) : random(256))),
      ),
    );
  expect(decoder.templates()).toBeLessThanOrEqual(50);
});
