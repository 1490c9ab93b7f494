import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder. */
export const root = path.resolve(fileURLToPath(import.meta.url), '../../..');

/**
 * Runs a command in the checkout and resolves to its exit code. `quiet` hides its output unless it fails;
 * `output` receives the output instead of the terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, output?: (text: string) => void, cwd?: string, env?: Record<string, string> }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { quiet = false, output, cwd = root, env = {} } = {}) {
  return new Promise(resolve => {
    const stdio = quiet || output ? /** @type {const} */ (['ignore', 'pipe', 'pipe']) : 'inherit';
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio });
    let hidden = '';
    const collect =
      output ??
      (text => {
        hidden += text;
      });
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', error => {
      (output ?? (text => process.stderr.write(text)))(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', code => {
      if (code !== 0) process.stderr.write(hidden);
      resolve(code ?? 1);
    });
  });
}

/** Ends the script with one line for the user. */
export function giveUp(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
