import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';

interface Limits {
  readonly cpuSeconds: number;
  /** The limit of the address space. Not every system can set it. */
  readonly kilobytes: number;
  /** The limit of the elapsed time, in which other processes run too. */
  readonly ms: number;
  /** Added to the priority number, so that other work goes first. */
  readonly nice?: number;
}

export interface Ended {
  /** Null after a signal, such as that of the limit of CPU time. */
  readonly code: number | null;
  readonly output: Buffer;
  /** It took longer than `ms`. */
  readonly isLate: boolean;
}

/** The system could not start the process, for example because too many files are open. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/**
 * Runs a program with limits, gives it `input` and returns its output. Its environment has only `env`: no setting of the
 * service, such as its key, reaches it. Throws NotStarted, and nothing else.
 */
export async function runLimited(
  [path, ...args]: readonly [path: string, ...args: string[]],
  input: readonly (string | Buffer)[],
  limits: Limits,
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  // The limits apply to the program that replaces the shell.
  const nice = limits.nice === undefined ? '' : `nice -n ${limits.nice} `;
  const shell = `ulimit -t ${limits.cpuSeconds}; ulimit -v ${limits.kilobytes} 2>/dev/null; exec ${nice}"$0" "$@"`;
  try {
    const child = spawn('/bin/sh', ['-c', shell, path, ...args], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: limits.ms,
      killSignal: 'SIGKILL',
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // Without descriptors left, a child has no streams, although its type has.
    const { stdin, stdout }: Partial<typeof child> = child;
    // A process that was killed does not read to the end.
    stdin?.on('error', () => undefined);
    for (const part of input) stdin?.write(part);
    stdin?.end();
    const [code, output] = await Promise.all([ended, stdout ? buffer(stdout) : Buffer.alloc(0)]);
    return { code, output, isLate: child.killed };
  } catch (cause) {
    throw new NotStarted('The system could not start a process', { cause });
  }
}
