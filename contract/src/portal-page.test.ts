import { expect, test } from 'vitest';
import { defaultOffered } from './portal-languages.ts';
import { fullPage, offeredLanguages, portalPage } from './portal-page.ts';

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
  for (const url of ['ftp://a.example', 'xhttps://a.example', 'https://a', 'javascript:x', ''])
    expect(messageOf({ links: [{ kind: 'x', url }] }), url).toBe('link_format');
  expect(
    messageOf({ links: Array.from({ length: 11 }, () => ({ kind: 'x', url: 'https://a.example' })) }),
  ).toBeDefined();
  expect(
    messageOf({ links: Array.from({ length: 10 }, () => ({ kind: 'x', url: 'https://a.example' })) }),
  ).toBeUndefined();
});
