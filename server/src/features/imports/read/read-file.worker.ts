import { parentPort, workerData } from 'node:worker_threads';
import { readFile } from './read-file.ts';
import { Unreadable } from './reading.ts';

/** The answer of the thread. It has plain objects, because threads cannot exchange classes. */
export type ReadAnswer = ReturnType<typeof readFile> | { readonly problem: Pick<Unreadable, 'key' | 'values'> };

function read(): ReadAnswer {
  try {
    return readFile(workerData as Uint8Array);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { problem: { key: error.key, values: error.values } };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort!.postMessage(read());
