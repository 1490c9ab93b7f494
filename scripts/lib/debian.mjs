import { existsSync } from 'node:fs';
import path from 'node:path';
import { giveUp, run } from './run.mjs';

const needed = {
  chromium: 'chromium',
  'freeradius-utils': 'radclient',
  // A hotel's database; without the package that would start a service.
  'mariadb-server-core': 'mariadb-install-db',
  'mariadb-client-core': 'my_print_defaults',
};

const onPath = program => (process.env.PATH ?? '').split(':').some(folder => existsSync(path.join(folder, program)));

/** Installs the Debian packages that the tests use and the machine lacks; without the right to, says which. */
export async function ensureDebianPackages() {
  const missing = Object.keys(needed).filter(name => !onPath(needed[name]));
  if (missing.length === 0) return;
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
