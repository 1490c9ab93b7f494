import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Load, Outcome } from './radius-load.ts';

/** A process that sends RADIUS packets. */
export interface Generator {
  readonly pid: number;
  /** One load at a time. */
  run(load: Load): Promise<Outcome>;
  stop(): void;
}

export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL('./radius-load.ts', import.meta.url)), { serialization: 'advanced' });
  return {
    pid: child.pid!,
    run: load =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error('The load generator ended'));
        child.once('exit', ended);
        child.once('message', outcome => {
          child.off('exit', ended);
          resolve(outcome as Outcome);
        });
        child.send(load);
      }),
    stop: () => child.disconnect(),
  };
}
