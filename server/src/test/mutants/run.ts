import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createVitest, type TestModule } from 'vitest/node';
import { migrated } from '../database.ts';
import startPostgres from '../global-setup.ts';
import { isSource, type Mutant, type SourceMutant } from './mutant.ts';
import { makeMutantTemplate } from './templates.ts';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));
const hook = new URL('patch-source.ts', import.meta.url).href;
const stopAtFirst = fileURLToPath(new URL('stop-at-first.ts', import.meta.url));

export interface Place {
  /** The URL of PostgreSQL. */
  readonly server: string;
  /** The folder that test files share. */
  readonly shared: string;
}

/** Starts PostgreSQL with the migrated template database, and stops it after the work. */
export async function withPostgres<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const place = { server: '', shared: '' };
  const stop = await startPostgres({
    provide: (key, value) => {
      if (key === 'postgres') place.server = value;
      if (key === 'shared') place.shared = value;
    },
  });
  try {
    return await work(place);
  } finally {
    await stop();
  }
}

/** Why a mutant was not noticed. */
export interface Unnoticed<M extends Mutant> {
  readonly mutant: M;
  readonly kind: 'survived' | 'cannot be made' | 'no test';
  readonly reason: string;
}

let templates = 0;

/** Runs the test of each mutant in a process of its own. Returns the mutants that were not noticed. */
export async function run<M extends Mutant>(of: readonly M[], { server, shared }: Place): Promise<Unnoticed<M>[]> {
  const problems: Unnoticed<M>[] = [];
  const ready = new Map<string, { mutant: M; template: string }>();
  for (const [n, mutant] of of.entries()) {
    const template = isSource(mutant) ? migrated : `mutant_${(templates += 1)}`;
    const reason = isSource(mutant)
      ? sourceProblem(mutant)
      : await makeMutantTemplate(server, template, mutant).catch(String);
    if (reason) problems.push({ mutant, kind: 'cannot be made', reason });
    else ready.set(`mutant-${n}`, { mutant, template });
  }

  const waiting = new Map(ready);
  function report(module: TestModule): void {
    const { mutant } = ready.get(module.project.name)!;
    waiting.delete(module.project.name);
    const reason = survivalOf(module);
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    const verdict = reason ? 'NOT NOTICED' : onlyTimedOut(module) ? 'noticed by a time-out' : 'noticed';
    console.log(`${verdict}: ${mutant.wrong} (${seconds} s)`);
    if (reason) problems.push({ mutant, kind: reason === 'survived' ? reason : 'no test', reason });
  }

  process.env['TEST_PORT_PART'] = '12';
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
        setupFiles: [stopAtFirst],
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
  for (const { mutant } of waiting.values()) problems.push({ mutant, kind: 'no test', reason: 'did not run' });
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

/** Whether every failure is a time-out, which may be the load of the machine instead of the defect. */
function onlyTimedOut(module: TestModule): boolean {
  const errors = [...module.children.allTests()].flatMap(test => test.result().errors ?? []);
  return errors.length > 0 && errors.every(it => /timed out in \d+ms/.test(it.message));
}

function sourceProblem({ file, from }: SourceMutant): string | undefined {
  if (!existsSync(path.join(root, file))) return `there is no ${file}`;
  const places = readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
  return places === 1 ? undefined : `${file} contains the text ${places} times`;
}

function titled(title: string): RegExp {
  return new RegExp(title.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
}
