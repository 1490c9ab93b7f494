// Builds the panel, the guest portal, the manual and the server into <workspace>/dist, each only when its sources changed (--force: always).
// `node scripts/build.mjs panel captive` builds only these. The files of the build before stay: a product that runs, and browsers
// that have its panel open, load some of them later.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtFiles, filesIn, noteBuild } from './lib/built-files.mjs';
import { precompress } from './lib/compress.mjs';
import { findNode, onNode } from './lib/node.mjs';
import { giveUp, root, run } from './lib/run.mjs';

const workspaces = {
  panel: ['panel', 'contract'],
  captive: ['captive', 'contract'],
  'docs/manual': ['docs/manual', 'panel/src/features/guides'],
  server: ['server', 'contract', 'radius'],
};

/** Workspaces whose files browsers fetch. */
const served = ['panel', 'captive', 'docs/manual'];

/** Workspaces that name their files after the content, so that those of two builds can be in one folder. */
const hashed = ['panel', 'server'];

/** Arguments of Node that build a workspace; Vite builds the others. */
const commands = {
  'docs/manual': [path.join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', '.'],
};

export async function build({ force = false, only = Object.keys(workspaces) } = {}) {
  const stale = only.filter(workspace => force || !isCurrent(workspace));
  if (stale.length > 0) console.log(`Building ${stale.map(each => path.basename(each)).join(', ')} …`);
  await Promise.all(stale.map(buildOne));
}

async function buildOne(workspace) {
  const node = findNode();
  const before = fingerprint(workspace);
  // File systems keep times a little coarser than the clock.
  const begun = Date.now() - 1000;
  // A build that is interrupted must not count as current.
  rmSync(stampOf(workspace), { force: true });
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const keep = hashed.includes(workspace) ? ['--emptyOutDir=false'] : [];
  const command = commands[workspace] ?? [vite, 'build', '--manifest', '--logLevel', 'warn', ...keep];
  // Browsers get the production build of React, regardless of the server's NODE_ENV.
  const env = { ...onNode(node), NODE_ENV: 'production' };
  const code = await run(node, command, {
    cwd: path.join(root, workspace),
    env,
    quiet: true,
  });
  if (code !== 0) giveUp(`Building the ${workspace} failed: see above`);
  const dist = path.join(root, workspace, 'dist');
  const isNew = file => !keep.length || statSync(path.join(dist, file)).mtimeMs >= begun;
  if (served.includes(workspace)) precompress(dist, isNew);
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  if (keep.length) noteBuild(dist, listOf(workspace), filesIn(dist).filter(isNew));
  writeFileSync(stampOf(workspace), before);
}

/** The files of the last build in <workspace>/dist; undefined if all there are of it. */
export const lastBuild = workspace => builtFiles(listOf(workspace));
const listOf = workspace => path.join(root, '.cache', `${path.basename(workspace)}.files.json`);

const stampOf = workspace => path.join(root, '.cache', `${path.basename(workspace)}.stamp`);

function isCurrent(workspace) {
  const built = existsSync(path.join(root, workspace, 'dist')) && existsSync(stampOf(workspace));
  return built && readFileSync(stampOf(workspace), 'utf8') === fingerprint(workspace);
}

/** A hash of the build's input: file names, contents and package versions. */
function fingerprint(workspace) {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const folder of workspaces[workspace]) {
    for (const file of sources(path.join(root, folder)))
      hash.update(path.relative(root, file)).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => !['node_modules', 'dist', 'cache'].includes(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const at = path.join(folder, entry.name);
      return entry.isDirectory() ? sources(at) : [at];
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [force, only] = [
    process.argv.includes('--force'),
    Object.keys(workspaces).filter(it => process.argv.includes(it)),
  ];
  await build({ force, ...(only.length > 0 && { only }) });
}
