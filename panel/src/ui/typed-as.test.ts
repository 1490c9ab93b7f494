import { formatMac } from '@portico/contract/mac.ts';
import { expect, test } from 'vitest';
import { typedAs } from '#ui/typed-as.ts';

/** An input in which the caret is at the bar. */
function at(shown: string) {
  const selectionStart = shown.indexOf('|');
  const input = {
    value: shown.replace('|', ''),
    selectionStart,
    setSelectionRange: (start: number | null) => {
      input.selectionStart = start ?? 0;
    },
  };
  return input;
}

test.each([
  ['A1:B2:c|', 'A1:B2:C|'],
  ['A1:B2C|', 'A1:B2:C|'],
  ['A1:b9|2:C3', 'A1:B9|:2C:3'],
  ['9|A1:B2', '9|A:1B:2'],
  ['A1:-|B2', 'A1|:B2'],
  ['A1:B|:C3', 'A1:B|C:3'],
  ['A1:B2|', 'A1:B2|'],
])('%s becomes %s', (typed, shown) => {
  const input = at(typed);
  const text = typedAs(formatMac, input);
  expect(text).toBe(input.value);
  expect(`${text.slice(0, input.selectionStart)}|${text.slice(input.selectionStart)}`).toBe(shown);
});

test('the caret stays behind its character when the format puts something before it', () => {
  const input = at('2f7|1f2');
  typedAs(typed => (typed.length === 6 ? `#${typed}` : typed), input);
  expect([input.value, input.selectionStart]).toEqual(['#2f71f2', 4]);
});
