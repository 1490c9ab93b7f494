// `npm test` runs every check of the project, on a fresh clone too.
// `npm test -- --only=types,unit` runs some parts; `npm test -- --changed` runs what a change touches, in under a minute.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { changesSince, journeysOf, nearestTests } from './lib/changed.mjs';
import { ensureDebianPackages } from './lib/debian.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { memoryFolder } from './lib/memory-folder.mjs';
import { findNode, onNode } from './lib/node.mjs';
import { giveUp, root, run } from './lib/run.mjs';

const unitReport = path.join(root, '.cache/vitest.json');
const e2eReport = path.join(root, '.cache/playwright.json');

/**
 * Parts that only read the sources, or put defects into them in memory. The unit tests leave a third of the processors' time
 * unused, so these run beside them, and side by side without them.
 * @type {Record<string, Part>}
 */
const sourceParts = {
  // One checker: each further one works out the same types again, and takes the processors and the memory from the tests.
  types: { title: 'Types', commands: [['tsc', '--noEmit', '-p', 'tsconfig.json', '--checkers', '1']] },
  lint: {
    title: 'Lint and format',
    commands: [
      ['oxlint', ...'contract radius server panel captive client simulator e2e bench scripts'.split(' ')],
      ['biome', 'check', '.'],
    ],
  },
  boundaries: { title: 'Boundaries', commands: [['node', 'scripts/boundaries.mjs']] },
  unused: { title: 'Dead code', commands: [['knip']] },
  mutants: {
    title: 'Deliberate defects',
    commands: [['node', 'server/src/test/mutants/main.ts', '--slice']],
  },
};

/**
 * Comes first: it changes the files that some tests read.
 * @type {Record<string, Part>}
 */
const buildParts = {
  build: {
    title: 'Build and size budgets',
    commands: [
      ['node', 'scripts/build.mjs'],
      ['node', 'scripts/budgets.mjs'],
    ],
  },
};

/**
 * Parts that run tests, one after the other. `report` is the file with the results, `count` reads it.
 * @type {Record<string, Part>}
 */
