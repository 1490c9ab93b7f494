/** Enough for a slow network; afterwards the keys belong to the screen again. */
const longestWaitMs = 10_000;

let typed = '';
let taken = new AbortController();
let waiting: AbortSignal | undefined;

/**
 * Keeps the keys typed between a shortcut and the moment when the box that it opens has the focus. The box is loaded on
 * demand, and the keys would otherwise reach the screen behind it, or nothing.
 */
export function keepEarlyKeys(): void {
  if (waiting && !waiting.aborted) return;
  typed = '';
  taken = new AbortController();
  waiting = AbortSignal.any([taken.signal, AbortSignal.timeout(longestWaitMs)]);
  addEventListener('keydown', keep, { capture: true, signal: waiting });
}

/** Returns what was typed so far, and keeps no more. */
export function takeEarlyKeys(): string {
  taken.abort();
  const early = typed;
  typed = '';
  return early;
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
