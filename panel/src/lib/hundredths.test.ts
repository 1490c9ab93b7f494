import { expect, test } from 'vitest';
import { fromHundredths, hundredths } from './hundredths.ts';

test.for([
  ['2.50', 250],
  ['2,50', 250],
  ['2.5', 250],
  ['2.05', 205],
  ['2', 200],
  [' 12 ', 1200],
  ['0', 0],
  ['1234567.89', 123_456_789],
] as const)('%j is %i', ([typed, value]) => expect(hundredths(typed)).toBe(value));

test.for(['', '2.', '.5', '2.555', '-2', '12345678', '2.5.5', '1 000', 'x2', '2x'])('%j stays a text', typed => {
  expect(hundredths(typed)).toBe(typed);
});

test.for([
  [250, '2.50'],
  [205, '2.05'],
  [200, '2'],
  [0, '0'],
  [1, '0.01'],
] as const)('%i is shown as %j', ([value, text]) => expect(fromHundredths(value)).toBe(text));
