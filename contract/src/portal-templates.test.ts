import { describe, expect, test } from 'vitest';
import { portalLanguages } from './portal-languages.ts';
import { portalStyles } from './portal-styles.ts';
import { templateNames, templateStyles, templates } from './portal-templates.ts';

describe.each(templateNames)('the template %s', name => {
  test('has only allowed values, and leaves logos and pictures alone', () => {
    const styles = templateStyles(name);
    expect(portalStyles.partial().parse(styles)).toEqual(styles);
    for (const kept of ['portal_logo', 'dark_logo', 'favicon', 'background_image'])
      expect(styles).not.toHaveProperty(kept);
  });

  test('has its sample texts in every language', () => {
    for (const texts of Object.values(templates[name].messages))
      for (const language of portalLanguages) expect(texts[language], language).toBeTruthy();
  });
});
