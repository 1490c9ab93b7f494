// Puts one defect at a time into the product and runs the test that must notice it. `main.ts` runs all of them, and `main.ts
// <text> …` those whose name, file or test contains a text. `npm test` calls `main.ts --slice`: those marked `always`, and
// those of the files that the branch changed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mutants } from './list.ts';
import { isSource, type Mutant } from './mutant.ts';
import { root, run, withPostgres } from './run.ts';

const schema = 'server/src/db/schema/';

process.env['NODE_ENV'] = 'test';
const chosen = choose(process.argv.slice(2));
const problems = await withPostgres(place => run(chosen, place));
for (const { mutant, reason } of problems) console.log(`${reason}: ${mutant.wrong} (${mutant.test}: ${mutant.title})`);
console.log(`${chosen.length - problems.length} of ${chosen.length} deliberate defects were noticed`);
process.exitCode = problems.length === 0 ? 0 : 1;

function choose(wanted: readonly string[]): readonly Mutant[] {
  const names = (it: Mutant) => [it.wrong, it.test, isSource(it) ? it.file : ''];
  if (!wanted.length) return mutants;
  if (wanted[0] !== '--slice')
    return mutants.filter(it => wanted.some(text => names(it).some(name => name.includes(text))));
  const changed = changedFiles();
  const schemas = changed.filter(file => file.startsWith(schema) && existsSync(path.join(root, file)));
  const texts = schemas.map(file => readFileSync(path.join(root, file), 'utf8'));
  const concerns = (it: Mutant) =>
    isSource(it) ? changed.includes(it.file) : 'from' in it && texts.some(text => text.includes(it.from));
  return mutants.filter(it => it.always || concerns(it));
}

/** The files that differ from main, as far as Git knows it. */
function changedFiles(): string[] {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return git('diff', '--name-only', git('merge-base', 'HEAD', 'main').trim()).split('\n');
  } catch {
    return [];
  }
}
