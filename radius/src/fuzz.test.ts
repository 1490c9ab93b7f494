import { describe, expect, it } from 'vitest';
import { attribute, code, vendor } from './attributes.ts';
import { address, encodeRequest, integer, octets, text, vendorText } from './encode.ts';
import {
  asText,
  decode,
  readAddress,
  readAll,
  readInteger,
  readText,
  readVendorInteger,
  readVendorText,
} from './packet.ts';
import { hidePassword, isChapAnswer, revealPassword } from './password.ts';
import { checkMessageAuthenticator, isReplyAuthentic, isRequestAuthentic } from './verify.ts';

const secret = Buffer.from('a secret of the device');

// Mulberry32, with a seed so that a failure can be reproduced.
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const authenticator = Buffer.alloc(16, 5);
const wellFormed = [1, 4, 12, 40, 43].map(kind =>
  encodeRequest({
    code: kind,
    id: 3,
    authenticator,
    secret,
    attributes: [
      text(attribute['User-Name'], 'guest'),
      octets(attribute['User-Password'], hidePassword('s3cret', secret, authenticator)),
      octets(attribute['CHAP-Password'], Buffer.alloc(17, 1)),
      address(attribute['Framed-IP-Address'], '10.5.50.9'),
      integer(attribute['Acct-Input-Octets'], 77),
      vendorText(vendor.mikrotik, 8, '1M/1M'),
    ],
  }),
);

const useAll = (datagram: Buffer): string => {
  const packet = decode(datagram);
  if (typeof packet === 'string') return packet;
  checkMessageAuthenticator(packet, secret);
  isRequestAuthentic(packet, secret);
  isReplyAuthentic(packet, { id: 3, authenticator }, secret);
  revealPassword(packet, secret);
  isChapAnswer(packet, 'x');
  readText(packet, 1);
  readInteger(packet, 42);
  readAddress(packet, 8);
  readAll(packet, 26);
  readVendorText(packet, vendor.mikrotik, 8);
  readVendorInteger(packet, vendor.wispr, 7);
  return 'packet';
};

describe('decode', () => {
  it('never throws on 200,000 random and mutated datagrams', () => {
    const next = random(20260401);
    const below = (n: number) => Math.floor(next() * n);
    const seen = new Map<string, number>();
    for (let round = 0; round < 200_000; round += 1) {
      let datagram: Buffer;
      if (round % 4 === 0) {
        datagram = Buffer.alloc(below(90));
        for (let i = 0; i < datagram.length; i += 1) datagram[i] = below(256);
        if (datagram.length > 3 && round % 8 === 0) datagram.writeUInt16BE(datagram.length, 2);
      } else {
        datagram = Buffer.from(wellFormed[below(wellFormed.length)] as Buffer);
        for (let changes = 1 + below(4); changes > 0; changes -= 1) datagram[below(datagram.length)] = below(256);
        if (round % 16 === 1) datagram = datagram.subarray(0, below(datagram.length));
      }
      const outcome = useAll(datagram);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    for (const outcome of ['packet', 'truncated', 'overlong', 'bad_length', 'bad_attribute'])
      expect(seen.get(outcome), outcome).toBeGreaterThan(10);
  });

  it('returns the reason for an invalid packet', () => {
    const good = wellFormed[0] as Buffer;
    const altered = (change: (copy: Buffer) => void): Buffer => {
      const copy = Buffer.from(good);
      change(copy);
      return copy;
    };
    expect(decode(Buffer.alloc(0))).toBe('truncated');
    expect(decode(good.subarray(0, 19))).toBe('truncated');
    expect(decode(good.subarray(0, good.length - 1))).toBe('truncated');
    expect(decode(Buffer.alloc(4097))).toBe('overlong');
    expect(decode(altered(copy => copy.writeUInt16BE(4097, 2)))).toBe('overlong');
    expect(decode(altered(copy => copy.writeUInt16BE(19, 2)))).toBe('bad_length');
    expect(decode(altered(copy => (copy[39] = 1)))).toBe('bad_attribute');
    expect(decode(altered(copy => (copy[39] = 255)))).toBe('bad_attribute');
    expect(decode(altered(copy => (copy[21] = 17)))).toBe('bad_message_authenticator');
    const twice = encodeRequest({ code: 1, id: 1, secret, attributes: [octets(80, Buffer.alloc(16))] });
    expect(decode(twice)).toBe('repeated_message_authenticator');
  });

  it('ignores padding after the packet', () => {
    const packet = decode(Buffer.concat([wellFormed[1] as Buffer, Buffer.alloc(9)]));
    if (typeof packet === 'string') throw new Error(packet);
    expect(isRequestAuthentic(packet, secret)).toBe(true);
    expect(packet.code).toBe(code['Accounting-Request']);
  });

  it('returns text that PostgreSQL can store', () => {
    expect(asText(Buffer.from('a\0b'))).toBe('a\uFFFDb');
    expect(asText(Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80]))).not.toMatch(/[\0\uD800-\uDFFF]/);
  });
});
