// Changes places at random in the rules whose tests need a database, and reports how many changes the tests notice.
// `main.ts --of=30 --seed=1 sessions money` takes thirty changes of each of these areas.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { noChdb } from '../../chdb.ts';
import type { Mutant } from '../mutant.ts';
import { type Place, root, run, withPostgres } from '../run.ts';
import { areas } from './areas.ts';
import { type Change, nameOf } from './change.ts';
import { known } from './known.ts';
import { nearestTests } from './nearest.ts';
import { changesOf } from './possible-changes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many changes of each area are tried. */
    of: { type: 'string', default: '30' },
    /** Another seed takes other changes. */
    seed: { type: 'string', default: '1' },
    /** How many test files may look at each. */
    tests: { type: 'string', default: '6' },
  },
});

process.env['NODE_ENV'] = 'test';
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const isTest = /\.test\.ts$|\/test(ing)?\/|fixture/;
/** The archive is tested only where chdb is. */
const canTest = (file: string) => !noChdb || !file.includes('/archive/');
const schemas = globSync('server/src/db/schema/*.sql', { cwd: root }).map(read).join('\n');

await withPostgres(async place => {
  for (const name of positionals.length ? positionals : Object.keys(areas)) await measure(name, place);
});

async function measure(name: string, place: Place): Promise<void> {
  const area = areas[name];
  if (!area) throw new RangeError(`There is no area ${name}; there are ${Object.keys(areas).join(', ')}.`);
  const files = globSync([...area.code], { cwd: root }).filter(file => !isTest.test(file) && canTest(file));
  const all = (await Promise.all(files.map(changesOf))).flat();
  const chosen = inRandomOrder(all).slice(0, Number(values.of)).map(describe);
  const tests = globSync([...area.tests], { cwd: root }).map(file => ({ file, text: read(file) }));
  const order = new Map(chosen.map(it => [it.change, nearestTests(it.change.file, tests)]));

  const impossible: string[] = [];
  let unnoticed = chosen;
  for (let round = 0; round < Number(values.tests) && unnoticed.length; round++) {
    const asked = unnoticed.flatMap(it => {
      const test = order.get(it.change)![round];
      return test === undefined ? [] : [asMutant(it, test)];
    });
    if (!asked.length) break;
    const tried = new Set(asked.map(it => it.wrong));
    const problems = await run(asked, place);
    impossible.push(...problems.filter(it => it.kind === 'cannot be made').map(it => it.mutant.wrong));
    const left = new Set(problems.filter(it => it.kind !== 'cannot be made').map(it => it.mutant.wrong));
    unnoticed = unnoticed.filter(it => !tried.has(it.wrong) || left.has(it.wrong));
    for (const { mutant, reason } of problems)
      if (reason !== 'survived') console.log(`  ${reason}: ${mutant.wrong} (${mutant.test})`);
    console.log(`${name}: ${unnoticed.length} of ${chosen.length} left after ${round + 1} test files each`);
  }

  const survivors = unnoticed.map(it => ({ ...it, reason: known.get(it.wrong) }));
  const equal = survivors.filter(it => it.reason !== undefined).length;
  const tried = chosen.length - impossible.length;
  const noticed = tried - survivors.length;
  console.log(
    `${name}: ${all.length} possible changes, ${tried} tried, ${noticed} noticed (${range(noticed, tried)}),`,
  );
  console.log(`  ${equal} of the others change no result`);
  for (const { wrong, line, reason } of survivors)
    console.log(`  survived: ${wrong} (line ${line})\n    ${reason ?? 'NO REASON KNOWN'}`);
  for (const wrong of impossible) console.log(`  cannot be made: ${wrong}`);
}

/** The same order for the same seed. */
function inRandomOrder(changes: readonly Change[]): Change[] {
  const keyOf = (change: Change) =>
    createHash('sha256')
      .update(`${values.seed} ${nameOf(change, read(change.file))}`)
      .digest('hex');
  const keys = new Map(changes.map(it => [it, keyOf(it)]));
  return [...changes].sort((one, other) => (keys.get(one)! < keys.get(other)! ? -1 : 1));
}

interface Described {
  readonly change: Change;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly wrong: string;
}

/** Takes as much text around a change as makes it the only such place. */
function describe(change: Change): Described {
  const { file, start, end, to } = change;
  const text = read(file);
  const all = file.endsWith('.sql') ? schemas : text;
  let [first, last] = [start, end];
  while (all.split(text.slice(first, last)).length > 2 && last - first < 4000) {
    first = text.lastIndexOf('\n', first - 2) + 1;
    const next = text.indexOf('\n', last + 1);
    last = next < 0 ? text.length : next;
  }
  return {
    change,
    from: text.slice(first, last),
    to: text.slice(first, start) + to + text.slice(end, last),
    line: text.slice(0, start).split('\n').length,
    wrong: nameOf(change, text),
  };
}

function asMutant({ change, from, to, wrong }: Described, test: string): Mutant {
  const shared = { wrong, test, title: '', from, to };
  return change.file.endsWith('.sql') ? shared : { ...shared, file: change.file };
}

/** Where the score of all changes is with 95 % certainty (Wilson). */
function range(noticed: number, tried: number): string {
  const [share, z] = [noticed / tried, 1.96];
  const middle = (share + z ** 2 / (2 * tried)) / (1 + z ** 2 / tried);
  const half = (z * Math.sqrt((share * (1 - share)) / tried + z ** 2 / (4 * tried ** 2))) / (1 + z ** 2 / tried);
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  return `${percent(share)}; between ${percent(middle - half)} and ${percent(middle + half)}`;
}
