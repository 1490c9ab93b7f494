import { readEventStream } from '#lib/event-stream.ts';
import { token } from '#lib/session.ts';

/** One stream of `GET /v1/panel/events` for the whole panel, open while some screen listens. */

type Listener = (topic: string) => void;

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

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function keepOpen(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted && token(); failures++) {
    const opened = Date.now();
    await readEventStream('/v1/panel/events', signal, data => notify((data as { topic?: string }).topic)).catch(
      () => undefined,
    );
    if (Date.now() - opened > 30_000) failures = 0;
    // Jitter, so that not all panels reconnect in the same second after a server restart.
    await pause(Math.min(60_000, 1000 * 2 ** failures) * (0.5 + Math.random()));
  }
}

function notify(topic: string | undefined): void {
  if (topic) for (const listener of listeners) listener(topic);
}
