import { expect, test } from 'vitest';
import { taxIn } from './tax.ts';

test.for([
  // 20 % of 100.00 is 20.00: in 120.00 there are 20.00.
  [12_000, 2000, 2000],
  [10_000, 2000, 1667],
  [100, 0, 0],
  [0, 2000, 0],
  [1, 2000, 0],
  [3, 2000, 1],
  // Half of a minor unit is rounded up: 1.5 and 0.5.
  [3, 10_000, 2],
  [1, 10_000, 1],
  [107, 725, 7],
  [999_999_999, 1800, 152_542_373],
] as const)('in %i at %i hundredths of a percent there are %i', ([amount, rate, tax]) => {
  expect(taxIn(amount, rate)).toBe(tax);
});
