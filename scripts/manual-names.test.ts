import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { en } from '@portico/contract/guest-texts/en.ts';
import { tr } from '@portico/contract/guest-texts/tr.ts';
import { integrationKinds } from '@portico/contract/integration-kinds.ts';
import { expect, test } from 'vitest';

/** Names of buttons and screens in the manual and in the guides are those on the screen, in the language of the page. */

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Names that are not in the texts: of other programs, and those that are the same in every language. */
const elsewhere = ['Bildirim URL', 'Entra ID', 'Google', 'Keycloak', 'RadSec'];
const ofProviders = { en: ['Merchant Notifications'], tr: ['İşyeri Bildirimleri'] };
const guestTexts = { en, tr };

/** Names in the texts of the guides that belong to gateways and vendors. */
const ofGateways = new Set([
  ...[
    'not allowed by device-mode',
    'RADIUS server is not responding',
    '403 – Forbidden',
    'captive',
    'ChilliSpot',
    'ChilliSpot style',
  ],
  ...['Swap octets', 'Meraki (click-through)', 'Meraki (sign-on)', 'Reauthenticate connected users every minute'],
  ...['Captive Portal › Sessions', 'Status › Captive Portal', 'Firewall › Shaper', 'Help › Firewall info'],
]);

const leaves = (node: unknown): string[] =>
  typeof node === 'string' ? [node] : node && typeof node === 'object' ? Object.values(node).flatMap(leaves) : [];

const pattern = (text: string): string =>
  text
    .split(/\{\{[^}]*\}\}/)
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.+');

/** Says which of these are no names on the screen in a language. */
function unknownIn(language: 'en' | 'tr') {
  const files = globSync(`panel/src/**/*.${language}.json`, { cwd: root }).filter(it => !it.includes('/guides.'));
  const texts = [
    ...files.flatMap(file => leaves(JSON.parse(read(file)))),
    ...leaves(guestTexts[language]),
    ...integrationKinds.map(it => it.name),
    ...elsewhere,
    ...ofProviders[language],
  ];
  // Within a sentence a name may begin with a small letter.
  const small = (text: string) => text.toLocaleLowerCase(language);
  const names = new Set(texts.map(small));
  // Only texts with a word besides what is filled in.
  const filled = texts.filter(it => it.includes('{{') && /\p{L}{3}/u.test(it.replace(/\{\{[^}]*\}\}/g, '')));
  const withValues = new RegExp(`^(?:${filled.map(it => pattern(small(it))).join('|')})$`, 'u');
  return (name: string): boolean => !names.has(small(name)) && !withValues.test(small(name));
}

const languages = ['en', 'tr'] as const;

test.each(languages)('bold words of the manual are names on the screen: %s', language => {
  const isUnknown = unknownIn(language);
  const pages = globSync(language === 'tr' ? 'docs/manual/tr/*.md' : 'docs/manual/*.md', { cwd: root });
  expect(pages.length).toBeGreaterThan(20);
  const unknown = pages.flatMap(page =>
    [...read(page).matchAll(/\*\*([^*]+)\*\*/g)]
      .flatMap(([, bold = '']) => bold.split(/\s*[›→]\s*/))
      .filter(isUnknown)
      .map(name => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test.each(languages)('quoted words and ways through menus in the guides are names on the screen: %s', language => {
  const isUnknown = unknownIn(language);
  const { values: _, ...guides } = JSON.parse(read(`panel/src/features/guides/guides.${language}.json`));
  // Commands and menus of gateways are in `code`.
  const texts = JSON.stringify(guides, (key, value) => (key === 'code' ? undefined : value));
  const quoted = [...texts.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
  const way = /\p{Lu}[\p{L}\d-]*(?: \p{Lu}[\p{L}\d-]*)? › \p{Lu}[\p{L}\d-]*(?: (?:info|\p{Lu}[\p{L}\d-]*))?/gu;
  const ways = [...texts.matchAll(way)].map(([name]) => name);
  expect(quoted.length).toBeGreaterThan(10);
  expect(ways.length).toBeGreaterThan(20);
  const unknown = [...quoted, ...ways]
    .filter(name => !ofGateways.has(name))
    .flatMap(name => name.split(' › '))
    .filter(isUnknown);
  expect(unknown).toEqual([]);
});
