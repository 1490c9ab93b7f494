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

export interface ApartLimits<T> {
  /** For each message. */
  readonly maxMs?: number;
  readonly maxMb?: number;
  /** Takes a message that is not the last one, and says so. The thread is told to go on afterwards. */
  readonly take?: (message: T) => Promise<boolean>;
}

/**
 * Runs a program in a thread of its own and returns its last message. Work on a large file of a stranger would hold up RADIUS and
 * guests in the main thread, and cannot be interrupted there.
 */
export const apart = <T>(
  program: URL,
  workerData: unknown,
  { maxMs = 60_000, maxMb = 768, take }: ApartLimits<T> = {},
): Promise<T> =>
  threads(async () => {
    const worker = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxMb } });
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        const wait = () => {
          timer = setTimeout(() => reject(new ApartFailed('time')), maxMs);
        };
        wait();
        let taken = Promise.resolve();
        worker.on('message', (message: T) => {
          clearTimeout(timer);
          if (!take) return resolve(message);
          taken = take(message).then(goesOn => {
            if (!goesOn) return resolve(message);
            wait();
            // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
            worker.postMessage('go on');
          }, reject);
        });
        worker.once('error', (cause: Error & { code?: string }) =>
          reject(new ApartFailed(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'fault', cause)),
        );
        // A thread may end while its last message is being taken.
        worker.once('exit', code =>
          taken.then(() => reject(new ApartFailed('fault', new Error(`it ended with ${code}`)))),
        );
      });
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  });
