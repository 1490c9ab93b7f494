import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root, run } from './run.mjs';

const needed = {
  chromium: 'chromium',
  'freeradius-utils': 'radclient',
  // A database server for tests; unlike mariadb-server, this package starts no service.
  'mariadb-server-core': 'mariadb-install-db',
  'mariadb-client-core': 'my_print_defaults',
};

/** A client of RADIUS over TLS. Its package is only unpacked, because installing it would start a service. */
const freeRadius = path.join(root, '.cache/freeradius');
const hasFreeRadius = () =>
  ['/usr/sbin/freeradius', path.join(freeRadius, 'usr/sbin/freeradius')].some(file => existsSync(file));

const onPath = program => (process.env.PATH ?? '').split(':').some(folder => existsSync(path.join(folder, program)));

/** Installs the missing Debian packages of the tests; without the permission, prints their names and stops. */
export async function ensureDebianPackages() {
  const missing = Object.keys(needed).filter(name => !onPath(needed[name]));
  if (missing.length > 0) await install(missing);
  if (!hasFreeRadius()) await unpackFreeRadius();
}

async function unpackFreeRadius() {
  if (!onPath('apt-get')) giveUp('Missing: freeradius');
  console.log('Unpacking freeradius …');
  mkdirSync(freeRadius, { recursive: true });
  const at = { quiet: true, cwd: freeRadius };
  const download = () => run('apt-get', ['download', '-qq', 'freeradius'], at);
  // The package index may be missing or outdated.
  const downloaded =
    (await download()) === 0 || ((await run('apt-get', ['update', '-qq'], at)) === 0 && (await download()) === 0);
  const file = downloaded && readdirSync(freeRadius).find(name => name.endsWith('.deb'));
  if (!file || (await run('dpkg-deb', ['-x', file, '.'], at)) !== 0)
    giveUp('apt-get could not fetch freeradius: see above');
}

async function install(missing) {
  const names = missing.join(' ');
  if (process.getuid?.() !== 0 || !onPath('apt-get'))
    giveUp(`Missing: ${names}. Install with: sudo apt-get install ${names}`);
  console.log(`Installing ${missing.join(' and ')} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const installed =
    (await run('apt-get', ['update', '-qq'], { quiet: true, env })) === 0 &&
    (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { quiet: true, env })) === 0;
  if (!installed) giveUp(`apt-get could not install ${names}: see above`);
}
