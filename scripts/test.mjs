// `npm test`: every check of the project, in order, on a fresh clone too. `npm test -- --only=types,unit` picks parts.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureDebianPackages } from './lib/debian.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, onNode } from './lib/node.mjs';
import { giveUp, root, run } from './lib/run.mjs';

const unitReport = path.join(root, '.cache/vitest.json');
const laterTry = 'not at the first try';
const journeyReport = path.join(root, '.cache/playwright.json');

/** Each part: its commands, and for those that run tests where to read how many passed and failed. */
const parts = {
  types: { title: 'Types', commands: [['tsc', '--noEmit', '-p', 'tsconfig.json']] },
  lint: {
    title: 'Lint and format',
    commands: [
      ['oxlint', ...'contract radius server panel captive simulator e2e bench scripts'.split(' ')],
      ['biome', 'check', '.'],
    ],
  },
  boundaries: { title: 'Boundaries', commands: [['node', 'scripts/boundaries.mjs']] },
  unused: { title: 'Dead code', commands: [['knip']] },
  build: {
    title: 'Build and size budgets',
    commands: [
      ['node', 'scripts/build.mjs'],
      ['node', 'scripts/budgets.mjs'],
    ],
  },
  unit: {
    title: 'Unit, HTTP and UDP tests',
    commands: [['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`]],
    debian: true,
    report: unitReport,
    count: ({ numPassedTests, numFailedTests, testResults }) => ({
      passed: numPassedTests,
      failed: numFailedTests,
      notes: testResults.flatMap(file =>
        // What passes at a later try keeps the first one's failure.
        file.assertionResults
          .filter(test => test.failureMessages.length > 0)
          .map(test =>
            noteOf(
              test.status === 'failed' ? 'failed' : laterTry,
              `${path.basename(file.name)}: ${test.fullName}`,
              test.failureMessages[0],
            ),
          ),
      ),
    }),
  },
  e2e: {
    title: 'Browser journeys',
    commands: [
      ['node', 'scripts/build.mjs'],
      ['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: journeyReport },
    debian: true,
    report: journeyReport,
    count: ({ stats, suites }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      notes: journeysOf(suites)
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, spec, results }) => {
          const kind = status === 'flaky' ? laterTry : 'failed';
          return noteOf(kind, `${spec.file}: ${spec.title}`, results[0]?.error?.message);
        }),
    }),
  },
};

const chosen = choose(process.argv.slice(2));
await ensureInstalled();
if (chosen.some(name => parts[name].debian)) await ensureDebianPackages();
mkdirSync(path.join(root, '.cache'), { recursive: true });

const toolPath = [path.join(root, 'node_modules/.bin'), onNode(findNode()).PATH].join(path.delimiter);
const results = [];
for (const name of chosen) results.push(await runPart(parts[name]));
summarise(results);

function choose(args) {
  const all = Object.keys(parts);
  const only = args.find(arg => arg.startsWith('--only='))?.slice('--only='.length);
  const names = only ? only.split(',') : all;
  const wrong = names.find(name => !parts[name]) ?? args.find(arg => !arg.startsWith('--only='));
  if (wrong) giveUp(`${wrong}: npm test takes --only= with some of ${all.join(',')}`);
  return all.filter(name => names.includes(name));
}

async function runPart({ title, commands, env = {}, report, count }) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(2, 70 - title.length))}`);
  if (report) rmSync(report, { force: true });
  const began = Date.now();
  let ok = true;
  for (const [command, ...args] of commands) {
    ok = (await run(command, args, { env: { NODE_ENV: 'test', ...env, PATH: toolPath } })) === 0 && ok;
  }
  // A runner that broke down before its first test leaves no report; its exit code tells of the failure.
  const counted = report && existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : undefined;
  const { passed, failed, notes } = counted ?? { passed: 0, failed: 0, notes: [] };
  const seconds = (Date.now() - began) / 1000;
  console.log(`${ok ? 'ok' : 'FAILED'} after ${seconds.toFixed(1)} s`);
  return {
    title,
    seconds,
    ok,
    notes,
    tested: counted !== undefined,
    passed,
    failed: ok ? failed : Math.max(1, failed),
  };
}

/** Every journey of a Playwright report, in each project it ran in. */
function journeysOf(suites) {
  return suites.flatMap(suite => [
    ...suite.specs.flatMap(spec => spec.tests.map(test => ({ ...test, spec }))),
    ...journeysOf(suite.suites ?? []),
  ]);
}

/** A test that did not simply pass, in two lines for the summary. */
function noteOf(kind, name, message = '') {
  const [reason = ''] = stripVTControlCharacters(message).split('\n');
  return `${kind}: ${name}\n  ${reason}`;
}

function summarise(all) {
  console.log(`\n── Summary ${'─'.repeat(63)}`);
  for (const note of all.flatMap(part => part.notes)) console.log(note);
  for (const { title, seconds, ok, tested, passed, failed } of all) {
    const tests = tested ? `${passed} passed, ${failed} failed` : '';
    console.log(
      `${ok ? 'ok    ' : 'FAILED'}  ${title.padEnd(26)}${seconds.toFixed(1).padStart(7)} s  ${tests}`.trimEnd(),
    );
  }
  const sum = key => all.reduce((total, part) => total + part[key], 0);
  // A part that fails without a failing test, such as the types, counts as one failure.
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = all.every(part => part.ok) ? 0 : 1;
}
