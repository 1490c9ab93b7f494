import { describe, expect, test } from 'vitest';
import { misspellings } from './misspelled.ts';

/** Whether a pattern without escapes finds a text. */
const finds = (pattern: string, text: string) =>
  new RegExp(pattern.replaceAll('%', '.*').replaceAll('_', '.').replace(/^/, '^').replace(/$/, '$')).test(text);
const finding = (typed: string, meant: string) => misspellings(typed).some(pattern => finds(pattern, meant));

describe('texts with one typing error', () => {
  test.each([
    ['two letters exchanged', 'mruat'],
    ['a letter too many', 'muurat'],
    ['a letter left out', 'murt'],
    ['a letter replaced', 'muret'],
    ['the first letter replaced', 'nurat'],
    ['the last letter replaced', 'murad'],
  ])('%s', (_, typed) => {
    expect(finding(typed, 'murat')).toBe(true);
  });

  test('two errors, short and long texts find nothing', () => {
    expect(finding('mrutaa', 'murat')).toBe(false);
    expect(misspellings('ali')).toEqual([]);
    expect(misspellings('a'.repeat(25))).toEqual([]);
  });

  test('every pattern has three letters in a row, by which the index finds', () => {
    for (const typed of ['ayse', 'demir', 'ayşe yıl'])
      for (const pattern of misspellings(typed)) expect(pattern, typed).toMatch(/[^%_]{3}/);
  });

  test('signs of patterns are letters', () => {
    expect(misspellings('50%_')).toContain('%5\\%0\\_%');
  });
});
