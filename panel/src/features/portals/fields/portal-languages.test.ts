import { describe, expect, test } from 'vitest';
import { countMissing, hasText, missingSummary } from '#features/portals/fields/portal-languages.ts';

const offered = ['tr', 'en', 'de', 'ru', 'ar'] as const;

describe('translations', () => {
  test('are missing only if another language has the text', () => {
    expect(missingSummary(countMissing([{ tr: 'Merhaba', en: 'Hello' }, {}, { ar: 'أهلا' }], offered))).toBe(
      'TR 1, EN 1, DE 2, RU 2, AR 1',
    );
    expect(countMissing([{}, { tr: '' }], offered).size).toBe(0);
  });

  test('rich text without words or pictures counts as empty', () => {
    expect(hasText('<p><br></p>')).toBe(false);
    expect(hasText('<p>&nbsp;</p>')).toBe(false);
    expect(hasText('<p><img src="/a.webp"></p>')).toBe(true);
  });
});
