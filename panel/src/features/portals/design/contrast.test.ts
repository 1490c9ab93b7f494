import { defaultStyles } from '@portico/contract/portal-styles.ts';
import { describe, expect, test } from 'vitest';
import { weakColours } from '#features/portals/design/contrast.ts';
import { withoutInvalidColours } from '#features/portals/design/general-values.ts';

describe('colours', () => {
  test('default colours get no warning', () => {
    expect(weakColours(defaultStyles)).toEqual({});
    expect(weakColours({ ...defaultStyles, color_scheme: 'dark' })).toEqual({});
  });

  test('a faint colour on the painted form gets a warning', () => {
    const faint = { ...defaultStyles, welcome_message_text_color: '#cccccc' };
    expect(Object.keys(weakColours(faint))).toEqual(['welcome_message_text_color']);
    expect(weakColours({ ...faint, color_scheme: 'dark' })).not.toHaveProperty('welcome_message_text_color');
  });

  test.each([
    ['primary_color', '#f2f6ff', '#1b4fc0'],
    ['secondary_color', '#f2f6ff', '#1b3a7a'],
    ['alert_color', '#e05a50', '#b42318'],
    ['warning_color', '#e58a00', '#93370d'],
    ['info_color', '#53b1fd', '#1849a9'],
    ['success_color', '#12b76a', '#054f31'],
    ['welcome_message_text_color', '#b0b5bd', '#344054'],
  ] as const)('%s gets a warning for %s and none for %s', (key, faint, clear) => {
    expect(Object.keys(weakColours({ ...defaultStyles, [key]: faint }))).toEqual([key]);
    expect(weakColours({ ...defaultStyles, [key]: clear })).toEqual({});
  });

  test('default colours get a warning on a form of another colour', () => {
    const weak = Object.keys(weakColours({ ...defaultStyles, form_background_color: '#d92d20' }));
    expect(weak).toEqual(expect.arrayContaining(['alert_color', 'warning_color', 'primary_color']));
  });

  test('a half-typed colour is not sent to the preview', () => {
    const halfTyped = { ...defaultStyles, primary_color: '#12', alert_color: '#aa0000' };
    expect(withoutInvalidColours(halfTyped)).not.toHaveProperty('primary_color');
  });
});
