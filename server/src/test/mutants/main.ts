// Puts one defect at a time into the product and runs the test that must notice it.
// `main.ts` runs all of them, `main.ts <text> …` those whose name, file or test contains a text, and `main.ts --slice` (in `npm test`)
// those marked `always` and those of the files that the branch changed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createVitest, type TestModule } from 'vitest/node';
import { migrated } from '../database.ts';
import startPostgres from '../global-setup.ts';
import { mutants } from './list.ts';
import { isSource, type Mutant, type SourceMutant } from './mutant.ts';
import { makeMutantTemplate } from './templates.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const hook = new URL('patch-source.ts', import.meta.url).href;
const schema = 'server/src/db/schema/';

process.env['NODE_ENV'] = 'test';
const chosen = choose(process.argv.slice(2));
let server = '';
let shared = '';
const stop = await startPostgres({
  provide: (key, value) => {
    if (key === 'postgres') server = value;
    if (key === 'shared') shared = value;
  },
});
try {
  const problems = await run(chosen);
  for (const problem of problems) console.log(problem);
  console.log(`${chosen.length - problems.length} of ${chosen.length} deliberate defects were noticed`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await stop();
}

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

/** Runs the test of each mutant in a process of its own. Returns one line per mutant that was not noticed. */
async function run(of: readonly Mutant[]): Promise<string[]> {
  const problems: string[] = [];
  const ready = new Map<string, { mutant: Mutant; template: string }>();
  for (const [n, mutant] of of.entries()) {
    const template = isSource(mutant) ? migrated : `mutant_${n}`;
    const reason = isSource(mutant)
      ? sourceProblem(mutant)
      : await makeMutantTemplate(server, template, mutant).catch(String);
    if (reason) problems.push(`cannot be made: ${mutant.wrong} (${reason})`);
    else ready.set(`mutant-${n}`, { mutant, template });
  }

  const waiting = new Map(ready);
  function report(module: TestModule): void {
    const { mutant } = ready.get(module.project.name)!;
    waiting.delete(module.project.name);
    const reason = survivalOf(module);
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    console.log(`${reason ? 'NOT NOTICED' : 'noticed'}: ${mutant.wrong} (${seconds} s)`);
    if (reason) problems.push(`${reason}: ${mutant.wrong} (${mutant.test}: ${mutant.title})`);
  }

  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    reporters: [{ onTestModuleEnd: report }],
    maxWorkers: availableParallelism(),
    pool: 'forks',
    projects: [...ready].map(([name, { mutant, template }]) => ({
      test: {
        name,
        root,
        include: [mutant.test],
        pool: 'forks' as const,
        experimental: { viteModuleRunner: false },
        provide: { postgres: server, template, shared },
        // A defect may keep a test waiting for what never happens.
        testTimeout: 60_000,
        hookTimeout: 120_000,
        ...(isSource(mutant) && {
          execArgv: ['--import', hook],
          env: { PORTICO_MUTANT: JSON.stringify({ ...mutant, url: pathToFileURL(path.join(root, mutant.file)).href }) },
        }),
      },
    })),
  });
  try {
    await vitest.runTestSpecifications(
      [...ready].map(([name, { mutant }]) =>
        vitest.projects
          .find(project => project.name === name)!
          .createSpecification(path.join(root, mutant.test), { testNamePattern: titled(mutant.title) }),
      ),
    );
  } finally {
    await vitest.close();
  }
  // Its process died, for example.
  for (const { mutant } of waiting.values()) problems.push(`did not run: ${mutant.wrong} (${mutant.test})`);
  return problems;
}

/** Why the test has not noticed the defect; undefined if it has. A test that cannot start has noticed nothing. */
function survivalOf(module: TestModule): string | undefined {
  const states = [...module.children.allTests()].map(test => test.result().state);
  const ran = states.some(state => state === 'passed' || state === 'failed');
  if (module.state() === 'failed' && ran) return undefined;
  const error = module.errors()[0]?.message;
  return ran ? 'survived' : error === undefined ? 'no test of that name' : `does not load: ${error}`;
}

function sourceProblem({ file, from }: SourceMutant): string | undefined {
  if (!existsSync(path.join(root, file))) return `there is no ${file}`;
  const places = readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
  return places === 1 ? undefined : `${file} contains the text ${places} times`;
}

function titled(title: string): RegExp {
  return new RegExp(title.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
}
