// `npm run package`: builds dist/portico_<version>_<architecture>.deb, with Node and PostgreSQL inside.
// `npm run package -- --test` also installs, starts, upgrades and removes it in a chroot (root and debootstrap needed);
// `--from=older.deb` upgrades from that one.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { testPackage } from './lib/package-test.mjs';
import { giveUp, root, run } from './lib/run.mjs';
import { ship } from './ship.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64' };
const architecture = architectures[process.arch] ?? giveUp(`No package for ${process.arch}: use x64 or arm64`);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const stage = path.join(root, '.cache/package');
const home = path.join(stage, 'opt/portico');

const { values } = parseArgs({ options: { test: { type: 'boolean' }, from: { type: 'string' } } });

rmSync(stage, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
await ship(home);
writeDebianFiles();

const output = path.join(root, 'dist', `portico_${version}_${architecture}.deb`);
mkdirSync(path.dirname(output), { recursive: true });
const packed = await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', stage, output], { quiet: true });
if (packed !== 0) giveUp('dpkg-deb failed: see above');
console.log(path.relative(root, output));
if (values.test) await testPackage(output, values.from);

function writeDebianFiles() {
  const files = {
    'usr/bin/portico': ['debian/portico', 0o755],
    'opt/portico/defaults.env': ['debian/defaults.env', 0o644],
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
