import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mutants } from './list.ts';
import { isSource } from './mutant.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');
const schema = globSync('server/src/db/schema/*.sql', { cwd: root }).map(read).join('\n');

const patches = mutants.flatMap(it =>
  'from' in it ? [{ wrong: it.wrong, from: it.from, text: isSource(it) ? read(it.file) : schema }] : [],
);

test.each(patches)('can still be made: $wrong', ({ from, text }) => {
  expect(text.split(from)).toHaveLength(2);
});
