import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RadiusProxy, UnknownDevice } from './types.ts';
import { createUnknownDevices, type StrangePacket } from './unknown-devices.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const at = new Date('2026-11-28T10:00:00Z');
const proxy: RadiusProxy = {
  ...{ id: 'p', tenantId: 't', address: undefined, secret: Buffer.from('s') },
  ...{ requireMessageAuthenticator: false, locations: new Set() },
};

function start(handle?: (batch: readonly UnknownDevice[]) => void) {
  const batches: (readonly UnknownDevice[])[] = [];
  const failures: string[] = [];
  const { heard, close } = createUnknownDevices({
    unknownDevices: async batch => {
      batches.push(batch);
      handle?.(batch);
    },
    failed: (where, error) => failures.push(`${where}: ${(error as Error).message}`),
  });
  const hear = (more: Partial<StrangePacket> = {}) =>
    heard({ sourceIp: '192.0.2.1', nasIdentifier: 'nas', proxy: undefined, at, ...more });
  return { batches, failures, hear, close };
}

describe('packets of unknown devices', () => {
  test('of one name and address are reported together after five seconds', async () => {
    const { batches, hear } = start();
    hear();
    hear({ at: new Date(at.getTime() + 1000) });
    hear({ sourceIp: '192.0.2.2', proxy });
    await vi.advanceTimersByTimeAsync(4999);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const lastAt = new Date(at.getTime() + 1000);
    expect(batches).toEqual([
      [
        { sourceIp: '192.0.2.1', nasIdentifier: 'nas', proxy: undefined, packets: 2, firstAt: at, lastAt },
        {
          ...{ sourceIp: '192.0.2.2', nasIdentifier: 'nas', packets: 1, firstAt: at, lastAt: at },
          proxy: { id: 'p', tenantId: 't' },
        },
      ],
    ]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(batches, 'nothing came since').toHaveLength(1);
    hear();
    await vi.advanceTimersByTimeAsync(5000);
    expect(batches[1]).toMatchObject([{ packets: 1 }]);
  });

  test('that are left are reported when the listener closes', async () => {
    const { batches, hear, close } = start();
    hear();
    await close();
    expect(batches).toHaveLength(1);
    await close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(batches).toHaveLength(1);
  });

  test('that cannot be reported are told, and later ones are reported again', async () => {
    let isAway = true;
    const { batches, failures, hear, close } = start(() => {
      if (isAway) throw new Error('away');
    });
    hear();
    await close();
    expect(failures).toEqual(['unknownDevices: away']);
    isAway = false;
    hear();
    await close();
    expect(batches[1]).toMatchObject([{ packets: 1 }]);
  });
});

describe('the name of an unknown device', () => {
  const shownOf = async (nasIdentifier: string | undefined) => {
    const { batches, hear, close } = start();
    hear({ nasIdentifier });
    await close();
    return batches[0]![0]!.nasIdentifier;
  };

  test('is shown without characters that change the text around it', async () => {
    expect(await shownOf('Otel Çınar-2 a.b_c:d@e')).toBe('Otel Çınar-2 a.b_c:d@e');
    expect(await shownOf('a/b"c<d>\u202Ee\u0007')).toBe('a?b?c?d??e?');
    expect(await shownOf('  nas ')).toBe('nas');
    expect(await shownOf(undefined)).toBe('');
  });

  test('is shown up to 64 characters', async () => {
    expect(await shownOf('n'.repeat(64))).toBe('n'.repeat(64));
    expect(await shownOf('n'.repeat(65))).toBe('n'.repeat(64));
  });
});

describe('many names', () => {
  const names = async (packets: readonly Partial<StrangePacket>[]) => {
    const { batches, hear, close } = start();
    packets.forEach(hear);
    await close();
    return batches[0]!;
  };
  const many = (count: number, more: (n: number) => Partial<StrangePacket> = () => ({})) =>
    Array.from({ length: count }, (_, n) => ({ nasIdentifier: `nas ${n}`, ...more(n) }));

  test('are five of an address, and of an IPv6 /64; a known one still counts', async () => {
    const found = await names([...many(9), ...many(9)]);
    expect(found.map(it => [it.nasIdentifier, it.packets])).toEqual([0, 1, 2, 3, 4].map(n => [`nas ${n}`, 2]));
    expect(await names(many(9, n => ({ sourceIp: `2001:db8::${n}` })))).toHaveLength(5);
    expect(await names(many(9, n => ({ sourceIp: `192.0.2.${n}` })))).toHaveLength(9);
  });

  test('are fifty of a proxy, beside those of its address', async () => {
    expect(await names([...many(9), ...many(60, () => ({ proxy }))])).toHaveLength(55);
  });

  test('are two hundred in total, without those of proxies', async () => {
    const strangers = many(300, n => ({ sourceIp: `192.0.${n >> 8}.${n & 255}` }));
    expect(await names([...many(50, () => ({ proxy })), ...strangers])).toHaveLength(250);
    expect(await names([...strangers, ...many(50, () => ({ proxy }))])).toHaveLength(250);
  });
});
