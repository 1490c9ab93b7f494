// `node scripts/ship.mjs <folder> [x64|arm64]`: what an installation needs, for the image and the Debian package.
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, lastBuild } from './build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode } from './lib/node.mjs';
import { giveUp, root, run } from './lib/run.mjs';
import { sbom } from './sbom.mjs';

/** The sources are not shipped, except SQL, which is read at run time: the build has the rest. */
const isShipped = file => !/\/node_modules$|\.ts$|\/testing$|\/server\/src\/test$/.test(file);

/** Files of packages that no program reads: source maps, TypeScript, manuals, static libraries; licences stay. */
const unread = /\.(map|ts|mts|cts|flow|a)$|(?<!licen[cs]e|notice|copying)\.(md|markdown)$/i;

/** Parts of packages for browsers, which Node never loads. */
const forBrowsers = [
  '@azure/msal-browser',
  '@azure/*/dist/{browser,react-native}',
  '@typespec/*/dist/{browser,react-native}',
];

/** Fonts that documents are drawn with; their package has 22. */
const fonts = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf', 'DejaVuSansMono.ttf'];

/** Node for another processor, until it is copied. */
const fetched = 'node-package';

/** Names of processors: those of Debian and images, and those of Node. */
const processors = { amd64: 'x64' };

/** Copies what the server needs at run time to an empty folder, with production dependencies and Node, for Linux on `processor`. */
export async function ship(home, processor = process.arch) {
  const cpu = processors[processor] ?? processor;
  await ensureInstalled();
  await build();
  const copy = from => cpSync(path.join(root, from), path.join(home, from), { recursive: true, filter: isShipped });
  const copyBuild = workspace => {
    const files = lastBuild(workspace);
    const dist = path.join(root, workspace, 'dist');
    const filter = file =>
      isShipped(file) && (!files || statSync(file).isDirectory() || files.has(path.relative(dist, file)));
    rmSync(path.join(home, workspace, 'dist'), { recursive: true, force: true });
    cpSync(dist, path.join(home, workspace, 'dist'), { recursive: true, filter });
  };
  // npm reads the manifests of all workspaces.
  const manifests = globSync(['*/package.json', 'docs/manual/package.json'], { cwd: root });
  for (const each of ['server', ...manifests, 'package.json', 'package-lock.json', 'LICENSE', 'docs/api.md'])
    copy(each);
  for (const workspace of ['server', 'panel', 'captive', 'docs/manual']) copyBuild(workspace);
  await installDependencies(home, cpu);
  writeFileSync(path.join(home, 'sbom.cdx.json'), `${JSON.stringify(sbom(), null, 2)}\n`);
  await copyNode(home, cpu);
}

async function installDependencies(home, cpu) {
  const args = ['ci', '--omit=dev', '-w', '@portico/server', '--no-audit', '--no-fund', '--loglevel=error'];
  const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  if ((await run('npm', [...args, ...platform], { cwd: home, quiet: true })) !== 0) giveUp('npm ci failed: see above');
  removeUnread(path.join(home, 'node_modules'));
  for (const folder of globSync(forBrowsers, { cwd: path.join(home, 'node_modules') }))
    rmSync(path.join(home, 'node_modules', folder), { recursive: true });
  const folder = path.join(home, 'node_modules/dejavu-fonts-ttf/ttf');
  for (const font of readdirSync(folder)) if (!fonts.includes(font)) rmSync(path.join(folder, font));
}

/** Links are not followed: those of the workspaces lead to the product's own sources. */
function removeUnread(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) removeUnread(at);
    else if (entry.isFile() && unread.test(entry.name)) rmSync(at);
  }
}

/** Ships the pinned Node binary alone: no npm, no headers and, where binutils are installed for the processor, no symbols. */
async function copyNode(home, cpu) {
  const target = path.join(home, 'node/bin/node');
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(cpu === process.arch ? findNode() : await fetchNode(home, cpu), target, { dereference: true });
  chmodSync(target, 0o755);
  if (cpu === process.arch && existsSync('/usr/bin/strip'))
    await run('strip', ['--strip-unneeded', target], { quiet: true });
  for (const folder of globSync('node_modules/node-*-*', { cwd: home }))
    rmSync(path.join(home, folder), { recursive: true });
  rmSync(path.join(home, fetched), { recursive: true, force: true });
  mkdirSync(path.join(home, 'node_modules/.bin'), { recursive: true });
  rmSync(path.join(home, 'node_modules/.bin/node'), { force: true });
  symlinkSync('../../node/bin/node', path.join(home, 'node_modules/.bin/node'));
}

/** Not with the other packages: their scripts would then run this Node, which may not run here. */
async function fetchNode(home, cpu) {
  const name = `node-linux-${cpu}`;
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const folder = path.join(home, fetched);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{}');
  // Without --force npm refuses a package for another processor.
  const args = [
    'install',
    '--force',
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--loglevel=error',
  ];
  const wanted = `${name}@${optionalDependencies[name] ?? giveUp(`There is no Node for ${cpu}`)}`;
  if ((await run('npm', [...args, wanted], { cwd: folder, quiet: true })) !== 0)
    giveUp('npm install failed: see above');
  return path.join(folder, 'node_modules', name, 'bin/node');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await ship(
    path.resolve(process.argv[2] ?? giveUp('Name the folder: node scripts/ship.mjs <folder>')),
    process.argv[3],
  );
