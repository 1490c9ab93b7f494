import { readEventStream } from '#lib/event-stream.ts';
import { token } from '#lib/session.ts';

/** One stream of `GET /v1/panel/events` for the whole panel, open while some screen listens. */

/** Undefined: some changes may have been missed. */
type Listener = (topic: string | undefined) => void;

const listeners = new Set<Listener>();
let stream: AbortController | undefined;

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  stream ??= start();
  return () => {
    listeners.delete(listener);
    // Changing from one listening screen to another must not reconnect.
    setTimeout(() => {
      if (listeners.size > 0) return;
      stream?.abort();
      stream = undefined;
    }, 1000);
  };
}

function start(): AbortController {
  const control = new AbortController();
  void keepOpen(control.signal);
  return control;
}

/** A screen that waits longer shows old figures after the server has come back. */
const longestPauseMs = 10_000;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function keepOpen(signal: AbortSignal): Promise<void> {
  let isFirst = true;
  // While it was closed, changes were told to other streams only.
  const onOpen = () => {
    if (!isFirst) notify(undefined);
    isFirst = false;
  };
  for (let failures = 0; !signal.aborted && token(); failures++) {
    const opened = Date.now();
    const take = (data: unknown) => {
      const { topic } = data as { topic?: string };
      if (topic) notify(topic);
    };
    await readEventStream('/v1/panel/events', signal, take, onOpen).catch(() => undefined);
    if (Date.now() - opened > 30_000) failures = 0;
    // Jitter, so that not all panels reconnect in the same second after a server restart.
    await pause(Math.min(longestPauseMs, 1000 * 2 ** failures) * (0.5 + Math.random()));
  }
}

function notify(topic: string | undefined): void {
  for (const listener of listeners) listener(topic);
}
