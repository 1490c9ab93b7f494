import { expect, test } from 'vitest';
import { amount, clock, duration, money } from './amounts.ts';
import { timeFormat } from './texts/texts.ts';

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

test.each([
  ['en', '2 hr 5 min'],
  ['ka', '2 სთ 5 წთ'],
  // Zaza, which Intl does not know: no words of the machine's language.
  ['zza', '2:05:00'],
])('a duration in %s is %s', (language, text) => {
  expect(duration(language, 7500)).toBe(text);
});

test('figures in a language that Intl does not know do not follow the machine', () => {
  expect([clock(59), clock(93_784)]).toEqual(['0:00:59', '26:03:04']);
  expect([amount('zza', 1_400_000_000), money('zza', 1250, 'try')]).toEqual(['1.4 GB', 'TRY\u00a012.50']);
  expect(timeFormat('zza', 'UTC').format(0)).toBe('1970-01-01 00:00');
});
