import { hash } from 'node:crypto';
import { attribute, code } from '@portico/radius/attributes.ts';
import { encodeRequest, octets, text } from '@portico/radius/encode.ts';
import { decode, type Packet } from '@portico/radius/packet.ts';
import { describe, expect, test } from 'vitest';
import { judge } from './trust.ts';
import type { RadiusDevice } from './types.ts';

const secret = Buffer.from('testing123');
const device: RadiusDevice = { id: 'd', tenantId: 't', secret, requireMessageAuthenticator: false };
const strict = { ...device, requireMessageAuthenticator: true };
const proxied: RadiusDevice = {
  ...device,
  proxy: {
    id: 'p',
    tenantId: 't',
    address: undefined,
    secret,
    requireMessageAuthenticator: false,
    locations: new Set(),
  },
};
const name = text(attribute['User-Name'], 'elif');
const proxyState = octets(attribute['Proxy-State'], Buffer.from([1]));

const packetOf = (bytes: Buffer): Packet => {
  const packet = decode(bytes);
  if (typeof packet === 'string') throw new Error(packet);
  return packet;
};
const signed = (kind: keyof typeof code, by = secret) =>
  packetOf(encodeRequest({ code: code[kind], id: 1, secret: by, attributes: [name] }));
/** Without Message-Authenticator. */
const unsigned = (kind: keyof typeof code, ...attributes: Buffer[]) => {
  const bytes = Buffer.concat([Buffer.alloc(20, 3), name, ...attributes]);
  bytes[0] = code[kind];
  bytes.writeUInt16BE(bytes.length, 2);
  return packetOf(bytes);
};

describe('an Access-Request', () => {
  test('with a right Message-Authenticator proves that the sender knows the secret', () => {
    expect(judge(signed('Access-Request'), device)).toBe('proven');
    expect(judge(signed('Access-Request', Buffer.from('other')), device)).toBe('wrong_message_authenticator');
  });

  test('without one proves nothing, and is dropped where the router sent one before', () => {
    expect(judge(unsigned('Access-Request'), device)).toBe('unproven');
    expect(judge(unsigned('Access-Request'), strict)).toBe('no_message_authenticator');
  });

  test('without one is dropped with EAP', () => {
    const eap = octets(attribute['EAP-Message'], Buffer.alloc(0));
    expect(judge(unsigned('Access-Request', eap), device)).toBe('no_message_authenticator');
  });

  test('without one is dropped with a Proxy-State, unless it came from a proxy or through TLS', () => {
    expect(judge(unsigned('Access-Request', proxyState), device)).toBe('unsigned_proxy_state');
    expect(judge(unsigned('Access-Request', proxyState), device, true)).toBe('unproven');
    expect(judge(unsigned('Access-Request', proxyState), proxied)).toBe('unproven');
  });
});

test('a Status-Server needs a Message-Authenticator', () => {
  expect(judge(signed('Status-Server'), device)).toBe('proven');
  expect(judge(unsigned('Status-Server'), device)).toBe('no_message_authenticator');
});

test('accounting is proven by its authenticator alone', () => {
  expect(judge(signed('Accounting-Request'), device)).toBe('proven');
  expect(judge(signed('Accounting-Request', Buffer.from('other')), device)).toBe('wrong_authenticator');
  const plain = Buffer.from(unsigned('Accounting-Request').bytes);
  plain.fill(0, 4, 20);
  hash('md5', Buffer.concat([plain, secret]), 'buffer').copy(plain, 4);
  expect(judge(packetOf(plain), strict)).toBe('proven');
});
