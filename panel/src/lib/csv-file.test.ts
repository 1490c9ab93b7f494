import { expect, test } from 'vitest';
import { csvText } from './csv-file.ts';

test('rows have commas between their cells and end with a line break, after a byte order mark', () => {
  expect(csvText([['a', 'b'], ['c']])).toBe('\uFEFFa,b\r\nc\r\n');
});

test.for([
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  ['plain; text', 'plain; text'],
] as const)('%j is written as %j', ([value, cell]) => {
  expect(csvText([[value]])).toBe(`\uFEFF${cell}\r\n`);
});

test.for(['=1+1', '+1', '-1', '@x', '\tx'])('a spreadsheet does not run %j', value => {
  expect(csvText([[value]])).toBe(`\uFEFF'${value}\r\n`);
});

test('a formula sign inside a text stays as it is', () => {
  expect(csvText([['1=1'], ['a-b'], ['\rx']])).toBe('\uFEFF1=1\r\na-b\r\n"\'\rx"\r\n');
});
