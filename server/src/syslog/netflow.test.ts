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

test('NetFlow v5: flows without bytes do not count, nor more than thirty', () => {
  const made = (count: number, bytes: (n: number) => number): Buffer => {
    const packet = Buffer.alloc(24 + count * 48);
    packet.writeUInt16BE(5, 0);
    packet.writeUInt16BE(count, 2);
    for (let n = 0; n < count; n++) packet.writeUInt32BE(bytes(n), 24 + n * 48 + 20);
    return packet;
  };
  const { read } = createNetflowDecoder();
  expect(
    read(
      'a',
      made(3, n => n),
    ).map(it => it.bytes),
  ).toEqual([1, 2]);
  expect(
    read(
      'a',
      made(31, () => 1),
    ),
  ).toHaveLength(30);
  expect(
    read(
      'a',
      made(0, () => 1),
    ),
  ).toEqual([]);
});

test('other versions, and headers that are cut, have no flows', () => {
  const packet = v9({ template: fields, flows: [out] });
  for (const version of [0, 1, 8, 11]) {
    const other = Buffer.from(packet);
    other.writeUInt16BE(version, 0);
    expect(createNetflowDecoder().read('a', other), String(version)).toEqual([]);
  }
  for (const length of [0, 1, 15, 16, 19, 20]) {
    expect(createNetflowDecoder().read('a', packet.subarray(0, length)), String(length)).toEqual([]);
  }
});

test('a count of bytes has 1 to 8 bytes, and at most 16 TiB', () => {
  const bytesOf = (length: number, value: bigint) => {
    const count = Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
    const flows = [Buffer.concat([Buffer.from([10, 5, 50, 9, 1, 2, 3, 4]), count, Buffer.alloc(4)])];
    const template = [...addresses, [1, length], [2, 4]] as const;
    return createNetflowDecoder()
      .read('a', v9({ template, flows }))
      .map(it => it.bytes);
  };
  expect(bytesOf(1, 9n)).toEqual([9]);
  expect(bytesOf(8, 2n ** 44n)).toEqual([2 ** 44]);
  expect(bytesOf(8, 2n ** 44n + 1n)).toEqual([]);
  expect(bytesOf(9, 9n)).toEqual([]);
  expect(bytesOf(4, 0n)).toEqual([]);
});

const addresses = [
  [8, 4],
  [12, 4],
] as const;

test('a flow needs both addresses in their own length', () => {
  const read = (template: readonly (readonly [number, number])[]) => {
    const length = template.reduce((sum, [, bytes]) => sum + bytes, 0);
    return createNetflowDecoder().read('a', v9({ template, flows: [Buffer.alloc(length, 1)] }));
  };
  expect(read([...addresses, [1, 4]])).toHaveLength(1);
  for (const [from, to] of [
    [
      [8, 4],
      [12, 16],
    ],
    [
      [8, 16],
      [12, 4],
    ],
    [
      [27, 4],
      [28, 16],
    ],
    [
      [27, 16],
      [28, 4],
    ],
    [
      [8, 4],
      [10, 4],
    ],
    [
      [10, 4],
      [12, 4],
    ],
  ] as const)
    expect(read([from, to, [1, 4]]), `${from} ${to}`).toEqual([]);
});

test('ports of IPv6 are told both or not at all', () => {
  const read = (...ports: readonly (readonly [number, number])[]) => {
    const template = [[27, 16], [28, 16], ...ports, [1, 4]] as const;
    return createNetflowDecoder().read('a', v9({ template, flows: [Buffer.alloc(36 + ports.length * 2, 1)] }));
  };
  expect(read([7, 2], [11, 2])).toMatchObject([{ fromPort: 257, toPort: 257 }]);
  for (const port of [7, 11]) expect(Object.keys(read([port, 2])[0]!)).toEqual(['from', 'to', 'bytes']);
});

test('a packet has at most 2,000 flows, of all its sets together', () => {
  const decoder = createNetflowDecoder();
  const template = [...addresses, [1, 4]] as const;
  decoder.read('a', v9({ template }));
  const sets = (...counts: number[]) =>
    Buffer.concat(
      counts.map((count, n) => {
        const packet = v9({ flows: Array.from({ length: count }, () => Buffer.alloc(12, 1)) });
        return n === 0 ? packet : packet.subarray(20);
      }),
    );
  expect(decoder.read('a', sets(2000))).toHaveLength(2000);
  expect(decoder.read('a', sets(2001))).toHaveLength(2000);
  expect(decoder.read('a', sets(1500, 1500))).toHaveLength(2000);
});

test('a template has at most a hundred fields, and as many as it says', () => {
  const decoder = createNetflowDecoder();
  decoder.read('a', v9({ template: Array.from({ length: 100 }, () => [8, 4] as const) }));
  expect(decoder.templates()).toBe(1);
  const cut = v9({ template: fields }, 300);
  cut.writeUInt16BE(fields.length + 1, 26);
  decoder.read('a', cut);
  expect(decoder.templates()).toBe(1);
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
