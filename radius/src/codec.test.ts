import { describe, expect, it } from 'vitest';
import { attribute, code, vendor } from './attributes.ts';
import { address, encodeReply, encodeRequest, integer, octets, text, vendorText } from './encode.ts';
import {
  asAddress,
  asInteger,
  asIpv6,
  asIpv6Prefix,
  asText,
  decode,
  type Packet,
  readInteger,
  readOctets,
  readVendorOctets,
} from './packet.ts';
import { checkMessageAuthenticator, isReplyAuthentic } from './verify.ts';

const secret = Buffer.from('xyzzy5461');
/** A datagram of these attributes, whose Length field says `length`. */
const datagram = (attributes: Buffer, length = 20 + attributes.length): Buffer => {
  const head = Buffer.alloc(20, 7);
  head[0] = 4;
  head.writeUInt16BE(length, 2);
  return Buffer.concat([head, attributes]);
};
const packetOf = (bytes: Buffer): Packet => {
  const packet = decode(bytes);
  if (typeof packet === 'string') throw new Error(packet);
  return packet;
};
const messageAuthenticator = Buffer.from([80, 18, ...Array<number>(16).fill(1)]);
/** Attributes that fill a packet up to so many bytes. */
const filling = (bytes: number): Buffer => {
  const parts: Buffer[] = [];
  for (let left = bytes; left > 0; ) {
    const size = left > 253 + 2 ? 253 : left - 2;
    parts.push(octets(attribute.Class, Buffer.alloc(size)));
    left -= size + 2;
  }
  return Buffer.concat(parts);
};

describe('a datagram', () => {
  it('of the shortest and of the longest length is a packet', () => {
    expect(packetOf(datagram(Buffer.alloc(0)))).toMatchObject({
      code: 4,
      id: 7,
      fields: [],
      messageAuthenticatorAt: -1,
    });
    const longest = datagram(filling(4076));
    expect(longest).toHaveLength(4096);
    expect(packetOf(longest).bytes).toBe(longest);
  });

  it.each([
    ['shorter than a head', Buffer.alloc(19), 'truncated'],
    ['empty', Buffer.alloc(0), 'truncated'],
    ['longer than a packet', Buffer.alloc(4097), 'overlong'],
    ['that says to be shorter than a head', datagram(Buffer.alloc(0), 19), 'bad_length'],
    ['that says to be longer than a packet', datagram(Buffer.alloc(0), 4097), 'overlong'],
    ['that says to be longer than it is', datagram(Buffer.alloc(0), 21), 'truncated'],
    ['with half of an attribute', datagram(Buffer.from([1])), 'bad_attribute'],
    ['with an attribute of one byte', datagram(Buffer.from([1, 1, 1])), 'bad_attribute'],
    ['with an attribute beyond its end', datagram(Buffer.from([1, 4, 1])), 'bad_attribute'],
    ['with a short Message-Authenticator', datagram(Buffer.from([80, 3, 1])), 'bad_message_authenticator'],
    [
      'with two Message-Authenticators',
      datagram(Buffer.concat([messageAuthenticator, messageAuthenticator])),
      'repeated_message_authenticator',
    ],
  ] as const)('%s is refused', (_, bytes, why) => {
    expect(decode(bytes)).toBe(why);
  });

  it('is read without the padding behind its length', () => {
    const packet = packetOf(datagram(Buffer.from([1, 3, 65, 1, 1, 1]), 23));
    expect(packet.bytes).toHaveLength(23);
    expect(packet.fields).toEqual([1, 22, 1]);
  });

  it('may have an empty attribute, and one that ends with it', () => {
    const packet = packetOf(datagram(Buffer.from([1, 2, 25, 3, 9])));
    expect(packet.fields).toEqual([1, 22, 0, 25, 24, 1]);
    expect(readOctets(packet, 1)).toEqual(Buffer.alloc(0));
    expect(readOctets(packet, 25)).toEqual(Buffer.from([9]));
    expect(readOctets(packet, 26)).toBeUndefined();
    expect(packetOf(datagram(messageAuthenticator)).messageAuthenticatorAt).toBe(22);
  });
});

