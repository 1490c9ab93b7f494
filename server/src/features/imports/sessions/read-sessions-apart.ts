import { Worker } from 'node:worker_threads';
import { Unreadable } from '../read/reading.ts';
import type { SessionFindings } from './read-sessions.ts';
import type { SessionsAnswer } from './read-sessions.worker.ts';

const program = new URL('read-sessions.worker.ts', import.meta.url);
/** A statement of the longest kind takes some times its size. */
const maxMb = 512;

/** Reads an open file of past sessions in a thread of its own. The next list is read when `take` has done with one. */
export async function readSessionsApart(
  file: number,
  take: (list: string, rows: number) => Promise<void>,
): Promise<SessionFindings> {
  const worker = new Worker(program, {
    workerData: { file, now: Date.now() },
    resourceLimits: { maxOldGenerationSizeMb: maxMb },
  });
  try {
    return await new Promise<SessionFindings>((resolve, reject) => {
      worker.on('message', (answer: SessionsAnswer) => {
        if ('findings' in answer) resolve(answer.findings);
        else if ('problem' in answer) reject(new Unreadable(answer.problem.key, answer.problem.values));
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        else take(answer.list, answer.rows).then(() => worker.postMessage('go on'), reject);
      });
      // The program or its memory failed: the file is not what such programs write.
      worker.once('error', () => reject(new Unreadable('import_unknown_file')));
      worker.once('exit', () => reject(new Unreadable('import_unknown_file')));
    });
  } finally {
    await worker.terminate();
  }
}
