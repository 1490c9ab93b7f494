import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('**/*.en.json', { cwd: src });

const leaves = (node: unknown, at = ''): [string, string][] =>
  typeof node === 'string'
    ? [[at, node]]
    : Object.entries(node as object).flatMap(([key, value]) => leaves(value, at ? `${at}.${key}` : key));

const read = (file: string) => new Map(leaves(JSON.parse(readFileSync(path.join(src, file), 'utf8'))));
const places = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(match => match[1]).sort();

test.each(files)('%s and its Turkish sibling have the same keys and places', file => {
  const [english, turkish] = [read(file), read(file.replace('.en.json', '.tr.json'))];
  expect([...turkish.keys()].sort()).toEqual([...english.keys()].sort());
  for (const [key, text] of english) {
    expect(turkish.get(key), key).not.toBe('');
    expect(places(turkish.get(key) ?? ''), key).toEqual(places(text));
  }
});