describe('a Vendor-Specific attribute', () => {
  const read = (...values: number[][]) =>
    readVendorOctets(packetOf(datagram(Buffer.concat(values.map(it => octets(26, Buffer.from(it)))))), 9, 2);

  it('has one or several attributes of its vendor', () => {
    expect(read([0, 0, 0, 9, 2, 3, 65])).toEqual(Buffer.from([65]));
    expect(read([0, 0, 0, 9, 1, 3, 64, 2, 4, 65, 66])).toEqual(Buffer.from([65, 66]));
    expect(read([0, 0, 0, 9, 2, 2])).toEqual(Buffer.alloc(0));
    expect(read([0, 0, 0, 9, 1, 3, 64, 2, 2])).toEqual(Buffer.alloc(0));
  });

  it('of another vendor or type is not read', () => {
    expect(read([0, 0, 0, 8, 2, 3, 65])).toBeUndefined();
    expect(read([0, 0, 0, 9, 3, 3, 65])).toBeUndefined();
    expect(read([0, 0, 0, 8, 2, 3, 65], [0, 0, 0, 9, 2, 3, 66])).toEqual(Buffer.from([66]));
  });

  it('with wrong lengths is skipped, and the next one is read', () => {
    const right = [0, 0, 0, 9, 2, 3, 66];
    for (const wrong of [
      [0, 0, 0],
      [0, 0, 0, 9],
      [0, 0, 0, 9, 2],
      [0, 0, 0, 9, 2, 1],
      [0, 0, 0, 9, 2, 0, 65],
      [0, 0, 0, 9, 2, 4, 65],
      [0, 0, 0, 9, 1, 3, 64, 2, 9, 65],
    ])
      expect(read(wrong, right), String(wrong)).toEqual(Buffer.from([66]));
  });
});

describe('the bytes of an attribute', () => {
  it('are text, in which what cannot be stored is replaced', () => {
    expect(asText(Buffer.from('Ayşe 🐝'))).toBe('Ayşe 🐝');
    expect(asText(Buffer.from('a\0b\0'))).toBe('a\uFFFDb\uFFFD');
    expect(asText(Buffer.from([65, 255]))).toBe('A\uFFFD');
    // U+FFFD has three bytes: 84 of them fit an attribute.
    expect(asText(Buffer.alloc(84, 255))).toBe('\uFFFD'.repeat(84));
    expect(asText(Buffer.alloc(253, 255))).toBe('\uFFFD'.repeat(84));
    expect(asText(Buffer.alloc(253))).toBe('\uFFFD'.repeat(84));
    expect(asText(Buffer.from(`${'a'.repeat(251)}ş`))).toBe(`${'a'.repeat(251)}ş`);
  });

  it('are a number or an IPv4 address only if there are four', () => {
    expect(asInteger(Buffer.from([0, 0, 1, 2]))).toBe(258);
    expect(asAddress(Buffer.from([10, 0, 1, 2]))).toBe('10.0.1.2');
    for (const length of [0, 3, 5]) {
      expect(asInteger(Buffer.alloc(length))).toBeUndefined();
      expect(asAddress(Buffer.alloc(length))).toBeUndefined();
    }
  });

  it('are an IPv6 address only if there are sixteen', () => {
    const bytes = Buffer.from('20010db80000000000000000000000ff', 'hex');
    expect(asIpv6(bytes)).toBe('2001:db8:0:0:0:0:0:ff');
    expect(asIpv6(bytes.subarray(1))).toBeUndefined();
    expect(asIpv6(Buffer.alloc(17))).toBeUndefined();
  });

  it.each([
    ['0038 20010db800000100', '2001:db8:0:100:0:0:0:0/56'],
    ['0038 20010db8000001', '2001:db8:0:100:0:0:0:0/56'],
    ['003c 20010db8000001ff', '2001:db8:0:1f0:0:0:0:0/60'],
    ['0038 20010db8000001ffff', '2001:db8:0:100:0:0:0:0/56'],
    ['0080 20010db80000000000000000000000ff', '2001:db8:0:0:0:0:0:ff/128'],
    ['007f 20010db80000000000000000000000ff', '2001:db8:0:0:0:0:0:fe/127'],
    ['0000', '0:0:0:0:0:0:0:0/0'],
    ['0001 ff', '8000:0:0:0:0:0:0:0/1'],
  ])('%s are the prefix %s', (hex, prefix) => {
    expect(asIpv6Prefix(Buffer.from(hex.replace(' ', ''), 'hex'))).toBe(prefix);
  });

  it.each(['', '00', '0081 20010db80000000000000000000000ff', '0038 20010db80000', '0001', `0040 ${'00'.repeat(17)}`])(
    '%s are no prefix',
    hex => {
      expect(asIpv6Prefix(Buffer.from(hex.replace(' ', ''), 'hex'))).toBeUndefined();
    },
  );
});

