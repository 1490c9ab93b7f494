import { defaultStyles } from '@portico/contract/portal-styles.ts';
import { describe, expect, test } from 'vitest';
import { weakColours } from '#features/portals/contrast.ts';
import { changedStyles, drawable } from '#features/portals/general-values.ts';
import { hasText, missingIn } from '#features/portals/portal-languages.ts';

describe('translations', () => {
  test('are missing only where another language has the text', () => {
    expect(missingIn([{ tr: 'Merhaba', en: 'Hello' }, {}])).toEqual(['de', 'ru', 'ar']);
    expect(missingIn([{}, { tr: '' }])).toEqual([]);
  });

  test('rich text without words or pictures is none', () => {
    expect(hasText('<p><br></p>')).toBe(false);
    expect(hasText('<p>&nbsp;</p>')).toBe(false);
    expect(hasText('<p><img src="/a.webp"></p>')).toBe(true);
  });
});

describe('colours', () => {
  test('the product’s own are never warned about', () => {
    expect(weakColours(defaultStyles)).toEqual({});
    expect(weakColours({ ...defaultStyles, color_scheme: 'dark' })).toEqual({});
  });

  test('faint ones are, on the form as it is painted', () => {
    const faint = { ...defaultStyles, welcome_message_text_color: '#cccccc' };
    expect(Object.keys(weakColours(faint))).toEqual(['welcome_message_text_color']);
    expect(weakColours({ ...faint, color_scheme: 'dark' })).not.toHaveProperty('welcome_message_text_color');
  });

  test('half-typed ones are kept from the preview, and only changed ones are sent', () => {
    const typed = { ...defaultStyles, primary_color: '#12', alert_color: '#aa0000' };
    expect(drawable(typed)).not.toHaveProperty('primary_color');
    expect(changedStyles({ ...defaultStyles, alert_color: '#aa0000' }, defaultStyles)).toEqual({
      alert_color: '#aa0000',
    });
  });
});
