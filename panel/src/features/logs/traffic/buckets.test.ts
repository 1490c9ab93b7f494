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

test('an interval is not offered for a period that is too long', () => {
  const longest = { minute: 2, hour: 62, day: 731 };
  const fitting = (gte?: string, lte?: string) => fittingIntervals({ gte, lte }, longest);
  expect(fitting()).toEqual(['minute', 'hour', 'day']);
  expect(fitting('2026-11-20', '2026-11-20')).toEqual(['minute', 'hour', 'day']);
  expect(fitting('2026-11-01 00:00:00', '2026-11-20 23:59:59')).toEqual(['hour', 'day']);
  expect(fitting('2025-01-01 00:00:00', '2025-12-31 23:59:59')).toEqual(['day']);
  // The server refuses unreadable values.
  expect(fitting('x', 'y')).toEqual(['minute', 'hour', 'day']);
});
