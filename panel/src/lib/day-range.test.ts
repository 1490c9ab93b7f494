import { expect, test } from 'vitest';
import { daysOf } from '#lib/day-range.ts';

test('reads a period from two days in the address, and ignores other texts', () => {
  expect(daysOf('2026-11-01_2026-11-20')).toEqual({ first_day: '2026-11-01', last_day: '2026-11-20' });
  for (const text of [
    '',
    'x',
    '2026-11-01',
    '2026-11-01_',
    'x_2026-11-20',
    '2026-99-01_2026-11-20',
    '2026-11-01_2026-11-20_x',
  ])
    expect(daysOf(text), text).toEqual({});
  expect(daysOf(undefined)).toEqual({});
});
