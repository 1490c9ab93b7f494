import { expect, test } from 'vitest';
import { fittingIntervals, maxBars, mergeBuckets } from '#features/logs/traffic/buckets.ts';

const minutes = (count: number, from = '2026-11-20T14:03:00Z') =>
  Array.from({ length: count }, (_, i) => ({
    key_as_string: new Date(Date.parse(from) + i * 60_000).toISOString().slice(0, 19),
    doc_count: 1,
  }));

test('few buckets stay as they are', () => {
  expect(mergeBuckets(minutes(60), 'minute')).toEqual({ step: 1, bars: minutes(60) });
});

test('many buckets are merged at round times and keep their total', () => {
  const { step, bars } = mergeBuckets(minutes(1440), 'minute');
  expect(step).toBe(10);
  expect(bars.length).toBeLessThanOrEqual(maxBars);
  expect(bars.slice(0, 2)).toEqual([
    { key_as_string: '2026-11-20T14:03:00', doc_count: 7 },
    { key_as_string: '2026-11-20T14:10:00', doc_count: 10 },
  ]);
  expect(bars.reduce((sum, bar) => sum + bar.doc_count, 0)).toBe(1440);
});

test('as many bars as fit are not merged, and one more is', () => {
  expect(mergeBuckets(minutes(maxBars), 'minute').step).toBe(1);
  expect(mergeBuckets(minutes(maxBars + 1), 'minute').step).toBe(2);
  expect(mergeBuckets(minutes(2 * maxBars), 'minute').step).toBe(2);
  expect(mergeBuckets(minutes(2 * maxBars + 1), 'minute').step).toBe(5);
});

test.each([
  ['minute', 60, 10_000, 30],
  ['hour', 3600, 160, 2],
  ['hour', 3600, 10_000, 12],
  ['day', 86_400, 160, 7],
  ['day', 86_400, 10_000, 28],
] as const)(
  'bars of the interval %s are at multiples of it (%s s, %s buckets: %s in one)',
  (interval, seconds, count, step) => {
    const at = (n: number) => new Date(n * seconds * 1000).toISOString().slice(0, 19);
    const buckets = Array.from({ length: count }, (_, n) => ({ key_as_string: at(n), doc_count: n }));
    const merged = mergeBuckets(buckets, interval);
    expect(merged.step).toBe(step);
    expect(merged.bars).toHaveLength(Math.ceil(count / step));
    const sum = Array.from({ length: step }, (_, n) => step + n).reduce((a, b) => a + b);
    expect(merged.bars[1]).toEqual({ key_as_string: at(step), doc_count: sum });
  },
);

test('an interval is not offered for a period that is too long', () => {
  const longest = { minute: 2, hour: 62, day: 731 };
  const fitting = (gte?: string, lte?: string) => fittingIntervals({ gte, lte }, longest);
  expect(fitting()).toEqual(['minute', 'hour', 'day']);
  expect(fitting('2026-11-20', '2026-11-20')).toEqual(['minute', 'hour', 'day']);
  expect(fitting('2026-11-01 00:00:00', '2026-11-20 23:59:59')).toEqual(['hour', 'day']);
  expect(fitting('2025-01-01 00:00:00', '2025-12-31 23:59:59')).toEqual(['day']);
  // To the second, and with days as long as they are.
  expect(fitting('2026-11-01 00:00:00', '2026-11-03 00:00:00')).toEqual(['minute', 'hour', 'day']);
  expect(fitting('2026-11-01 00:00:00', '2026-11-03 00:00:01')).toEqual(['hour', 'day']);
  expect(fitting('2026-11-01', '2026-11-03')).toEqual(['hour', 'day']);
  expect(fitting('2026-11-01T12:00:00', '2026-11-03 12:00:00')).toEqual(['minute', 'hour', 'day']);
  expect(fitting('2020-01-01', '2026-01-01')).toEqual([]);
  expect(fitting('2020-01-01', undefined)).toEqual(['minute', 'hour', 'day']);
  expect(fitting(undefined, '2026-01-01')).toEqual(['minute', 'hour', 'day']);
  // The server refuses unreadable values.
  expect(fitting('x', 'y')).toEqual(['minute', 'hour', 'day']);
});
