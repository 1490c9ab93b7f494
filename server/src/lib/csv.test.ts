import { expect, test } from 'vitest';
import { formulasIn } from '#test/spreadsheet.ts';
import { csvLine, plainCell } from './csv.ts';
import { readCsv } from './csv-read.ts';

test('cells are quoted where they must be', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', null, undefined, 3])).toBe(
    'a,"b,c","say ""hi""","two\nlines",,,3\r\n',
  );
});

test.each(['=1+1', '+90 530', '-2', '@SUM(A1)', '\tx', '\r=x'])('%j is no formula any more', text => {
  expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/);
});

test.each([
  ...['a;=1+1', 'a; @SUM(A1)', 'a\n=1', 'a\tb;\t-2', '＝1+1', 'a;=1;+2;b'],
  ...['a;"=1+1;b', 'a;"=1+1";b', 'a; "" "=1', 'a;"\n"=1'],
])('%j holds no formula for a spreadsheet that splits at semicolons', text => {
  expect(formulasIn(csvLine(['x', text]))).toEqual([]);
  const [record] = readCsv(`x,y\r\n${csvLine([text])}`, 2).slice(1);
  expect(plainCell(record!.cells[0]!)).toBe(text);
});

test.each(["it's", 'a;b', 'Ali - Veli', "a;'b", '12-34'])('%j stays as it is', text => {
  expect(csvLine([text])).toBe(`${text}\r\n`);
});

test.each(['; ', '"', ' "', ';"'])('a long text of %j is made safe at once', part => {
  expect(csvLine([`;${part.repeat(50_000)}=1`])).toMatch(/'=1"?\r\n$/);
});

test('numbers stay numbers', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
