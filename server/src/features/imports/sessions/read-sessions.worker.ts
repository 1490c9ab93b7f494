import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Unreadable } from '../read/reading.ts';
import { readSessions, type SessionFindings } from './read-sessions.ts';

/** What the thread says. It waits for an answer to each list, so that no more of the file is in memory. */
export type SessionsAnswer =
  | { readonly list: string; readonly rows: number }
  | { readonly findings: SessionFindings }
  | { readonly problem: Pick<Unreadable, 'key' | 'values'> };

const pieceBytes = 1024 ** 2;
const { path, now } = workerData as { path: string; now: number };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (answer: SessionsAnswer) => parentPort!.postMessage(answer);
const answered = () => new Promise<void>(resolve => parentPort!.once('message', () => resolve()));

const file = openSync(path, 'r');
const bytes = Buffer.alloc(pieceBytes);
const decoder = new TextDecoder();
let ended = false;
/** Reads at once: a thread of its own may wait. */
function more(): string | undefined {
  if (ended) return undefined;
  const length = readSync(file, bytes);
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
  closeSync(file);
  parentPort!.close();
}
