/** Enough for a slow network; afterwards the keys belong to the screen again. */
const longestWaitMs = 10_000;

let typed = '';
let waiting: AbortController | undefined;

/**
 * Keeps what is typed between a shortcut and the moment when the box that it opens has the focus. The box is loaded on
 * demand, and the keys would otherwise reach the screen behind it, or nothing.
 */
export function keepEarlyKeys(): void {
  if (waiting && !waiting.signal.aborted) return;
  typed = '';
  waiting = new AbortController();
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(longestWaitMs)]);
  addEventListener('keydown', keep, { capture: true, signal });
}

/** Returns what was typed so far, and keeps no more. */
export function takeEarlyKeys(): string {
  waiting?.abort();
  const taken = typed;
  typed = '';
  return taken;
}

function keep(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
  else return;
  event.preventDefault();
  event.stopPropagation();
}
