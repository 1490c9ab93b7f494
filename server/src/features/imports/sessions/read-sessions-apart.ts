import { ApartFailed, apart } from '#lib/apart.ts';
import { Unreadable } from '../read/reading.ts';
import type { SessionFindings } from './read-sessions.ts';
import type { SessionsAnswer } from './read-sessions.worker.ts';

const program = new URL('read-sessions.worker.ts', import.meta.url);
/** A statement of the longest kind takes some times its size. */
const maxMb = 512;

/**
 * Reads an open file of past sessions in a thread of its own. The next list is read when `take` has done with one. Throws ApartFailed
 * if that takes too long or the program fails.
 */
export async function readSessionsApart(
  file: number,
  take: (list: string, rows: number) => Promise<void>,
): Promise<SessionFindings> {
  const last = await apart<SessionsAnswer>(
    program,
    { file, now: Date.now() },
    {
      maxMb,
      take: async answer => {
        if (!('list' in answer)) return false;
        await take(answer.list, answer.rows);
        return true;
      },
    },
  ).catch((error: unknown) => {
    // The memory is enough for what such programs write.
    if (error instanceof ApartFailed && error.reason === 'memory') throw new Unreadable('import_unknown_file');
    throw error;
  });
  if ('problem' in last) throw new Unreadable(last.problem.key, last.problem.values);
  if ('findings' in last) return last.findings;
  throw new ApartFailed('fault');
}
