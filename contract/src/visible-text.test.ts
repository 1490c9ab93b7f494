import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

test('what breaks a line or turns the order of letters is spelled out; other text stays', () => {
  expect(visibleText('a\rb\u2028c\u2029d\u0085e\u000bf\u202eg\u2067h\0')).toBe(
    String.raw`a\u{d}b\u{2028}c\u{2029}d\u{85}e\u{b}f\u{202e}g\u{2067}h\u{0}`,
  );
  for (const plain of ['Çınar\t10.5.50.9', 'مهمان\u200cها', '👩‍💻 ok']) expect(visibleText(plain)).toBe(plain);
});
