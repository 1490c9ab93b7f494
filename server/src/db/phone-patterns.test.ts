import { expect, test } from 'vitest';
import { phonePatterns } from './phone-patterns.ts';

const finds = (typed: string, stored: string) =>
  phonePatterns(typed).some(pattern =>
    new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`).test(stored),
  );

test('a phone number is found however it is written', () => {
  const ways = [
    '+905305551000',
    '905305551000',
    '00905305551000',
    '05305551000',
    '5305551000',
    '+90 530 555 10 00',
    '0530 555 10 00',
    '0 (530) 555 10 00',
    '(530) 555-1000',
    '530.555.10.00',
    '0530-555-1000',
  ];
  for (const typed of ways)
    for (const stored of ways) expect(finds(typed, `ayse ${stored} 12`), `${typed} finds ${stored}`).toBe(true);
  for (const stored of ways) expect(finds('5551000', stored), stored).toBe(true);
  for (const stored of ways) expect(finds('0530 555 10 01', stored), stored).toBe(false);
  expect(finds('+49 151 23456789', '015123456789')).toBe(true);
});

test('other texts are no phone number', () => {
  for (const text of ['304', '2026-11', 'oda 5305551000', '10.5.50.7', '0000000', '02:BB:00:00:00:01', ''])
    expect(phonePatterns(text), text).toEqual([]);
});
