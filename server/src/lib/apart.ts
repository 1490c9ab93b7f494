import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';

/** Why a thread gave no answer: it took too long or too much memory, or its program failed. */
export type ApartReason = 'time' | 'memory' | 'fault';

export class ApartFailed extends Error {
  override readonly name = 'ApartFailed';
  readonly reason: ApartReason;
  constructor(reason: ApartReason, cause?: unknown) {
    super(`a thread gave no answer: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Up to this size a file is read in place, because a thread takes longer to start. */
export const smallFile = 100_000;
/** More files wait: each takes several times its size in memory. */
const threads = pLimit(2);

/**
 * Runs a program in a thread of its own and returns its message. Work on a large file of a stranger would hold up RADIUS and
 * guests in the main thread, and cannot be interrupted there.
 */
export const apart = <T>(
  program: URL,
  workerData: unknown,
  { maxMs = 60_000, maxMb = 768 }: { maxMs?: number; maxMb?: number } = {},
): Promise<T> =>
  threads(async () => {
    const worker = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxMb } });
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        timer = setTimeout(() => reject(new ApartFailed('time')), maxMs);
        worker.once('message', resolve);
        worker.once('error', (cause: Error & { code?: string }) =>
          reject(new ApartFailed(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'fault', cause)),
        );
        worker.once('exit', code => reject(new ApartFailed('fault', new Error(`it ended with ${code}`))));
      });
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  });
