import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root, run } from './run.mjs';

const needed = {
  'freeradius-utils': 'radclient',
  // A database server for tests; unlike mariadb-server, this package starts no service.
  'mariadb-server-core': 'mariadb-install-db',
  'mariadb-client-core': 'my_print_defaults',
};

/** The lighter one first; the journeys take the first that is there. */
const browsers = ['chromium-headless-shell', 'chromium'];

/** Programs whose packages are only unpacked, because installing them would start a service. */
const unpacked = {
  freeradius: '/usr/sbin/freeradius',
  radsecproxy: '/usr/sbin/radsecproxy',
  nginx: '/usr/sbin/nginx',
  prometheus: '/usr/bin/promtool',
};
const folderOf = name => path.join(root, '.cache', name);
const isUnpacked = name => [unpacked[name], path.join(folderOf(name), unpacked[name])].some(file => existsSync(file));

const onPath = program => (process.env.PATH ?? '').split(':').some(folder => existsSync(path.join(folder, program)));

/** Installs the missing Debian packages of the tests; without the permission, prints their names and stops. */
export async function ensureDebianPackages() {
  const missing = Object.keys(needed).filter(name => !onPath(needed[name]));
  if (missing.length > 0 && !(await install(missing)))
    giveUp(`apt-get could not install ${missing.join(' ')}: see above`);
  await ensureBrowser();
  for (const name of Object.keys(unpacked)) if (!isUnpacked(name)) await unpack(name);
}

async function unpack(name) {
  if (!onPath('apt-get')) giveUp(`Missing: ${name}`);
  console.log(`Unpacking ${name} …`);
  const cwd = folderOf(name);
  mkdirSync(cwd, { recursive: true });
  const download = () => run('apt-get', ['download', '-qq', name], { quiet: true, cwd });
  // The package index may be missing or outdated.
  const downloaded =
    (await download()) === 0 ||
    ((await run('apt-get', ['update', '-qq'], { quiet: true, cwd })) === 0 && (await download()) === 0);
  const file = downloaded && readdirSync(cwd).find(it => it.endsWith('.deb'));
  if (!file || (await run('dpkg-deb', ['-x', file, '.'], { quiet: true, cwd })) !== 0)
    giveUp(`apt-get could not fetch ${name}: see above`);
}

/** A browser that is there already will do where the lighter one cannot be installed. */
async function ensureBrowser() {
  const [lighter, other] = browsers;
  if (onPath(lighter) || (onPath(other) && !canInstall()) || (await install([lighter]))) return;
  if (!onPath(other) && !(await install([other]))) giveUp(`Missing: ${other}`);
}

const canInstall = () => process.getuid?.() === 0 && onPath('apt-get');

/** Returns whether it worked. Without the permission, prints the names and stops. */
async function install(missing) {
  const names = missing.join(' ');
  if (!canInstall()) giveUp(`Missing: ${names}. Install with: sudo apt-get install ${names}`);
  console.log(`Installing ${missing.join(' and ')} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  return (
    (await run('apt-get', ['update', '-qq'], { quiet: true, env })) === 0 &&
    (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { quiet: true, env })) === 0
  );
}
