// `npm run package`: builds dist/portico_<version>_<architecture>.deb, with Node and PostgreSQL inside.
// `npm run package -- --test` also installs, starts, upgrades and removes it in a chroot (root and debootstrap needed).
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode } from './lib/node.mjs';
import { testPackage } from './lib/package-test.mjs';
import { giveUp, root, run } from './lib/run.mjs';
import { sbom } from './sbom.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64' };
const architecture = architectures[process.arch] ?? giveUp(`No package for ${process.arch}: use x64 or arm64`);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const stage = path.join(root, '.cache/package');
const home = path.join(stage, 'opt/portico');

/** Workspaces that the server needs at run time; npm reads the manifests of all. */
const shipped = ['contract', 'radius', 'server'];
const isShipped = file => !/\.test\.tsx?$|\/testing\/|^server\/src\/test\//.test(file);

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const copy = (from, to) => cpSync(path.join(root, from), path.join(home, to ?? from), { recursive: true });

await ensureInstalled();
await build();
rmSync(stage, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
for (const file of git('ls-files', ...shipped, 'package.json', 'package-lock.json', '*/package.json', 'LICENSE'))
  if (isShipped(file)) copy(file);
for (const folder of ['panel/dist', 'captive/dist']) copy(folder);
await installDependencies();
writeFileSync(path.join(home, 'sbom.cdx.json'), `${JSON.stringify(sbom(), null, 2)}\n`);
copyNode();
writeDebianFiles();

const output = path.join(root, 'dist', `portico_${version}_${architecture}.deb`);
mkdirSync(path.dirname(output), { recursive: true });
const packed = await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', stage, output], { quiet: true });
if (packed !== 0) giveUp('dpkg-deb failed: see above');
console.log(path.relative(root, output));
if (process.argv.includes('--test')) await testPackage(output);

async function installDependencies() {
  const args = ['ci', '--omit=dev', '-w', '@portico/server', '--no-audit', '--no-fund', '--loglevel=error'];
  if ((await run('npm', args, { cwd: home, quiet: true })) !== 0) giveUp('npm ci failed: see above');
}

/** Ships the pinned Node binary alone, without npm and headers. */
function copyNode() {
  const target = path.join(home, 'node/bin/node');
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(findNode(), target, { dereference: true });
  chmodSync(target, 0o755);
  mkdirSync(path.join(home, 'node_modules/.bin'), { recursive: true });
  rmSync(path.join(home, 'node_modules/.bin/node'), { force: true });
  symlinkSync('../../node/bin/node', path.join(home, 'node_modules/.bin/node'));
}

function writeDebianFiles() {
  const files = {
    'usr/bin/portico': ['debian/portico', 0o755],
    'etc/portico.env': ['debian/portico.env', 0o640],
    'lib/systemd/system/portico.service': ['portico.service', 0o644],
    'DEBIAN/postinst': ['debian/postinst', 0o755],
    'DEBIAN/prerm': ['debian/prerm', 0o755],
    'DEBIAN/postrm': ['debian/postrm', 0o755],
  };
  for (const [target, [source, mode]] of Object.entries(files)) {
    const at = path.join(stage, target);
    mkdirSync(path.dirname(at), { recursive: true });
    cpSync(path.join(root, 'deploy', source), at);
    chmodSync(at, mode);
  }
  const kilobytes = execFileSync('du', ['-sk', stage], { encoding: 'utf8' }).split('\t')[0];
  const control = {
    Package: 'portico',
    Version: version,
    Architecture: architecture,
    Maintainer: 'Portico <portico@localhost>',
    'Installed-Size': kilobytes,
    Depends: 'adduser, ca-certificates, libc6 (>= 2.28), libstdc++6, util-linux',
    Section: 'net',
    Priority: 'optional',
    Description: "Multi-tenant guest Wi-Fi: captive portals, RADIUS, operators' panel",
  };
  writeFileSync(
    path.join(stage, 'DEBIAN/control'),
    `${Object.entries(control)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')}\n`,
  );
  writeFileSync(path.join(stage, 'DEBIAN/conffiles'), '/etc/portico.env\n');
}
