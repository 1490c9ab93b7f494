import { expect, test } from 'vitest';
import { isBirthDate, isCitizenId } from './visitors.ts';

test('a citizen id has eleven digits, and both check digits are right', () => {
  for (const right of ['10000000146', '12345678950', '98765432150']) expect(isCitizenId(right), right).toBe(true);
  for (const [wrong, why] of [
    ['10000000157', 'tenth digit wrong, though the eleventh fits it'],
    ['10000000145', 'eleventh digit'],
    ['00000000000', 'begins with 0'],
    ['1000000014', 'ten digits'],
    ['100000001460', 'twelve digits'],
    ['1000000014a', 'a letter'],
    [' 10000000146', 'a space'],
    ['', 'nothing'],
  ] as const)
    expect(isCitizenId(wrong), why).toBe(false);
});

test('a date of birth exists, is not before 1930 and not in the future', () => {
  expect(isBirthDate(1930, 1, 1)).toBe(true);
  expect(isBirthDate(1929, 12, 31)).toBe(false);
  expect(isBirthDate(2000, 2, 29)).toBe(true);
  expect(isBirthDate(2001, 2, 29)).toBe(false);
  expect(isBirthDate(1990, 13, 1)).toBe(false);
  expect(isBirthDate(1990, 0, 1)).toBe(false);
  expect(isBirthDate(1990, 1, 0)).toBe(false);
  const tomorrow = new Date(Date.now() + 86_400_000);
  expect(isBirthDate(tomorrow.getUTCFullYear(), tomorrow.getUTCMonth() + 1, tomorrow.getUTCDate())).toBe(false);
});
