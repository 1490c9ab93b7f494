import { expect, test } from 'vitest';
import { readVoucherCode, shownVoucherCode, voucherAlphabet, voucherLength, wifiCode } from './voucher-code.ts';

test('a code is read without case, spaces and signs, and look-alikes are one character', () => {
  expect(readVoucherCode('7kxf3-h9pmc')).toBe('7KXF3H9PMC');
  expect(readVoucherCode('  7KXF3 / h9.pmc ')).toBe('7KXF3H9PMC');
  expect(readVoucherCode('７ＫＸＦ３Ｈ９ＰＭＣ')).toBe('7KXF3H9PMC');
  for (const [read, meant] of ['S5', 'Z2', 'B8', 'G6', 'UV', 'OD', 'QD', '0D'].map(pair => [...pair]))
    expect(readVoucherCode(`KXF3H9PMC${read}`), read).toBe(`KXF3H9PMC${meant}`);
  for (const it of voucherAlphabet) expect(readVoucherCode(it.repeat(voucherLength))).toBe(it.repeat(voucherLength));
});

test.each(['', '7KXF3-H9PM', '7KXF3-H9PMCC', '7KXF3-H9PM1', '7KXF3-H9PMA', '7KXF3+H9PMC', '7KXF3H9PMÇ'])(
  '"%s" is no code',
  typed => expect(readVoucherCode(typed)).toBeUndefined(),
);

test('a code is shown in two groups', () => {
  expect(shownVoucherCode('7KXF3H9PMC')).toBe('7KXF3-H9PMC');
});

test('the code of a Wi-Fi escapes what has a meaning there', () => {
  expect(wifiCode('a;b', 'c:d,e\\f"g')).toBe('WIFI:T:WPA;S:a\\;b;P:c\\:d\\,e\\\\f\\"g;;');
  expect(wifiCode('Kafe', null)).toBe('WIFI:T:nopass;S:Kafe;;');
  expect(wifiCode('Kafe', '')).toBe('WIFI:T:nopass;S:Kafe;;');
});
