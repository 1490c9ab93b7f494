import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtFiles, filesIn, noteBuild } from './lib/built-files.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-built-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the files of the build before stay for a product that runs, and older ones go', () => {
  const [dist, list] = [path.join(folder, 'dist'), path.join(folder, 'list.json')];
  const build = (...files: string[]) => {
    for (const file of files) {
      mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
      writeFileSync(path.join(dist, file), file);
    }
    noteBuild(dist, list, files);
    return filesIn(dist).sort();
  };
  expect(builtFiles(list)).toBeUndefined();
  expect(build('main.js', 'assets/a-1.js')).toEqual(['assets/a-1.js', 'main.js']);
  expect(build('main.js', 'assets/a-2.js')).toEqual(['assets/a-1.js', 'assets/a-2.js', 'main.js']);
  expect(build('main.js', 'assets/a-3.js')).toEqual(['assets/a-2.js', 'assets/a-3.js', 'main.js']);
  expect(builtFiles(list)).toEqual(new Set(['main.js', 'assets/a-3.js']));
});
