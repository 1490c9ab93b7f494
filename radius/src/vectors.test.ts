import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { attribute, code, codeName, vendor, wispr } from './attributes.ts';
import { address, encodeReply, encodeRequest, integer, octets, text, vendorInteger, vendorText } from './encode.ts';
import {
  decode,
  type Packet,
  readAddress,
  readAll,
  readInteger,
  readOctets,
  readText,
  readVendorInteger,
  readVendorText,
} from './packet.ts';
import { chapAttributes, hidePassword, isChapAnswer, isSamePassword, revealPassword } from './password.ts';
import { checkMessageAuthenticator, isReplyAuthentic, isRequestAuthentic } from './verify.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
const packetOf = (datagram: Buffer): Packet => {
  const packet = decode(datagram);
  if (typeof packet === 'string') throw new Error(packet);
  return packet;
};
const secret = Buffer.from('xyzzy5461');

describe('RFC 2865 section 7.1: PAP', () => {
  const request = packetOf(
    bytes(`01 00 00 38 0f 40 3f 94 73 97 80 57 bd 83 d5 cb 98 f4 22 7a 01 06 6e 65 6d 6f 02 12 0d be 70 8d
           93 d4 13 ce 31 96 e4 3f 78 2a 0a ee 04 06 c0 a8 01 10 05 06 00 00 00 03`),
  );
  const reply = packetOf(
    bytes(`02 00 00 26 86 fe 22 0e 76 24 ba 2a 10 05 f6 bf 9b 55 e0 b2 06 06 00 00 00 01 0f 06 00 00 00 00
           0e 06 c0 a8 01 03`),
  );

  it('reads the request', () => {
    expect(codeName(request.code)).toBe('Access-Request');
    expect(readText(request, attribute['User-Name'])).toBe('nemo');
    expect(readAddress(request, attribute['NAS-IP-Address'])).toBe('192.168.1.16');
    expect(readInteger(request, attribute['NAS-Port'])).toBe(3);
    expect(checkMessageAuthenticator(request, secret)).toBe('absent');
  });

  it('reveals and hides the password', () => {
    const password = revealPassword(request, secret) as Buffer;
    expect(password.toString()).toBe('arctangent');
    expect(isSamePassword(password, 'arctangent')).toBe(true);
    expect(isSamePassword(password, 'arctangenT')).toBe(false);
    expect(hidePassword('arctangent', secret, request.authenticator)).toEqual(
      readOctets(request, attribute['User-Password']),
    );
  });

  it('verifies the reply and rejects an altered one', () => {
    expect(isReplyAuthentic(reply, request, secret)).toBe(true);
    expect(isReplyAuthentic(reply, request, Buffer.from('xyzzy5462'))).toBe(false);
    for (let i = 0; i < reply.bytes.length; i += 1) {
      const altered = Buffer.from(reply.bytes);
      altered[i] = (altered[i] as number) ^ 1;
      const packet = decode(altered);
      expect(typeof packet === 'string' || !isReplyAuthentic(packet, request, secret)).toBe(true);
    }
  });
});

describe('RFC 2865 section 7.2: CHAP', () => {
  const request = packetOf(
    bytes(`01 01 00 47 2a ee 86 f0 8d 0d 55 96 9c a5 97 8e 0d 33 67 a2 01 08 66 6c 6f 70 73 79 03 13 16 e9
           75 57 c3 16 18 58 95 f2 93 ff 63 44 07 72 75 04 06 c0 a8 01 10 05 06 00 00 00 14 06 06 00 00 00
           02 07 06 00 00 00 01`),
  );
  const reply = packetOf(
    bytes(`02 01 00 38 15 ef bc 7d ab 26 cf a3 dc 34 d9 c0 3c 86 01 a4 06 06 00 00 00 02 07 06 00 00 00 01
           08 06 ff ff ff fe 0a 06 00 00 00 02 0d 06 00 00 00 01 0c 06 00 00 05 dc`),
  );

  it('checks the response against the request authenticator', () => {
    expect(readText(request, attribute['User-Name'])).toBe('flopsy');
    expect(isChapAnswer(request, 'arctangent')).toBe(true);
    expect(isChapAnswer(request, 'arctangents')).toBe(false);
    expect(isReplyAuthentic(reply, request, secret)).toBe(true);
  });
});

