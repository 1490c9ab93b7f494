// Chooses the checks and tests of `npm test -- --changed`.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root } from './run.mjs';

/** Test time of both workers together. A core file concerns nearly every test; the nearest run, up to this. */
const budgetMs = 40_000;
/** For a test file that the last whole run did not time. */
const unknownMs = 4000;

const lines = (command, args, options = {}) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], ...options })
    .split('\n')
    .filter(Boolean);

/**
 * Files that differ from `since`, by default from where the branch left main; uncommitted and new files included.
 * @param {string | undefined} since
 * @returns {{ base: string, files: string[] }}
 */
export function changesSince(since) {
  const base = baseCommit(since);
  const changed = lines('git', ['diff', '--name-only', base]);
  const untracked = lines('git', ['ls-files', '--others', '--exclude-standard']);
  return { base, files: [...new Set([...changed, ...untracked])] };
}

function baseCommit(since) {
  for (const branch of since ? [since] : ['main', 'origin/main']) {
    try {
      return lines('git', ['merge-base', 'HEAD', branch])[0];
    } catch {
      // Not a commit that this clone knows.
    }
  }
  return giveUp(since ? `${since} is not a commit` : 'There is no branch main: name a commit with --changed=<commit>');
}

/**
 * The test files that the change concerns, nearest first, as many as fit into the budget.
 * @param {{ base: string, files: string[] }} changes
 * @param {{ report: string, path: string }} options `report` is that of the last whole run; `path` finds the tools.
 * @returns {string[]}
 */
export function nearestTests({ base, files }, { report, path: toolPath }) {
  const env = { ...process.env, PATH: toolPath };
  const importing = lines('vitest', ['list', '--filesOnly', `--changed=${base}`], { env });
  const ranked = rankTests([...new Set([...importing, ...testsOfSchema(files)])], files);
  const duration = durationsOf(report);
  let total = 0;
  const near = ranked.filter((file, i) => {
    total += duration(file);
    return i === 0 || total <= budgetMs;
  });
  const count = `${ranked.length} test files concern the change`;
  console.log(
    near.length === ranked.length ? count : `${count}; the nearest ${near.length} run (all: npm test -- --only=unit)`,
  );
  return near;
}

/** SQL is not imported: `schema/devices.sql` concerns the tests of the feature `devices`. */
function testsOfSchema(files) {
  const features = new Set(files.filter(file => file.endsWith('.sql')).map(file => path.basename(file, '.sql')));
  return lines('git', ['ls-files', 'server/src/features/*.test.ts']).filter(file => features.has(file.split('/')[3]));
}

/** How many folders two paths share. */
function sharedFolders(a, b) {
  const [left, right] = [path.dirname(a).split('/'), path.dirname(b).split('/')];
  const end = left.findIndex((folder, i) => folder !== right[i]);
  return end < 0 ? left.length : end;
}

/** Tests in order of their distance to the nearest changed file: the file itself, then by the folders that both share. */
export function rankTests(tests, files) {
  const nearness = test => Math.max(...files.map(file => (file === test ? 100 : sharedFolders(test, file))));
  return tests
    .map(test => ({ test, near: nearness(test) }))
    .sort((a, b) => b.near - a.near || (a.test < b.test ? -1 : 1))
    .map(({ test }) => test);
}

/** How long each test file took in the last whole run. */
function durationsOf(report) {
  const known = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
  const all = new Map(known.map(it => [path.relative(root, it.name), it.endTime - it.startTime]));
  return file => all.get(file) ?? unknownMs;
}

/**
 * The journeys that changed, and those named after a changed feature: `features/devices/` has `devices.spec.ts`.
 * @param {string[]} files
 * @returns {string[]}
 */
export function journeysOf(files) {
  const features = files.flatMap(file => /\/features\/([^/]+)\//.exec(file)?.[1] ?? []);
  const concerned = new Set(features.map(feature => `${feature}.spec.ts`));
  return readdirSync(path.join(root, 'e2e'))
    .filter(name => name.endsWith('.spec.ts'))
    .filter(name => concerned.has(name) || files.includes(`e2e/${name}`));
}
