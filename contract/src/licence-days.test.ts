import { expect, test } from 'vitest';
import { yearsAfter } from './licence-days.ts';

test.each([
  ['2026-11-20', 1, '2027-11-20'],
  ['2026-12-31', 3, '2029-12-31'],
  ['2026-01-01', 1, '2027-01-01'],
  ['2028-02-29', 1, '2029-02-28'],
  ['2028-02-29', 4, '2032-02-29'],
  ['2027-02-28', 1, '2028-02-28'],
  ['2026-04-30', 1, '2027-04-30'],
  ['0998-04-30', 1, '0999-04-30'],
])('%s and %i years is %s', (day, years, end) => expect(yearsAfter(day, years)).toBe(end));
