import { expect, test } from 'vitest';
import { timeParts } from './time-parts.ts';

test.each([
  [0, ''],
  [-5, ''],
  [59.6, '1 minute'],
  [125, '2 minute 5 second'],
  [599, '9 minute 59 second'],
  [600, '10 minute'],
  [659, '10 minute'],
  [7500, '2 hour 5 minute'],
  [3630, '1 hour'],
  [86_400 + 59, '1 day'],
  [2 * 86_400 + 3600 + 60, '2 day 1 hour'],
])('%d seconds are %s', (seconds, text) => {
  expect(
    timeParts(seconds)
      .map(({ unit, count }) => `${count} ${unit}`)
      .join(' '),
  ).toBe(text);
});
