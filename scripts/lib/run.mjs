import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder. */
export const root = path.resolve(fileURLToPath(import.meta.url), '../../..');

/**
 * Runs a command in the checkout and resolves to its exit code. `quiet` keeps its output back unless it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { quiet = false, cwd = root, env = {} } = {}) {
  return new Promise(resolve => {
    const stdio = quiet ? /** @type {const} */ (['ignore', 'pipe', 'pipe']) : 'inherit';
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio });
    let said = '';
    const keep = chunk => {
      said += chunk;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', error => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', code => {
      if (code !== 0) process.stderr.write(said);
      resolve(code ?? 1);
    });
  });
}

/** Ends the script with one line for the person who started it. */
export function giveUp(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
