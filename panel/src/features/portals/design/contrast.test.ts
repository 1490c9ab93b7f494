import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import { templateNames, templateStyles } from '@portico/contract/portal-templates.ts';
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

  test.each(templateNames)('the colours of the template %s need no warning', name => {
    expect(weakColours({ ...defaultStyles, ...templateStyles(name) })).toEqual({});
  });

  test('a half-typed colour is not sent to the preview', () => {
    const halfTyped = { ...defaultStyles, primary_color: '#12', alert_color: '#aa0000' };
    expect(withoutInvalidColours(halfTyped)).not.toHaveProperty('primary_color');
  });
});

/** About 3.5:1 on white. */
const grey = '#8a8a8a';
const onWhite = { ...defaultStyles, form_background_color: '#fffffe' };

test('the welcome text needs a contrast of 4.5:1, or 3:1 from 19 pixels on', () => {
  const styles = { ...onWhite, welcome_message_text_color: grey };
  expect(weakColours({ ...styles, welcome_font_size: 18 })).toHaveProperty('welcome_message_text_color');
  expect(weakColours({ ...styles, welcome_font_size: 19 })).not.toHaveProperty('welcome_message_text_color');
});

test('buttons need a contrast of 3:1 and messages 4.5:1', () => {
  const weak = weakColours({ ...onWhite, primary_color: grey, secondary_color: '#c0c0c0', alert_color: grey });
  expect(weak).not.toHaveProperty('primary_color');
  expect(weak.secondary_color).toBeCloseTo(1.82, 1);
  expect(weak.alert_color).toBeCloseTo(3.45, 1);
});
