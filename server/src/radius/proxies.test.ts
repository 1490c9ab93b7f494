import { hash } from 'node:crypto';
import { attribute, code } from '@portico/radius/attributes.ts';
import { octets, text } from '@portico/radius/encode.ts';
import { decode } from '@portico/radius/packet.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { asSender, createProxyDirectory, forwarded, isForwardedBy, maySpeakFor, senderAmong } from './proxies.ts';
import { packetOf, packetSecret as secret } from './testing/packet-of.ts';
import type { RadiusDevice, RadiusProxy } from './types.ts';

const proxyOf = (more: Partial<RadiusProxy> = {}): RadiusProxy => ({
  ...{ id: 'p', tenantId: 't', address: '192.0.2.1', secret, requireMessageAuthenticator: false, locations: new Set() },
  ...more,
});
const stranger = proxyOf({ id: 'stranger', secret: Buffer.from('other') });
const name = text(attribute['User-Name'], 'elif');

describe('the proxies in memory', () => {
  afterEach(() => void vi.useRealTimers());

  test('are found by their address, read again every half minute, and stay while they cannot be read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let stored = [proxyOf(), proxyOf({ id: 'q' }), proxyOf({ id: 'r', address: '192.0.2.2' })];
    let isAway = false;
    const failures: string[] = [];
    const directory = await createProxyDirectory({
      listProxies: async () => {
        if (isAway) throw new Error('away');
        return stored;
      },
      failed: where => failures.push(where),
    });
    const at = (address: string) => directory.at(address).map(it => it.id);
    expect([at('192.0.2.1'), at('192.0.2.2'), at('192.0.2.3')]).toEqual([['p', 'q'], ['r'], []]);

    isAway = true;
    stored = [];
    await vi.advanceTimersByTimeAsync(30_000);
    expect([at('192.0.2.1'), failures]).toEqual([['p', 'q'], ['listProxies']]);
    isAway = false;
    await directory.reload();
    expect(at('192.0.2.1')).toEqual([]);

    stored = [proxyOf()];
    directory.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(at('192.0.2.1'), 'closed').toEqual([]);
  });
});

describe('a packet', () => {
  test('was forwarded by the proxy whose secret signed it', () => {
    for (const kind of ['Access-Request', 'Accounting-Request'] as const) {
      expect(isForwardedBy(packetOf([name], { kind }), proxyOf()), kind).toBe(true);
      expect(isForwardedBy(packetOf([name], { kind }), stranger), kind).toBe(false);
    }
  });

  test('without a signature was forwarded where it has the Proxy-State of one', () => {
    const unsigned = (...attributes: Buffer[]) => {
      const bytes = Buffer.concat([Buffer.alloc(20, 3), name, ...attributes]);
      bytes[0] = code['Access-Request'];
      bytes.writeUInt16BE(bytes.length, 2);
      const packet = decode(bytes);
      if (typeof packet === 'string') throw new Error(packet);
      return packet;
    };
    const forwarded = unsigned(octets(attribute['Proxy-State'], Buffer.from([1])));
    expect(isForwardedBy(forwarded, proxyOf())).toBe(true);
    expect(isForwardedBy(unsigned(), proxyOf())).toBe(false);
    expect(senderAmong(forwarded, [proxyOf()]), 'it proves no secret').toBeUndefined();
  });

  test('of accounting needs no Message-Authenticator: its authenticator proves the secret (RFC 2866 section 3)', () => {
    const bytes = Buffer.concat([
      Buffer.from([code['Accounting-Request'], 1, 0, 20 + name.length]),
      Buffer.alloc(16),
      name,
    ]);
    hash('md5', Buffer.concat([bytes, secret]), 'buffer').copy(bytes, 4);
    const packet = decode(bytes);
    if (typeof packet === 'string') throw new Error(packet);
    expect([isForwardedBy(packet, proxyOf()), isForwardedBy(packet, stranger)]).toEqual([true, false]);
    expect(senderAmong(packet, [stranger, proxyOf()])?.id).toBe('p');
  });

  test('comes from the proxy among those at its address whose secret signed it', () => {
    for (const kind of ['Status-Server', 'Accounting-Request'] as const) {
      const packet = packetOf([], { kind });
      expect(senderAmong(packet, [stranger, proxyOf()])?.id, kind).toBe('p');
      expect(senderAmong(packet, [stranger]), kind).toBeUndefined();
    }
  });

  test('is compared with 32 proxies at most, because any tenant may enter an address', () => {
    const packet = packetOf([], { kind: 'Status-Server' });
    const behind = (strangers: number) => [...Array.from({ length: strangers }, () => stranger), proxyOf()];
    expect(senderAmong(packet, behind(31))?.id).toBe('p');
    expect(senderAmong(packet, behind(32))).toBeUndefined();
  });
});

test('a proxy speaks for the devices of its tenant and of its locations only', () => {
  const device: RadiusDevice = { id: 'd', tenantId: 't', locationId: 'l', secret, requireMessageAuthenticator: false };
  const everywhere = proxyOf();
  const somewhere = proxyOf({ locations: new Set(['l']) });
  expect([everywhere, somewhere].map(it => maySpeakFor(it, device))).toEqual([true, true]);
  expect([everywhere, somewhere].map(it => maySpeakFor(it, { ...device, locationId: 'm' }))).toEqual([true, false]);
  expect(maySpeakFor(somewhere, { ...device, locationId: undefined })).toBe(false);
  for (const it of [everywhere, somewhere]) expect(maySpeakFor(it, { ...device, tenantId: 'u' })).toBe(false);
});

test('a forwarded request has its device with the secret of the proxy, and a status check the proxy itself', () => {
  const proxy = proxyOf({ secret: Buffer.from('of the proxy') });
  const device = { id: 'd', tenantId: 't', locationId: 'l', secret, requireMessageAuthenticator: true };
  expect(forwarded(device, proxy)).toEqual({
    ...{ id: 'd', tenantId: 't', locationId: 'l', secret: proxy.secret, requireMessageAuthenticator: false, proxy },
  });
  expect(asSender(proxy)).toEqual({
    ...{ id: 'p', tenantId: 't', secret: proxy.secret, requireMessageAuthenticator: true, proxy },
  });
});
