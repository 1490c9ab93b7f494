import { defaultStyles } from '@portico/contract/portal-styles.ts';
import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import { describe, expect, test } from 'vitest';
import { weakColours } from '#features/portals/design/contrast.ts';
import { drawable } from '#features/portals/design/general-values.ts';
import { changesOf } from '#features/portals/editor/changes-of.ts';
import { hasText, missingIn, missingShort } from '#features/portals/fields/portal-languages.ts';

describe('translations', () => {
  test('are missing only if another language has the text', () => {
    expect(missingShort(missingIn([{ tr: 'Merhaba', en: 'Hello' }, {}, { ar: 'أهلا' }]))).toBe(
      'TR 1, EN 1, DE 2, RU 2, AR 1',
    );
    expect(missingIn([{}, { tr: '' }]).size).toBe(0);
  });

  test('rich text without words or pictures counts as empty', () => {
    expect(hasText('<p><br></p>')).toBe(false);
    expect(hasText('<p>&nbsp;</p>')).toBe(false);
    expect(hasText('<p><img src="/a.webp"></p>')).toBe(true);
  });
});

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
    const typed = { ...defaultStyles, primary_color: '#12', alert_color: '#aa0000' };
    expect(drawable(typed)).not.toHaveProperty('primary_color');
  });
});

describe('changes sent to the server', () => {
  const provider = { slug: 'sms', order: 1, is_active: true, options: {} };
  const kept = {
    name: 'Lobi',
    styles: defaultStyles,
    providers: [provider],
    messages: { buy: { tr: 'Al', en: 'Buy' }, daily: { tr: 'Günlük' } },
    agreements: { kvkk: { tr: 'Metin' }, general: {} },
  } as unknown as Portal;

  test('contain only changed styles, messages and languages', () => {
    const form = {
      name: 'Lobi',
      styles: { ...defaultStyles, alert_color: '#aa0000' },
      providers: [{ ...provider, is_active: false }],
      messages: { buy: { tr: 'Al', en: 'Get' }, daily: { tr: 'Günlük' } },
      agreements: { kvkk: { tr: '' }, general: {} },
    } as unknown as PortalForm;
    expect(changesOf(form, kept)).toEqual({
      styles: { alert_color: '#aa0000' },
      providers: [{ ...provider, is_active: false }],
      messages: { buy: { en: 'Get' } },
      agreements: { kvkk: { tr: '' } },
    });
  });

  test('leave out unchanged parts and parts that the form lacks', () => {
    expect(changesOf({ name: 'Bahçe' }, kept)).toEqual({ name: 'Bahçe' });
    expect(changesOf({ providers: kept.providers } as PortalForm, kept)).toEqual({});
  });
});
