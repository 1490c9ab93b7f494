import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.ts';
import { nameOf } from './change.ts';
import { known } from './known.ts';
import { changesOf } from './possible-changes.ts';

const changeOf = (text: string, of: string, at = text.indexOf(of)) =>
  nameOf({ file: 'some.ts', start: at, end: at + of.length, to: '>' }, text);

const text = 'if (a) {\n  return b >= c;\n}\n';

test('an edit of other lines and of indentation keeps the name of a change', () => {
  expect(changeOf(`// A comment\n\n${text}`, '>=')).toBe(changeOf(text, '>='));
  expect(changeOf(text.replace('  return', '\treturn'), '>=')).toBe(changeOf(text, '>='));
});

test('another statement, another place in it and the same statement again have other names', () => {
  const twice = text + text;
  const names = [
    changeOf(text, '>='),
    changeOf(text.replace('c;', 'd;'), '>='),
    changeOf(text.replace('b >= c', 'c >= b >= c'), '>='),
    changeOf(twice, '>=', twice.lastIndexOf('>=')),
  ];
  expect(new Set(names).size).toBe(names.length);
});

test.each([...known.keys()])('has a reason and can still be made: %s', async name => {
  const [file = ''] = name.split(' ');
  const code = readFileSync(path.join(root, file), 'utf8');
  const changes = await changesOf(file);
  expect(changes.map(it => nameOf(it, code))).toContain(name);
});
