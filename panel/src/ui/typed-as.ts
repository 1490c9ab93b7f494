type Input = Pick<HTMLInputElement, 'value' | 'selectionStart' | 'setSelectionRange'>;

/**
 * Formats what was typed, and keeps the caret behind the same character. React would put it at the end, so that a second
 * character typed in the middle would land there.
 */
export function typedAs(format: (typed: string) => string, input: Input): string {
  const { value, selectionStart } = input;
  const text = format(value);
  if (text !== value) {
    const at = selectionStart ?? value.length;
    const before = format(value.slice(0, at));
    const caret = text.startsWith(before) ? before.length : text.length - format(value.slice(at)).length;
    input.value = text;
    input.setSelectionRange(caret, caret);
  }
  return text;
}
