import { always } from '@portico/contract/block-kinds.ts';
import { expect, test } from 'vitest';
import { isDue } from './is-due.ts';

const at = (time: string, timing: object, zone = 'Europe/Istanbul') =>
  isDue({ ...always, ...timing }, zone, Date.parse(time));

test('days and weekdays are those of the location', () => {
  // 23 November 2026 is a Monday, and there it begins three hours earlier.
  expect(at('2026-11-22T20:59:00Z', { weekdays: [1] })).toBe(false);
  expect(at('2026-11-22T21:00:00Z', { weekdays: [1] })).toBe(true);
  expect(at('2026-11-22T21:00:00Z', { weekdays: [1] }, 'America/New_York')).toBe(false);
  expect(at('2026-11-22T21:00:00Z', { starts_on: '2026-11-23', ends_on: '2026-11-23' })).toBe(true);
  expect(at('2026-11-23T21:00:00Z', { starts_on: '2026-11-23', ends_on: '2026-11-23' })).toBe(false);
  expect(at('2026-11-23T12:00:00Z', {})).toBe(true);
});

test('hours end with the minute before the last', () => {
  const breakfast = { from_time: '07:00', to_time: '10:00' };
  expect(['03:59', '04:00', '06:59', '07:00'].map(it => at(`2026-11-23T${it}:30Z`, breakfast))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('hours past midnight belong to the day on which they begin', () => {
  const night = { from_time: '22:00', to_time: '02:00', weekdays: [5], starts_on: '2026-11-27', ends_on: '2026-11-27' };
  // Friday, 27 November 2026.
  expect(at('2026-11-27T19:00:00Z', night)).toBe(true);
  expect(at('2026-11-27T22:59:00Z', night), 'Saturday, 01:59').toBe(true);
  expect(at('2026-11-27T23:00:00Z', night), 'Saturday, 02:00').toBe(false);
  expect(at('2026-11-26T22:00:00Z', night), 'Friday, 01:00').toBe(false);
  expect(at('2026-11-28T19:00:00Z', night), 'Saturday, 22:00').toBe(false);
});