describe('round trips', () => {
  const attributes = [
    text(attribute['User-Name'], 'Ayşe 🐝'),
    integer(attribute['Session-Timeout'], 4_294_967_295),
    integer(attribute['Idle-Timeout'], 9e12),
    address(attribute['Framed-IP-Address'], '10.5.50.9'),
    vendorText(vendor.mikrotik, 8, '2M/8M'),
    vendorInteger(vendor.wispr, wispr['Bandwidth-Max-Down'], 8_000_000),
  ];

  it.each(['Access-Request', 'Accounting-Request', 'Disconnect-Request', 'CoA-Request', 'Status-Server'] as const)(
    '%s',
    name => {
      const packet = packetOf(encodeRequest({ code: code[name], id: 7, attributes, secret }));
      expect(checkMessageAuthenticator(packet, secret)).toBe('valid');
      expect(checkMessageAuthenticator(packet, Buffer.from('other'))).toBe('invalid');
      if (name !== 'Access-Request' && name !== 'Status-Server') {
        expect(isRequestAuthentic(packet, secret)).toBe(true);
        expect(isRequestAuthentic(packet, Buffer.from('other'))).toBe(false);
      }
      expect(readText(packet, attribute['User-Name'])).toBe('Ayşe 🐝');
      expect(readInteger(packet, attribute['Session-Timeout'])).toBe(4_294_967_295);
      expect(readInteger(packet, attribute['Idle-Timeout'])).toBe(4_294_967_295);
      expect(readAddress(packet, attribute['Framed-IP-Address'])).toBe('10.5.50.9');
      expect(readVendorText(packet, vendor.mikrotik, 8)).toBe('2M/8M');
      expect(readVendorInteger(packet, vendor.wispr, 8)).toBe(8_000_000);
      expect(readVendorText(packet, 1, 8)).toBeUndefined();
    },
  );

  it('puts the Message-Authenticator first in a reply and returns Proxy-State in order', () => {
    const states = [Buffer.from([33, 3, 1]), Buffer.from([33, 4, 2, 2])];
    const request = packetOf(encodeRequest({ code: code['Access-Request'], id: 9, attributes: states, secret }));
    const reply = packetOf(encodeReply(request, { code: code['Access-Reject'], attributes: [], secret }));
    expect(reply.fields[0]).toBe(attribute['Message-Authenticator']);
    expect(isReplyAuthentic(reply, request, secret)).toBe(true);
    expect(readAll(reply, attribute['Proxy-State']).map(one => one.length)).toEqual([1, 2]);
    expect(checkMessageAuthenticator(reply, secret, request.authenticator)).toBe('valid');
  });

  it('refuses a reply with another id, or a wrong Message-Authenticator under a right Response Authenticator', () => {
    const request = packetOf(encodeRequest({ code: code['Access-Request'], id: 9, attributes: [], secret }));
    const forged = (name: 'Access-Accept' | 'Accounting-Response') => {
      const made = Buffer.from(encodeReply(request, { code: code[name], attributes: [], secret }));
      const at = packetOf(made).messageAuthenticatorAt;
      made.writeUInt8(made[at]! ^ 1, at);
      request.authenticator.copy(made, 4);
      hash('md5', Buffer.concat([made, secret]), 'buffer').copy(made, 4);
      return packetOf(made);
    };
    expect(isReplyAuthentic(forged('Access-Accept'), request, secret)).toBe(false);
    // No RFC defines the attribute there, so it is ignored.
    expect(isReplyAuthentic(forged('Accounting-Response'), request, secret)).toBe(true);
    const reply = packetOf(encodeReply(request, { code: code['Access-Accept'], attributes: [], secret }));
    expect(isReplyAuthentic(reply, request, secret)).toBe(true);
    expect(isReplyAuthentic(reply, { ...request, id: 10 }, secret)).toBe(false);
    expect(isReplyAuthentic(reply, request, Buffer.from('other'))).toBe(false);
  });

  it('hides and reveals passwords of every length up to 128 bytes', () => {
    for (let length = 0; length <= 128; length += 1) {
      const password = 'ğ'.repeat(64).slice(0, length >> 1) + (length % 2 ? 'a' : '');
      const authenticator = Buffer.alloc(16, length);
      const hidden = hidePassword(password, secret, authenticator);
      const request = packetOf(
        encodeRequest({
          code: code['Access-Request'],
          id: 1,
          authenticator,
          secret,
          attributes: [Buffer.concat([Buffer.from([2, hidden.length + 2]), hidden])],
        }),
      );
      expect(revealPassword(request, secret)?.toString()).toBe(password);
    }
    expect(() => hidePassword('a'.repeat(129), secret, Buffer.alloc(16))).toThrow(RangeError);
  });

  const requestWith = (attributes: Buffer[]): Packet => packetOf(encodeRequest({ code: 1, id: 1, secret, attributes }));

  it('refuses a password of a wrong length, and an empty one', () => {
    for (const length of [0, 1, 15, 17, 127, 144]) {
      const request = requestWith([octets(attribute['User-Password'], Buffer.alloc(length, 1))]);
      expect(revealPassword(request, secret), String(length)).toBeUndefined();
    }
    expect(revealPassword(requestWith([]), secret)).toBeUndefined();
  });

  it('proves a password by CHAP with a challenge of its own; an answer of another length proves none', () => {
    const [answer, challenge] = chapAttributes('gizli ş') as [Buffer, Buffer];
    expect(isChapAnswer(requestWith([answer, challenge]), 'gizli ş')).toBe(true);
    expect(isChapAnswer(requestWith([answer, challenge]), 'gizli s')).toBe(false);
    expect(isChapAnswer(requestWith([answer]), 'gizli ş')).toBe(false);
    expect(chapAttributes('gizli ş')[1]).not.toEqual(challenge);
    for (const length of [0, 16, 18])
      expect(isChapAnswer(requestWith([octets(attribute['CHAP-Password'], Buffer.alloc(length))]), '')).toBe(false);
    expect(isChapAnswer(requestWith([]), '')).toBe(false);
  });

  it('cuts a long text after a whole character and throws for other values that do not fit', () => {
    const packet = packetOf(
      encodeRequest({ code: 1, id: 1, secret, attributes: [text(attribute['Reply-Message'], 'ş'.repeat(200))] }),
    );
    expect(readText(packet, attribute['Reply-Message'])).toBe('ş'.repeat(126));
    const large = Array.from({ length: 17 }, () => text(attribute.Class, 'c'.repeat(253)));
    expect(() => encodeRequest({ code: 1, id: 1, secret, attributes: large })).toThrow(RangeError);
    expect(() => address(8, '10.0.0.256')).toThrow(RangeError);
    expect(() => address(8, '10.0.0')).toThrow(RangeError);
  });
});
