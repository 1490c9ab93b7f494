import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const memory = '/dev/shm';
const prefix = 'portico-test-';
const tmpfs = 0x01_02_19_94;
const gigabyte = 2 ** 30;
/** A whole run writes up to 5 GB, and the browsers and the product need as much. */
const needed = { folder: 8 * gigabyte, memory: 12 * gigabyte };

/**
 * Makes a folder in memory for temporary files, which is removed when this process ends. Each test file has a copy of the
 * database of 1,200 files, and a disk takes longer to write and remove these than the tests take.
 * @returns {string | undefined} undefined where there is no such folder, or too little memory
 */
export function memoryFolder() {
  if (process.platform !== 'linux' || process.availableMemory() < needed.memory) return undefined;
  try {
    const { type, bavail, bsize } = statfsSync(memory);
    if (type !== tmpfs || bavail * bsize < needed.folder) return undefined;
    removeLeftovers();
    const folder = path.join(memory, `${prefix}${process.pid}`);
    mkdirSync(folder);
    // PostgreSQL runs as another user when the tests run as root.
    chmodSync(folder, 0o755);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.once(signal, () => process.exit(1));
    return folder;
  } catch {
    return undefined;
  }
}

/** A run that was killed removes nothing, and memory is dearer than a disk. */
function removeLeftovers() {
  for (const name of readdirSync(memory).filter(each => each.startsWith(prefix)))
    if (!isRunning(Number(name.slice(prefix.length))))
      rmSync(path.join(memory, name), { recursive: true, force: true });
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error.code !== 'ESRCH';
  }
}
