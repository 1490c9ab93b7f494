import { Worker } from 'node:worker_threads';

/** It took too long or too much memory, or its program failed. */
export class ApartFailed extends Error {
  override readonly name = 'ApartFailed';
}

/** Up to this size a file is read in place, because a thread takes longer to start. */
export const smallFile = 100_000;
const maxMs = 60_000;
const resourceLimits = { maxOldGenerationSizeMb: 768 };

/**
 * Runs a program in a thread of its own and returns its message. Work on a large file of a stranger would hold up RADIUS and
 * guests in the main thread, and cannot be interrupted there.
 */
export async function apart<T>(program: URL, workerData: unknown): Promise<T> {
  const worker = new Worker(program, { workerData, resourceLimits });
  const timer = setTimeout(() => void worker.terminate(), maxMs);
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (cause: unknown) => reject(new ApartFailed('it failed', { cause })));
      worker.once('exit', () => reject(new ApartFailed('it ended without an answer')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
