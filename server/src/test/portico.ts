import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ofChildren } from './process.ts';

const script = fileURLToPath(new URL('../cli.ts', import.meta.url));

export interface Ran {
  code: number | null;
  out: string;
  error: string;
}

/** Starts the command line in a process of its own. */
export const spawnPortico = (args: readonly string[], environment: Record<string, string>) =>
  spawn(process.execPath, [script, ...args], { env: { ...ofChildren, ...environment } });

/** Runs the command line in a process of its own. */
export function portico(args: readonly string[], environment: Record<string, string>): Promise<Ran> {
  const child = spawnPortico(args, environment);
  const ran: Ran = { code: null, out: '', error: '' };
  child.stdout.on('data', chunk => (ran.out += chunk));
  child.stderr.on('data', chunk => (ran.error += chunk));
  return new Promise(resolve => child.once('close', code => resolve({ ...ran, code })));
}
