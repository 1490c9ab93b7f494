import { afterEach, expect, test, vi } from 'vitest';
import {
  formatBytes,
  formatChange,
  formatClock,
  formatCount,
  formatDate,
  formatDateTime,
  formatDay,
  formatExact,
  formatLocalTime,
  formatMegabytes,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRelative,
  setTimeZone,
} from '#lib/format.ts';

afterEach(() => void vi.useRealTimers());

test('times are those of the zone of the screen, unless another one is given', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') });
  const time = '2026-11-20T22:30:09Z';
  setTimeZone('Europe/Istanbul');
  expect(formatDateTime(time)).toBe('21 Nov, 01:30');
  expect(formatDateTime(time, 'America/New_York')).toBe('20 Nov, 17:30');
  expect(formatDate(time)).toBe('21 Nov 2026');
  expect(formatClock(time)).toBe('01:30:09');
  // Newer data of languages has a comma after the weekday.
  expect(formatExact(time)).toMatch(/^Saturday,? 21 November 2026 at 01:30:09 GMT\+3$/);
  setTimeZone('Asia/Tokyo');
  expect(formatDateTime(time)).toBe('21 Nov, 07:30');
});

test('a time has its year only when it is not the current one, by the clocks of the zone', () => {
  vi.useFakeTimers({ now: Date.parse('2026-12-31T22:00:00Z') });
  expect(formatDateTime('2026-06-01T12:00:00Z', 'UTC')).toBe('1 Jun, 12:00');
  expect(formatDateTime('2025-06-01T12:00:00Z', 'UTC')).toBe('1 Jun 2025, 12:00');
  // In Istanbul the new year has begun.
  expect(formatDateTime('2026-06-01T12:00:00Z', 'Europe/Istanbul')).toBe('1 Jun 2026, 15:00');
  expect(formatDateTime('2027-01-01T00:30:00Z', 'Europe/Istanbul')).toBe('1 Jan, 03:30');
});

test('a time that clocks show twice has its offset', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') });
  const session = ['2026-11-01T05:50:00Z', '2026-11-01T06:10:00Z'].map(time =>
    formatDateTime(time, 'America/New_York'),
  );
  expect(session).toEqual(['1 Nov, 01:50 GMT-4', '1 Nov, 01:10 GMT-5']);
  expect(formatDateTime('2026-11-01T04:59:00Z', 'America/New_York')).toBe('1 Nov, 00:59');
  expect(formatDateTime('2026-11-01T07:00:00Z', 'America/New_York')).toBe('1 Nov, 02:00');
  // Clocks are put back by half an hour.
  expect(formatDateTime('2026-04-04T14:40:00Z', 'Australia/Lord_Howe')).toBe('5 Apr, 01:40 GMT+11');
  expect(formatDateTime('2026-04-04T15:10:00Z', 'Australia/Lord_Howe')).toBe('5 Apr, 01:40 GMT+10:30');
  // Clocks are put forward.
  expect(formatDateTime('2026-03-29T01:30:00Z', 'Europe/Berlin')).toBe('29 Mar, 03:30');
});

test('local times and days are shown as they are written, wherever the screen is', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') });
  setTimeZone('Pacific/Kiritimati');
  expect(formatLocalTime('2026-11-20T23:05')).toBe('20 Nov, 23:05');
  expect(formatLocalTime('2026-11-20T00:05:59')).toBe('20 Nov, 00:05');
  expect(formatLocalTime('2026-11-20T14:05:00+03:00')).toBe('20 Nov, 14:05');
  expect(formatDay('2026-11-20')).toBe('20 Nov 2026');
});

test('numbers and shares are in the format of the language', () => {
  expect(formatNumber(1250.5)).toBe('1,250.5');
  expect(formatPercent(0.256)).toBe('26%');
  expect([0.256, -0.1, 0].map(formatChange)).toEqual(['+26%', '-10%', '0%']);
});

test('a date is the day in the given time zone', () => {
  const time = '2026-11-20T22:30:00Z';
  expect(formatDate(time, 'UTC')).toBe('20 Nov 2026');
  expect(formatDate(time, 'Europe/Istanbul')).toBe('21 Nov 2026');
  expect(formatDate(time, 'America/New_York')).toBe('20 Nov 2026');
});

test('an amount shows its currency, and decimals only where it has any or they are wanted', () => {
  expect(formatMoney(1250, 'try')).toBe('₺1,250');
  expect(formatMoney(1250, 'eur')).toBe('€1,250');
  expect(formatMoney(12.5, 'usd')).toBe('$12.50');
  expect(formatMoney(12, 'usd', true)).toBe('$12.00');
});

test('bytes use decimal units, as volumes are sold, and never show 1,000 of a unit', () => {
  expect(formatBytes(0)).toBe('0 B');
  expect(formatBytes(999)).toBe('999 B');
  expect(formatBytes(1000)).toBe('1 KB');
  expect(formatBytes(1500)).toBe('1.5 KB');
  expect(formatBytes(999_500)).toBe('1 MB');
  expect(formatBytes(999_950)).toBe('1 MB');
  expect(formatBytes(999_999)).toBe('1 MB');
  expect([1_234_000, 99_940_000, 150_400_000].map(formatBytes)).toEqual(['1.2 MB', '99.9 MB', '150 MB']);
  expect(formatBytes(1e9)).toBe('1 GB');
  expect(formatBytes(999_400_000)).toBe('999 MB');
  expect(formatBytes(999_600_000)).toBe('1 GB');
  expect(formatBytes(150e9)).toBe('150 GB');
  expect(formatBytes(2e24)).toBe('2 YB');
  expect(formatBytes(5000e24)).toBe('5,000 YB');
  expect(formatBytes(-1)).toBe('0 B');
});

test('a count at the limit of counting is shown with a plus sign', () => {
  expect(formatCount(0)).toBe('0');
  expect(formatCount(9_999)).toBe('9,999');
  expect(formatCount(10_000)).toBe('10,000+');
  expect(formatCount(20_101)).toBe('10,000+');
  expect(formatCount(999, 1000)).toBe('999');
  expect(formatCount(1000, 1000)).toBe('1,000+');
});

test('a relative time uses the largest whole unit', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  expect(formatRelative('2026-11-20T11:59:31Z', now)).toBe('now');
  expect(formatRelative('2026-11-20T11:55:00Z', now)).toBe('5 minutes ago');
  expect(formatRelative('2026-11-19T11:00:00Z', now)).toBe('yesterday');
  expect(formatRelative('2026-11-22T12:00:00Z', now)).toBe('in 2 days');
  expect(formatRelative('2026-11-20T11:59:00Z', now)).toBe('1 minute ago');
  expect(formatRelative('2026-11-20T10:01:00Z', now)).toBe('1 hour ago');
  expect(formatRelative('2026-11-20T13:00:00Z', now)).toBe('in 1 hour');
  expect(formatRelative('2026-11-27T11:59:00Z', now)).toBe('in 7 days');
  expect(formatRelative('2026-11-13T12:00:00Z', now)).toBe('last week');
  expect(formatRelative('2026-10-21T12:00:00Z', now)).toBe('last month');
  expect(formatRelative('2025-11-20T12:00:00Z', now)).toBe('last year');
  expect(formatRelative('2025-11-20T12:00:01Z', now)).toBe('12 months ago');
});

test('megabytes have two decimals, as in the CSV export of sessions', () => {
  expect([0, 4_999, 1_500_000, 1_228_800_000_000].map(formatMegabytes)).toEqual([
    '0.00',
    '0.00',
    '1.50',
    '1,228,800.00',
  ]);
});
