import { expect, test } from 'vitest';
import { formatMac, isMac, isMadeUpMac } from './mac.ts';

test.for([
  ['a1b2c3d4e5f6', 'A1:B2:C3:D4:E5:F6'],
  ['A1-B2-C3-D4-E5-F6', 'A1:B2:C3:D4:E5:F6'],
  ['a1b2.c3d4.e5f6', 'A1:B2:C3:D4:E5:F6'],
  [' a1 b2 c', 'A1:B2:C'],
  ['a1b2c3d4e5f6a7', 'A1:B2:C3:D4:E5:F6'],
  ['', ''],
  [':-', ''],
] as const)('%j is written as %j', ([typed, written]) => expect(formatMac(typed)).toBe(written));

test('complete is one of six pairs of hexadecimal digits in capitals', () => {
  expect(isMac('A1:B2:C3:D4:E5:F6')).toBe(true);
  for (const other of [
    'A1:B2:C3:D4:E5',
    'A1:B2:C3:D4:E5:F6:A7',
    'a1:b2:c3:d4:e5:f6',
    'G1:B2:C3:D4:E5:F6',
    'A1B2C3D4E5F6',
  ])
    expect(isMac(other), other).toBe(false);
  expect(isMac('A1:B2:C3:D4:E5:F6\nx')).toBe(false);
  expect(isMac('xA1:B2:C3:D4:E5:F6')).toBe(false);
});

test('made up by a phone is one with the bit for local addresses', () => {
  for (const digit of '2367ABEFabef') expect(isMadeUpMac(`0${digit}:00:00:00:00:00`), digit).toBe(true);
  for (const digit of '014589CD') expect(isMadeUpMac(`2${digit}:22:22:22:22:22`), digit).toBe(false);
});
