import { defaultStyles } from '@portico/contract/portal-styles.ts';
import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import { describe, expect, test } from 'vitest';
import { weakColours } from '#features/portals/design/contrast.ts';
import { drawable } from '#features/portals/design/general-values.ts';
import { changesOf } from '#features/portals/editor/changes-of.ts';
import { hasText, missingIn, missingShort } from '#features/portals/fields/portal-languages.ts';

describe('translations', () => {
  test('are missing only where another language has the text', () => {
    expect(missingShort(missingIn([{ tr: 'Merhaba', en: 'Hello' }, {}, { ar: 'أهلا' }]))).toBe(
      'TR 1, EN 1, DE 2, RU 2, AR 1',
    );
    expect(missingIn([{}, { tr: '' }]).size).toBe(0);
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

  test.each([
    ['primary_color', '#f2f6ff', '#1b4fc0'],
    ['secondary_color', '#f2f6ff', '#1b3a7a'],
    ['alert_color', '#e05a50', '#b42318'],
    ['warning_color', '#e58a00', '#93370d'],
    ['info_color', '#53b1fd', '#1849a9'],
    ['success_color', '#12b76a', '#054f31'],
    ['welcome_message_text_color', '#b0b5bd', '#344054'],
  ] as const)('%s is told of when %s is chosen, and not when %s is', (key, faint, clear) => {
    expect(Object.keys(weakColours({ ...defaultStyles, [key]: faint }))).toEqual([key]);
    expect(weakColours({ ...defaultStyles, [key]: clear })).toEqual({});
  });

  test('a form in another colour makes the product’s own faint', () => {
    const weak = Object.keys(weakColours({ ...defaultStyles, form_background_color: '#d92d20' }));
    expect(weak).toEqual(expect.arrayContaining(['alert_color', 'warning_color', 'primary_color']));
  });

  test('half-typed ones are kept from the preview', () => {
    const typed = { ...defaultStyles, primary_color: '#12', alert_color: '#aa0000' };
    expect(drawable(typed)).not.toHaveProperty('primary_color');
  });
});

describe('what is sent', () => {
  const provider = { slug: 'sms', order: 1, is_active: true, options: {} };
  const kept = {
    name: 'Lobi',
    styles: defaultStyles,
    providers: [provider],
    messages: { buy: { tr: 'Al', en: 'Buy' }, daily: { tr: 'Günlük' } },
    agreements: { kvkk: { tr: 'Metin' }, general: {} },
  } as unknown as Portal;

  test('is what was changed, by style, by message and by language', () => {
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

  test('is nothing of parts that stand as they were, or that the form does not have', () => {
    expect(changesOf({ name: 'Bahçe' }, kept)).toEqual({ name: 'Bahçe' });
    expect(changesOf({ providers: kept.providers } as PortalForm, kept)).toEqual({});
  });
});
