import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { en } from '@portico/contract/guest-texts/en.ts';
import { tr } from '@portico/contract/guest-texts/tr.ts';
import { integrationKinds } from '@portico/contract/integration-kinds.ts';
import { expect, test } from 'vitest';

/** Bold words of the manual are names on the screen, in the language of the page. */

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Names that are not in the texts: of other programs, and those that are the same in every language. */
const elsewhere = ['Bildirim URL', 'Entra ID', 'Google', 'Keycloak', 'RadSec'];
const ofProviders = { en: ['Merchant Notifications'], tr: ['İşyeri Bildirimleri'] };
const guestTexts = { en, tr };

const leaves = (node: unknown): string[] =>
  typeof node === 'string' ? [node] : node && typeof node === 'object' ? Object.values(node).flatMap(leaves) : [];

const pattern = (text: string): string =>
  text
    .split(/\{\{[^}]*\}\}/)
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.+');

test.each(['en', 'tr'] as const)(
  'the names of buttons and screens in the manual are those of the panel: %s',
  language => {
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
    const pages = globSync(language === 'tr' ? 'docs/manual/tr/*.md' : 'docs/manual/*.md', { cwd: root });
    expect(pages.length).toBeGreaterThan(20);
    const unknown = pages.flatMap(page =>
      [...read(page).matchAll(/\*\*([^*]+)\*\*/g)]
        .flatMap(([, bold = '']) => bold.split(/\s*[›→]\s*/))
        .filter(name => !names.has(small(name)) && !withValues.test(small(name)))
        .map(name => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  },
);
