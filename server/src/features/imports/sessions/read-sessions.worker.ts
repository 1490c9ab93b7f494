import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Unreadable } from '../read/reading.ts';
import { readSessions, type SessionFindings } from './read-sessions.ts';

/** A message of the thread. It waits for an answer to each list, so that no more of the file is in memory. */
export type SessionsAnswer =
  | { readonly list: string; readonly rows: number }
  | { readonly findings: SessionFindings }
  | { readonly problem: Pick<Unreadable, 'key' | 'values'> };

const pieceBytes = 1024 ** 2;
const { file, now } = workerData as { file: number; now: number };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (answer: SessionsAnswer) => parentPort!.postMessage(answer);
const answered = () => new Promise<void>(resolve => parentPort!.once('message', () => resolve()));

const bytes = Buffer.alloc(pieceBytes);
const decoder = new TextDecoder();
let [at, ended] = [0, false];
/** Reads at once: a thread of its own may wait. */
function more(): string | undefined {
  if (ended) return undefined;
  // The file was written through the same descriptor, so its own place is the end.
  const length = readSync(file, bytes, 0, pieceBytes, at);
  at += length;
  ended = length === 0;
  return decoder.decode(bytes.subarray(0, length), { stream: !ended });
}

try {
  const findings: SessionFindings = { total: 0, withoutMac: 0, skipped: {} };
  for (const list of readSessions(more, findings, now)) {
    say({ list: JSON.stringify(list), rows: list.length });
    await answered();
  }
  say({ findings });
} catch (error) {
  if (!(error instanceof Unreadable)) throw error;
  say({ problem: { key: error.key, values: error.values } });
} finally {
  parentPort!.close();
}
