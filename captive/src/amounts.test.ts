import { expect, test } from 'vitest';
import { amount } from './amounts.ts';

// As `formatBytes` of the panel rounds: a guest and an operator on the phone read the same figure.
test.each([
  [0, '0 byte'],
  [1500, '1.5 kB'],
  [99_960_000, '100 MB'],
  [730_500_000, '731 MB'],
  [999_400_000, '999 MB'],
  [999_600_000, '1 GB'],
  [2_580_000_000, '2.6 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(amount('en', bytes)).toBe(text);
});
