import { beforeEach, describe, expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

let now = 0;
beforeEach(() => {
  now = 1_000_000;
});
const make = (free: number) => createThrottle(free, () => now);
const isRefused = (throttle: ReturnType<typeof make>): boolean => {
  try {
    throttle.check('key');
    return false;
  } catch {
    return true;
  }
};
const minute = 60_000;

describe('a throttle', () => {
  test('lets the free failures pass, then makes wait twice as long every time', () => {
    const throttle = make(5);
    for (let n = 0; n < 4; n += 1) throttle.failed('key');
    expect(isRefused(throttle)).toBe(false);
    for (const seconds of [1, 2, 4, 8]) {
      throttle.failed('key');
      now += seconds * 1000 - 1;
      expect(isRefused(throttle), `${seconds} s`).toBe(true);
      now += 1;
      expect(isRefused(throttle), `${seconds} s`).toBe(false);
    }
  });

  test('forgets one failure after the other, and all of them after a success', () => {
    const throttle = make(5);
    for (let n = 0; n < 5; n += 1) throttle.failed('key');
    now += 6 * minute;
    throttle.failed('key');
    expect(isRefused(throttle), 'two of five faded').toBe(false);
    throttle.failed('key');
    expect(isRefused(throttle)).toBe(true);
    throttle.succeeded('key');
    expect(isRefused(throttle)).toBe(false);
  });

  test('never keeps out a venue where somebody mistypes all day long', () => {
    const throttle = make(300);
    for (let n = 0; n < 24 * 60 * 10; n += 1) {
      throttle.failed('key');
      now += 6000;
      expect(isRefused(throttle)).toBe(false);
    }
  });

  test('lets a guesser no further than the free failures of each 15 minutes, and those there were at first', () => {
    const throttle = make(8);
    const end = now + 24 * 60 * minute;
    let tries = 0;
    for (; now < end; now += 1000)
      if (!isRefused(throttle)) {
        throttle.failed('key');
        tries += 1;
      }
    expect(tries).toBeGreaterThan(8);
    expect(tries).toBeLessThanOrEqual(8 * 4 * 24 + 16);
  });

  test('has no more tries under way than may fail', () => {
    const throttle = make(3);
    throttle.failed('key');
    const ends = [throttle.begin('key'), throttle.begin('key')];
    expect(() => throttle.begin('key')).toThrow();
    expect(() => throttle.begin('another')).not.toThrow();
    ends[0]!();
    expect(() => throttle.begin('key')).not.toThrow();
  });
});
