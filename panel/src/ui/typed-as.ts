type Input = Pick<HTMLInputElement, 'value' | 'selectionStart' | 'setSelectionRange'>;

/**
 * Formats what was typed, and keeps the caret behind the same character. React would put it at the end, so that a second
 * character typed in the middle would land there.
 */
export function typedAs(format: (typed: string) => string, input: Input): string {
  const { value, selectionStart } = input;
  const text = format(value);
  if (text !== value) {
    const caret = format(value.slice(0, selectionStart ?? value.length)).length;
    input.value = text;
    input.setSelectionRange(caret, caret);
  }
  return text;
}
