import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));

/** The files that `file` imports, now or later, directly or not; the panel after sign-in is another program. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || file.endsWith('panel-app.tsx')) return found;
  found.add(file);
  for (const [, imported] of readFileSync(path.join(src, file), 'utf8').matchAll(
    /'#((?:app|lib|ui|features)\/[^']+\.tsx?)'/g,
  ))
    if (imported) importsOf(imported, found);
  return found;
}

test('the screens before sign-in use only texts that they can load', () => {
  const files = [...importsOf('app/start.tsx')];
  expect(files.length).toBeGreaterThan(30);
  const used = files.flatMap(file => {
    const code = readFileSync(path.join(src, file), 'utf8');
    const namespaces = [...code.matchAll(/(?:useTranslation|loadTexts)\(([^)]*)\)/g)].flatMap(([, names = '']) => [
      ...names.matchAll(/'([\w-]+)'/g),
    ]);
    const prefixes = [...code.matchAll(/\bt\(\s*['`]([\w-]+):/g)];
    return [...namespaces, ...prefixes].map(([, name]) => ({ file, name }));
  });
  expect(used.map(it => it.name)).toContain('auth');
  const known = (name = '') => ['lib', 'features/auth'].some(at => existsSync(path.join(src, at, `${name}.en.json`)));
  expect(used.filter(it => !known(it.name))).toEqual([]);
});
