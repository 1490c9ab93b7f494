import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = path.join(root, 'docs/manual/pictures');
const taken = readdirSync(folder).sort();
const pages = globSync('docs/manual/{*,tr/*}.md', { cwd: root }).sort();
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The pictures of a page as `name.scheme`, with their alternative texts. */
const shownOn = (page: string) =>
  [
    ...read(page).matchAll(
      /!\[([^\]]*)\]\((?:\.\.?\/)pictures\/([\w-]+)\.(en|tr)\.(light|dark)\.webp\)\{\.(light|dark)-scheme\}/g,
    ),
  ].map(([, alt = '', name, language, scheme, shown]) => ({ alt, name, language, scheme, shown }));

test('pages show each picture in their language and both schemes, with words that say what is on it', () => {
  for (const page of pages) {
    const all = shownOn(page);
    expect(all.length, `${page}: a picture is written in another way`).toBe(read(page).split('.webp').length - 1);
    for (const it of all) {
      expect([it.language, it.shown], page).toEqual([page.includes('/tr/') ? 'tr' : 'en', it.scheme]);
      expect(it.alt.length, `${page}: ${it.name}`).toBeGreaterThan(20);
      expect(
        all
          .filter(other => other.name === it.name && other.alt === it.alt)
          .map(other => other.scheme)
          .sort(),
      ).toEqual(['dark', 'light']);
    }
  }
});

test('both languages show the same pictures', () => {
  for (const page of pages.filter(it => !it.includes('/tr/'))) {
    const names = (of: string) => shownOn(of).map(({ name, scheme }) => `${name} ${scheme}`);
    expect(names(page.replace('manual/', 'manual/tr/')), page).toEqual(names(page));
  }
});

test('every picture is there and shown, and together they are small', () => {
  const ofReadme = [...read('README.md').matchAll(/docs\/manual\/pictures\/([\w.-]+\.webp)/g)].map(([, file]) => file!);
  const ofManual = pages.flatMap(shownOn).map(it => `${it.name}.${it.language}.${it.scheme}.webp`);
  expect(ofReadme.filter(file => !taken.includes(file))).toEqual([]);
  expect([...new Set([...ofManual, ...ofReadme])].sort()).toEqual(taken);
  const bytes = taken.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
  expect(bytes).toBeLessThan(3_000_000);
});
