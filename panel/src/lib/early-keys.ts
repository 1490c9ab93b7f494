/** Enough for a slow network; afterwards the keys belong to the screen again. */
const longestWaitMs = 10_000;

let typed = '';
let waiting: AbortController | undefined;
let timeout: AbortSignal | undefined;

/**
 * Keeps what is typed between a shortcut and the moment when the box that it opens has the focus. The box is loaded on
 * demand, and the keys would otherwise reach the screen behind it, or nothing.
 */
export function keepEarlyKeys(): void {
  if (waiting && !waiting.signal.aborted && !timeout?.aborted) return;
  typed = '';
  waiting = new AbortController();
  timeout = AbortSignal.timeout(longestWaitMs);
  addEventListener('keydown', keep, { capture: true, signal: AbortSignal.any([waiting.signal, timeout]) });
}

/** Returns what was typed so far, and keeps no more. */
export function takeEarlyKeys(): string {
  waiting?.abort();
  const taken = typed;
  typed = '';
  return taken;
}

/** Keys that would act on the screen behind, or begin a letter there. */
const swallowed: readonly string[] = ['Enter', 'Tab', 'Dead'];

function keep(event: KeyboardEvent): void {
  // AltGr is Ctrl with Alt on Windows; it and the Option key of a Mac type letters such as @.
  const isShortcut = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
  if (isShortcut) return;
  if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
  else if (!swallowed.includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
}
