import { apart, smallFile } from '#lib/apart.ts';
import { readFile } from './read-file.ts';
import type { ReadAnswer } from './read-file.worker.ts';
import { Reading, type Source, Unreadable } from './reading.ts';

const program = new URL('read-file.worker.ts', import.meta.url);

/** Reads a file in a thread of its own. Throws ApartFailed if that takes too long or too much memory. */
export async function readApart(bytes: Uint8Array): Promise<{ source: Source; reading: Reading }> {
  if (bytes.length <= smallFile) return readFile(bytes);
  const answer = await apart<ReadAnswer>(program, bytes);
  if ('problem' in answer) throw new Unreadable(answer.problem.key, answer.problem.values);
  return { source: answer.source, reading: Object.assign(new Reading(), answer.reading) };
}
