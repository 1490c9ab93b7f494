import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatDate, formatMegabytes, formatMoney, formatRelative } from '#lib/format.ts';

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
  expect(formatBytes(999_999)).toBe('1 MB');
  expect(formatBytes(1e9)).toBe('1 GB');
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
});

test('megabytes have two decimals, as in the CSV export of sessions', () => {
  expect([0, 4_999, 1_500_000, 1_228_800_000_000].map(formatMegabytes)).toEqual([
    '0.00',
    '0.00',
    '1.50',
    '1,228,800.00',
  ]);
});
