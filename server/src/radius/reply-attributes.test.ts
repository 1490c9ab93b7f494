import { attribute, vendor } from '@portico/radius/attributes.ts';
import { describe, expect, it } from 'vitest';
import {
  acceptAttributes,
  interimAttributes,
  limitAttributes,
  mikrotikRateLimit,
  rejectAttributes,
} from './reply-attributes.ts';

/** A made attribute as its type, or vendor and type, with its number or text. */
const read = (made: Buffer): string => {
  const isVendor = made[0] === attribute['Vendor-Specific'];
  const name = isVendor ? `${made.readUInt32BE(2)}/${made[6]}` : String(made[0]);
  const value = made.subarray(isVendor ? 8 : 2);
  const isText = ['14988/8', '14988/19', '1', '25', '18'].includes(name);
  return `${name} = ${isText ? value.toString() : value.readUInt32BE(0)}`;
};
const shown = (all: readonly Buffer[]) => all.map(read);

describe('limits', () => {
  it('are written in the notation of RouterOS', () => {
    expect(mikrotikRateLimit({ uploadBps: 512_000, downloadBps: 10_000_000 })).toBe('512k/10M');
    expect(mikrotikRateLimit({ downloadBps: 1_048_576 })).toBe('0/1048576');
    expect(mikrotikRateLimit({ uploadBps: 1500.4 })).toBe('1500/0');
    expect(limitAttributes({})).toEqual([]);
  });

  it('are at least 1 when used up, because 0 means unlimited', () => {
    const one = Buffer.from([0, 0, 0, 1]);
    const [seconds, low, high] = limitAttributes({ sessionTimeoutSeconds: -5, totalBytes: 0 });
    expect(seconds?.subarray(2)).toEqual(one);
    expect(low?.subarray(8)).toEqual(one);
    expect(high?.subarray(8)).toEqual(Buffer.alloc(4));
    expect(mikrotikRateLimit({ uploadBps: 0, downloadBps: 0 })).toBe('1/1');
  });

  it('of volume are split into words of 4 GiB', () => {
    // The first two are MikroTik's; ChilliSpot's follow with the same words.
    const words = (totalBytes: number) =>
      limitAttributes({ totalBytes })
        .slice(0, 2)
        .map(made => made.subarray(8).readUInt32BE());
    expect(words(3e9)).toEqual([3e9, 0]);
    expect(words(2 ** 32 - 1)).toEqual([2 ** 32 - 1, 0]);
    expect(words(2 ** 32)).toEqual([0, 1]);
    expect(words(9e9)).toEqual([9e9 - 2 * 2 ** 32, 2]);
  });

  it('of time and rates are in the attributes that each brand reads', () => {
    expect(vendor.mikrotik).toBe(14988);
    expect(shown(limitAttributes({ sessionTimeoutSeconds: 90.9, idleTimeoutSeconds: 900 }))).toEqual([
      '27 = 90',
      '28 = 900',
    ]);
    expect(shown(limitAttributes({ uploadBps: 2_000_000, downloadBps: 8_000_000 }))).toEqual([
      '14988/8 = 2M/8M',
      '14122/7 = 2000000',
      '14122/8 = 8000000',
      '14179/7 = 8000',
      '14179/9 = 8000',
      '14179/13 = 2000',
      '14179/15 = 2000',
    ]);
    expect(shown(limitAttributes({ downloadBps: 500 }))).toEqual([
      '14988/8 = 0/500',
      '14122/8 = 500',
      '14179/7 = 1',
      '14179/9 = 1',
    ]);
    expect(shown(limitAttributes({ uploadBps: 500 }))).toEqual([
      '14988/8 = 500/0',
      '14122/7 = 500',
      '14179/13 = 1',
      '14179/15 = 1',
    ]);
  });

  it('of volume are in the attributes that each brand reads; where there is one word, the largest', () => {
    expect(shown(limitAttributes({ totalBytes: 2 ** 32 + 5 }))).toEqual([
      '14988/17 = 5',
      '14988/18 = 1',
      '14559/3 = 5',
      '14559/23 = 1',
      '13644/3 = 4294967295',
      '17713/155 = 5',
      '17713/156 = 1',
    ]);
    expect(shown(limitAttributes({ totalBytes: 7 }))).toContain('13644/3 = 7');
  });

  it('may name a list of addresses', () => {
    expect(shown(limitAttributes({ addressList: 'guests' }))).toEqual(['14988/19 = guests']);
  });
});

describe('an answer', () => {
  it('asks for reports at most once a minute', () => {
    expect(interimAttributes({})).toEqual([]);
    expect(shown(interimAttributes({ interimIntervalSeconds: 5 }))).toEqual(['85 = 60']);
    expect(shown(interimAttributes({ interimIntervalSeconds: 600 }))).toEqual(['85 = 600']);
  });

  it('that accepts has the limits, the name for accounting, the Class, the interval and a message', () => {
    const all = {
      sessionTimeoutSeconds: 60,
      userName: 'elif',
      class: 'c1',
      interimIntervalSeconds: 60,
      replyMessage: 'Hi',
    };
    expect(shown(acceptAttributes({ outcome: 'accept', ...all }))).toEqual([
      '27 = 60',
      '1 = elif',
      '25 = c1',
      '85 = 60',
      '18 = Hi',
    ]);
    expect(acceptAttributes({ outcome: 'accept' })).toEqual([]);
  });

  it('that rejects says why', () => {
    expect(shown(rejectAttributes('Wrong password'))).toEqual(['18 = Wrong password']);
  });
});
