import { expect, test } from 'vitest';
import { countryOf, phoneOf } from './phone.ts';

const at = (country: string, timeZone = 'Europe/Istanbul') => ({ country, timeZone });

test.each([
  ['Türkiye', '0532 123 45 67', '+905321234567'],
  ['TÜRKİYE', '532 123 45 67', '+905321234567'],
  ['Turkey', '905321234567', '+905321234567'],
  ['', '٠٥٣٢١٢٣٤٥٦٧', '+905321234567'],
  ['', '0090 (532) 123-45-67', '+905321234567'],
  ['Deutschland', '0151 23456789', '+4915123456789'],
  ['almanya', '0151/23456789', '+4915123456789'],
  ['DE', '+90 532 123 45 67', '+905321234567'],
  ['United Kingdom', '07400 123456', '+447400123456'],
  ['Россия', '8 912 345-67-89', '+79123456789'],
  ['USA', '(201) 555-0123', '+12015550123'],
  ['Suudi Arabistan', '050 123 4567', '+966501234567'],
  ['المملكة العربية السعودية', '٠٥٠١٢٣٤٥٦٧', '+966501234567'],
  ['İran', '0912 345 6789', '+989123456789'],
  ['ایران', '۰۹۱۲۳۴۵۶۷۸۹', '+989123456789'],
  ['Україна', '050 123 45 67', '+380501234567'],
  ['Ukrayna', '380 50 123-45-67', '+380501234567'],
  ['Italia', '312 345 6789', '+393123456789'],
] as const)('in %j, %s is %s', (country, typed, number) => {
  expect(phoneOf(typed, at(country, country === 'Italia' ? 'Europe/Rome' : undefined))).toBe(number);
});

test.each(['12', '0212 555 66 77', '0151 23456789', 'call me', '+', '++90532', '0532 123 45 67 89', '+90 532', '٣'])(
  'in Türkiye, %j is no number',
  typed => expect(phoneOf(typed, at('Türkiye'))).toBeUndefined(),
);

test('the country comes from its name in any language, else from the time zone, else it is Türkiye', () => {
  expect(countryOf(at('Almanya'))).toBe('DE');
  expect(countryOf(at('Германия'))).toBe('DE');
  expect(countryOf(at('somewhere', 'Europe/Berlin'))).toBe('DE');
  expect(countryOf(at('', 'America/New_York'))).toBe('US');
  expect(countryOf(at('', 'UTC'))).toBe('TR');
});
