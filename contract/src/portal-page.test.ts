import { expect, test } from 'vitest';
import { guestTexts, placeholdersIn } from './guest-texts/flat.ts';
import { ownLanguageLimits } from './own-language-limits.ts';
import { defaultOffered } from './portal-languages.ts';
import { fullPage, offeredLanguages, portalPage, textProblem } from './portal-page.ts';

test('a page that was never changed has no links and blocks, and the usual languages', () => {
  for (const page of [null, undefined, {}])
    expect(fullPage(page)).toEqual({
      links: [],
      sign_in_blocks: [],
      connected_blocks: [],
      languages: [...defaultOffered],
      own_languages: [],
    });
});

test('a stored page keeps what it has, with its default language first', () => {
  const links = [{ kind: 'map' as const, url: 'https://a.example/' }];
  expect(fullPage({ links, languages: ['de', 'tr'] })).toMatchObject({ links, languages: ['de', 'tr'] });
  expect(offeredLanguages({ languages: ['de', 'tr'] })).toEqual(['de', 'tr']);
});

test('languages are offered once each, and at least one; links lead to a site', () => {
  const messageOf = (change: object) =>
    portalPage.safeParse({ ...fullPage(null), ...change }).error?.issues[0]?.message;
  expect(messageOf({})).toBeUndefined();
  expect(messageOf({ languages: [] })).toBe('required');
  expect(messageOf({ languages: ['tr', 'tr'] })).toBe('unique');
  expect(messageOf({ languages: ['xx'] })).toBeDefined();
  for (const url of ['http://a.example', ' https://a.example/x '])
    expect(messageOf({ links: [{ kind: 'x', url }] })).toBeUndefined();
  const withUser = ['http://user:secret@a.example', 'https://bank.example@a.example/x', 'https://:secret@a.example'];
  for (const url of ['ftp://a.example', 'xhttps://a.example', 'https://a', 'javascript:x', ''])
    expect(messageOf({ links: [{ kind: 'x', url }] }), url).toBe('link_format');
  for (const url of withUser) expect(messageOf({ links: [{ kind: 'x', url }] }), url).toBe('link_user');
  expect(
    messageOf({ links: Array.from({ length: 11 }, () => ({ kind: 'x', url: 'https://a.example' })) }),
  ).toBeDefined();
  expect(
    messageOf({ links: Array.from({ length: 10 }, () => ({ kind: 'x', url: 'https://a.example' })) }),
  ).toBeUndefined();
});

const [plain, filled] = [false, true].map(
  isFilled => [...guestTexts].find(([, text]) => placeholdersIn(text).length > 0 === isFilled)![0],
) as [string, string];

/** The places that are refused, with their messages. */
const refused = (change: object) =>
  (portalPage.safeParse({ ...fullPage(null), ...change }).error?.issues ?? []).map(it => [
    it.path.join('.'),
    it.message,
  ]);

test('a text of an own language has a known key and the values that the page fills in', () => {
  expect(textProblem(plain, 'Bonjou')).toBeUndefined();
  expect(textProblem('no.such.key', 'Bonjou')).toBe('unknown');
  expect(textProblem('no.such.key', '')).toBe('unknown');
  expect(textProblem(filled, '')).toBeUndefined();
  expect(textProblem(filled, 'Bonjou')).toBe('placeholders');
  expect(textProblem(filled, guestTexts.get(filled)!)).toBeUndefined();
  expect(textProblem(plain, 'Bonjou {phone}')).toBe('placeholders');
});

test('a language of the owner has a name, is added once, and is not one that the product ships', () => {
  const haitian = { tag: 'ht', name: 'Kreyòl', texts: { [plain]: 'Bonjou' } };
  expect(refused({ own_languages: [haitian] })).toEqual([]);
  expect(refused({ own_languages: [{ ...haitian, tag: 'de' }] })).toEqual([
    ['own_languages.0.tag', 'language_shipped'],
  ]);
  expect(refused({ own_languages: [{ ...haitian, tag: 'sms' }] })).toEqual([['own_languages.0.tag', 'language_tag']]);
  expect(refused({ own_languages: [{ ...haitian, name: ' ' }] })).toEqual([['own_languages.0.name', 'required']]);
  const georgian = { ...haitian, tag: 'ka' };
  expect(refused({ own_languages: [haitian, georgian] })).toEqual([]);
  expect(refused({ own_languages: [georgian, haitian, haitian] })).toEqual([['own_languages.2.tag', 'unique']]);
  expect(refused({ own_languages: [haitian, haitian, georgian] })).toEqual([['own_languages.1.tag', 'unique']]);
});

test('a wrong text of an own language is named by its key, and all of them together have a limit', () => {
  const language = (texts: Record<string, string>) =>
    refused({ own_languages: [{ tag: 'ht', name: 'Kreyòl', texts }] });
  expect(language({ [plain]: 'Bonjou', 'no.such.key': 'x' })).toEqual([
    ['own_languages.0.texts.no.such.key', 'unknown'],
  ]);
  expect(language({ [filled]: 'Bonjou' })).toEqual([[`own_languages.0.texts.${filled}`, 'placeholders']]);
  const keys = [...guestTexts].filter(([, text]) => placeholdersIn(text).length === 0).map(([key]) => key);
  const full = ownLanguageLimits.texts / ownLanguageLimits.text;
  const most = Object.fromEntries(keys.slice(0, full).map(key => [key, 'x'.repeat(ownLanguageLimits.text)]));
  expect(Object.keys(most)).toHaveLength(full);
  expect(language(most)).toEqual([]);
  expect(language({ ...most, [keys[full]!]: 'x' })).toEqual([['own_languages.0.texts', 'texts_long']]);
});

test('a survey is on the connected page only', () => {
  const survey = { kind: 'survey', label: { tr: 'Anket' }, survey_id: 'a0000000-0000-4000-8000-000000000001' };
  const text = { kind: 'text', texts: { tr: 'Metin' } };
  expect(refused({ connected_blocks: [survey], sign_in_blocks: [text] })).toEqual([]);
  expect(refused({ sign_in_blocks: [survey] })).toEqual([['sign_in_blocks.0.kind', 'invalid']]);
  expect(refused({ sign_in_blocks: [text, survey, text] })).toEqual([['sign_in_blocks.1.kind', 'invalid']]);
});
