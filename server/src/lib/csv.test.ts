import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells are quoted where they must be', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', null, undefined, 3])).toBe(
    'a,"b,c","say ""hi""","two\nlines",,,3\r\n',
  );
});

test.each(['=1+1', '+90 530', '-2', '@SUM(A1)', '\tx', '\r=x'])('%j is no formula any more', text => {
  expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/);
});

test('numbers stay numbers', () => {
  expect(csvLine([-5])).toBe('-5\r\n');
});