const testParts = {
  unit: {
    title: 'Unit, HTTP and UDP tests',
    commands: [['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`]],
    report: unitReport,
    count: countUnit,
  },
  e2e: {
    title: 'Browser journeys',
    commands: [
      // Does nothing when the sources are those of the last build.
      ['node', 'scripts/build.mjs'],
      ['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'],
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: e2eReport },
    report: e2eReport,
    count: countJourneys,
  },
};

const options = parseArguments(process.argv.slice(2));
await ensureInstalled();
// The project's Node is one of the packages, so a fresh clone has it only now.
const toolPath = [path.join(root, 'node_modules/.bin'), onNode(findNode()).PATH].join(path.delimiter);
mkdirSync(path.join(root, '.cache'), { recursive: true });
const chosen = 'changed' in options ? chooseChanged(options.changed) : chooseNamed(options.only);
const startsServers = chosen.tests.length > 0 || chosen.checks.includes(sourceParts.mutants);
if (startsServers) await ensureDebianPackages();
const temporary = startsServers ? memoryFolder() : undefined;
summarise(await runAll(chosen));

/** @returns {{ only: string[] } | { changed: string | undefined }} */
function parseArguments(args) {
  const all = Object.keys({ ...buildParts, ...sourceParts, ...testParts });
  const usage = `npm test takes --only= with some of ${all.join(',')}, or --changed, or --changed=<commit>`;
  if (args.length > 1) giveUp(usage);
  const [arg = `--only=${all.join(',')}`] = args;
  const [name, value] = arg.split('=');
  if (name === '--changed') return { changed: value };
  if (name !== '--only') giveUp(`${arg}: ${usage}`);
  const only = (value ?? '').split(',');
  const wrong = only.find(part => !all.includes(part));
  if (wrong !== undefined) giveUp(`${wrong}: ${usage}`);
  return { only };
}

function chooseNamed(names) {
  const pick = parts =>
    Object.entries(parts)
      .filter(([name]) => names.includes(name))
      .map(([, part]) => part);
  return { builds: pick(buildParts), checks: pick(sourceParts), tests: pick(testParts) };
}

/** The static checks, the tests nearest to the changed files, and the journeys named after a changed feature. */
function chooseChanged(since) {
  const changes = changesSince(since);
  const { files } = changes;
  if (files.length === 0)
    giveUp('Nothing has changed: commit something, or name an older commit with --changed=<commit>');
  console.log(`${files.length} changed files`);
  const { builds, checks } = chooseNamed(['types', 'lint', 'boundaries']);
  // Not the whole run's report: its durations choose the tests of the next change.
  const changedReport = path.join(root, '.cache/vitest-changed.json');
  const tests = [];
  const unit = nearestTests(changes, { report: unitReport, path: toolPath });
  if (unit.length > 0)
    tests.push({
      title: 'Tests nearest to the change',
      commands: [
        ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${changedReport}`, ...unit],
      ],
      report: changedReport,
      count: countUnit,
    });
  const journeys = journeysOf(files);
  if (journeys.length > 0) {
    const [build, [playwright, ...args]] = testParts.e2e.commands;
    tests.push({
      ...testParts.e2e,
      title: 'Journeys of the changed features',
      commands: [build, [playwright, ...args, '--project=desktop', ...journeys]],
    });
  }
  return { builds, checks, tests };
}

/**
 * @typedef {{ title: string, commands: string[][], env?: Record<string, string>, report?: string,
 *   count?: (report: any) => { passed: number, failed: number, notes: string[] } }} Part
 */

/**
 * Journeys keep the processors busy, so they come last and alone.
 * @param {{ builds: Part[], checks: Part[], tests: Part[] }} parts
 */
async function runAll({ builds, checks, tests }) {
  const isJourneys = part => part.report === e2eReport;
  const buffered = checks.length > 1 || tests.length > 0;
  const built = await inTurn(builds);
  const [checked, tested] = await Promise.all([
    Promise.all(checks.map(part => runPart(part, { buffered }))),
    inTurn(tests.filter(part => !isJourneys(part))),
  ]);
  return [...built, ...checked, ...tested, ...(await inTurn(tests.filter(isJourneys)))];
}

/** @param {Part[]} parts */
async function inTurn(parts) {
  const results = [];
  for (const part of parts) results.push(await runPart(part));
  return results;
}

/** Runs a part. `buffered` prints its output in one piece when it has ended, so that parts side by side stay readable. */
async function runPart({ title, commands, env = {}, report, count }, { buffered = false } = {}) {
  const heading = `\n── ${title} ${'─'.repeat(Math.max(2, 70 - title.length))}\n`;
  let text = heading;
  const output = buffered
    ? piece => {
        text += piece;
      }
    : undefined;
  if (!buffered) process.stdout.write(heading);
  if (report) rmSync(report, { force: true });
  const began = Date.now();
  let ok = true;
  for (const [command, ...args] of commands)
    ok = (await run(command, args, { output, env: environmentOf(env) })) === 0 && ok;
  // A runner that fails before its first test leaves no report; its exit code reports the failure.
  const counted = report && existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : undefined;
  const { passed, failed, notes } = counted ?? { passed: 0, failed: 0, notes: [] };
  const seconds = (Date.now() - began) / 1000;
  const verdict = `${ok ? 'ok' : 'FAILED'} after ${seconds.toFixed(1)} s\n`;
  process.stdout.write(buffered ? text + verdict : verdict);
  const tested = counted !== undefined;
  return { title, seconds, ok, notes, tested, passed, failed: ok ? failed : Math.max(1, failed) };
}

/** @param {Record<string, string>} own */
function environmentOf(own) {
  return { NODE_ENV: 'test', ...own, PATH: toolPath, ...(temporary && { TMPDIR: temporary }) };
}

/** Reads Vitest's report. */
function countUnit({ numPassedTests, numFailedTests, testResults }) {
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    notes: testResults.flatMap(file =>
      file.assertionResults
        .filter(({ status }) => status === 'failed')
        .map(test => noteOf(`${path.basename(file.name)}: ${test.fullName}`, test.failureMessages[0])),
    ),
  };
}

/** Reads Playwright's report. */
function countJourneys({ stats, suites }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    notes: specsOf(suites)
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ spec, results }) => noteOf(`${spec.file}: ${spec.title}`, results[0]?.error?.message)),
  };
}

/** Every test of a Playwright report, once per project. */
function specsOf(suites) {
  return suites.flatMap(suite => [
    ...suite.specs.flatMap(spec => spec.tests.map(test => ({ ...test, spec }))),
    ...specsOf(suite.suites ?? []),
  ]);
}

/** A failed test in a few lines for the summary: its name, the error and what was received. */
function noteOf(name, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() !== '');
  return [`failed: ${name}`, ...lines.slice(0, 8)].join('\n  ');
}

function summarise(all) {
  console.log(`\n── Summary ${'─'.repeat(63)}`);
  for (const note of all.flatMap(part => part.notes)) console.log(note);
  for (const { title, seconds, ok, tested, passed, failed } of all) {
    const tests = tested ? `${passed} passed, ${failed} failed` : '';
    console.log(
      `${ok ? 'ok    ' : 'FAILED'}  ${title.padEnd(34)}${seconds.toFixed(1).padStart(7)} s  ${tests}`.trimEnd(),
    );
  }
  console.log(`${process.uptime().toFixed(0)} s in all`);
  const sum = key => all.reduce((total, part) => total + part[key], 0);
  // A part that fails without a failing test, such as the types, counts as one failure.
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = all.every(part => part.ok) ? 0 : 1;
}