describe('an attribute', () => {
  it('holds up to 253 bytes, and a text as many whole characters as fit', () => {
    expect(octets(25, Buffer.alloc(253))).toHaveLength(255);
    expect(() => octets(25, Buffer.alloc(254))).toThrow('attribute 25 holds at most 253 bytes');
    expect(text(1, 'a'.repeat(253)).subarray(2).toString()).toBe('a'.repeat(253));
    expect(text(1, 'a'.repeat(254)).subarray(2).toString()).toBe('a'.repeat(253));
    expect(
      text(1, `${'a'.repeat(252)}ş`)
        .subarray(2)
        .toString(),
    ).toBe('a'.repeat(252));
    expect(
      text(1, `${'a'.repeat(251)}ş`)
        .subarray(2)
        .toString(),
    ).toBe(`${'a'.repeat(251)}ş`);
    expect(
      text(1, `${'a'.repeat(250)}🐝`)
        .subarray(2)
        .toString(),
    ).toBe('a'.repeat(250));
    expect(vendorText(vendor.mikrotik, 8, 'b'.repeat(248)).subarray(8).toString()).toBe('b'.repeat(247));
  });

  it('of a vendor has the numbers of vendor and type before its value', () => {
    expect([...vendorText(vendor.mikrotik, 8, 'ab')]).toEqual([26, 10, 0, 0, 0x3a, 0x8c, 8, 4, 97, 98]);
  });

  it.each([
    ['0.0.0.0', [0, 0, 0, 0]],
    ['255.255.255.255', [255, 255, 255, 255]],
    ['10.5.50.9', [10, 5, 50, 9]],
  ])('holds the address %s', (value, bytes) => {
    expect(address(8, value)).toEqual(Buffer.from([8, 6, ...bytes]));
  });

  it.each([
    '10.0.0.256',
    '10.0.0',
    '10.0.0.1.2',
    '10.0.0.x',
    '10.0.0.',
    '10.0.0.1x',
    'x1.0.0.1',
    '10.0.0.1000',
    '::1',
    '',
  ])('holds no other text as an address: %j', value => {
    expect(() => address(8, value)).toThrow('attribute 8 holds an IPv4 address');
  });

  it('holds a number within 32 bits', () => {
    const of = (value: number) => integer(27, value).readUInt32BE(2);
    expect([of(0), of(1.9), of(2 ** 32 - 1), of(2 ** 32), of(-1), of(Number.NaN)]).toEqual([
      0,
      1,
      2 ** 32 - 1,
      2 ** 32 - 1,
      0,
      0,
    ]);
  });
});

describe('a packet', () => {
  it('has up to 4096 bytes', () => {
    // The head and the Message-Authenticator take 38.
    const request = (bytes: number) => encodeRequest({ code: 1, id: 1, secret, attributes: [filling(bytes)] });
    expect(request(4058)).toHaveLength(4096);
    expect(() => request(4059)).toThrow('a packet holds at most 4096 bytes');
  });

  it('that answers accounting has no Message-Authenticator; every other answer has one', () => {
    const reply = (name: 'Accounting-Request' | 'Access-Request') => {
      const request = packetOf(encodeRequest({ code: code[name], id: 9, attributes: [], secret }));
      const made = packetOf(
        encodeReply(request, { code: 5, attributes: [integer(attribute['Session-Timeout'], 60)], secret }),
      );
      expect(isReplyAuthentic(made, request, secret)).toBe(true);
      expect(readInteger(made, attribute['Session-Timeout'])).toBe(60);
      return checkMessageAuthenticator(made, secret, request.authenticator);
    };
    expect(reply('Accounting-Request')).toBe('absent');
    expect(reply('Access-Request')).toBe('valid');
  });
});
