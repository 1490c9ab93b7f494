import { expect, test } from 'vitest';
import { cardTexts, signInText } from './card-texts.ts';
import { portalLanguages } from './portal-languages.ts';

test.each(portalLanguages)('a card with one code counts no steps: %s', language => {
  const { join, signIn } = cardTexts(language);
  expect(join).toMatch(/^\p{Nd}\. /u);
  expect(signInText(language, { isSecond: true })).toBe(signIn);
  const alone = signInText(language, { isSecond: false });
  expect(signIn.endsWith(alone)).toBe(true);
  expect(alone).not.toMatch(/\p{Nd}/u);
});
