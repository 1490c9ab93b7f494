import { afterEach, expect, test, vi } from 'vitest';
import { clockOf, isBrowserZone, localTimeIn } from '#lib/time-zone.ts';

afterEach(() => void vi.unstubAllEnvs());

test.for([
  ['Asia/Tokyo', 2026, 10, 21, 6],
  ['Europe/Istanbul', 2026, 10, 21, 0],
  ['UTC', 2026, 10, 20, 21],
  ['America/Los_Angeles', 2026, 10, 20, 13],
] as const)('the day in %s is that of its own clocks', ([zone, year, month, day, hour]) => {
  const now = clockOf(zone, new Date('2026-11-20T21:30:15Z'));
  expect(now).toEqual(new Date(year, month, day, hour, 30, 15));
});

test('a time of a field is that of the clocks of the location, also where the browser skips an hour', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(localTimeIn('Europe/Istanbul', '2026-03-07T23:30:40Z')).toBe('2026-03-08T02:30');
  expect(localTimeIn('America/New_York', '2026-03-08T07:05:00Z')).toBe('2026-03-08T03:05');
});

test('a zone is that of the browser if both show the same time, even under another name', () => {
  const offset = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts().at(-1)!.value;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const others = Intl.supportedValuesOf('timeZone').filter(zone => zone !== own);
  const same = others.find(zone => offset(zone) === offset(undefined))!;
  const different = others.find(zone => offset(zone) !== offset(undefined))!;
  expect([own, same, different].map(isBrowserZone)).toEqual([true, true, false]);
});
