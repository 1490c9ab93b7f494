import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root, run } from './run.mjs';

const lockFile = path.join(root, 'package-lock.json');
const installed = path.join(root, 'node_modules/.package-lock.json');
const stamp = path.join(root, 'node_modules/.portico-lock');

/** Installs the packages when they are missing or package-lock.json changed since. */
export async function ensureInstalled() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(stamp) ? readFileSync(stamp, 'utf8') === hash : installedByHand()) return;
  console.log('Installing packages (once, about a minute) …');
  // `npm ci` does not write the lock file. The build needs development packages, regardless of NODE_ENV.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  if ((await run(command, [...first, ...args], { quiet: true })) !== 0) giveUp('npm ci failed: see above');
  writeFileSync(stamp, hash);
}

/** Packages installed by npm directly are current when they are not older than the lock file. */
function installedByHand() {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs;
}
