import { expect, test } from 'vitest';
import { readPeriod, sessionDate } from '#features/sessions/period.ts';

// A Friday.
const now = new Date(2026, 10, 20, 15);
const days = (value: string) => readPeriod(value, 'today', now).days;

test('named periods are whole days, and weeks begin on Monday', () => {
  expect(days('today')).toEqual(['2026-11-20', '2026-11-20']);
  expect(days('thisWeek')).toEqual(['2026-11-16', '2026-11-22']);
  expect(days('lastWeek')).toEqual(['2026-11-09', '2026-11-15']);
  expect(days('last7Days')).toEqual(['2026-11-14', '2026-11-20']);
  expect(days('last30Days')).toEqual(['2026-10-22', '2026-11-20']);
  expect(days('thisMonth')).toEqual(['2026-11-01', '2026-11-30']);
  expect(days('lastMonth')).toEqual(['2026-10-01', '2026-10-31']);
  expect(days('lastYear')).toEqual(['2025-01-01', '2025-12-31']);
});

test('custom days are used as they are, unreadable ones give the default period', () => {
  expect(days('2026-01-02_2026-03-04')).toEqual(['2026-01-02', '2026-03-04']);
  expect(days('2026-01-02 00:00:00,2026-03-04T12:30:00'), 'of the API').toEqual(['2026-01-02', '2026-03-04']);
  expect(days('2026-01-02,nonsense')).toEqual(['2026-11-20', '2026-11-20']);
  expect(days('nonsense')).toEqual(['2026-11-20', '2026-11-20']);
});

test('today is not sent, because the server knows the day of the location', () => {
  expect(sessionDate(undefined, now)).toBeUndefined();
  expect(sessionDate('2026-01-02_2026-03-04', now)).toEqual(['2026-01-02 00:00:00', '2026-03-04 23:59:59']);
});
