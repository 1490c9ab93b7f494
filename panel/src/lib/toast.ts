import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly text: string;
  readonly details: readonly string[];
  /** Takes back what was done. */
  readonly undo?: () => void;
}

/** A new message replaces the one that is shown. */
let shown: Toast | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let count = 0;
const listeners = new Set<() => void>();

/** Errors take 3000 ms (document 1, section 8). Warnings take longer to read, and an action longer to decide. */
export const shownFor = ({ undo, kind, details }: Toast): number =>
  undo ? 10_000 : kind === 'success' && details.length ? 8000 : 3000;

function show(next: Toast | undefined): void {
  shown = next;
  releaseToast();
  for (const listener of listeners) listener();
}

/** Keeps the message, while the pointer or the focus is on it. */
export const holdToast = (): void => clearTimeout(timer);
/** Lets its time begin again. */
export function releaseToast(): void {
  clearTimeout(timer);
  if (shown) timer = setTimeout(closeToast, shownFor(shown));
}

export const closeToast = (): void => show(undefined);
/** Closes a message that offers to take something back. Others stay. */
export const closeUndo = (): void => {
  if (shown?.undo) closeToast();
};
const withWarnings = (text: string, warnings: readonly string[]) => (warnings.length ? [text, ...warnings] : []);
export const toastSuccess = (text: string, warnings: readonly string[] = []): void =>
  show({ id: ++count, kind: 'success', text, details: withWarnings(text, warnings) });
/** Offers for ten seconds to take back what was done. */
export const toastUndo = (text: string, warnings: readonly string[], undo: () => void): void =>
  show({ id: ++count, kind: 'success', text, details: withWarnings(text, warnings), undo });
export const toastError = (text: string, details: readonly string[] = []): void =>
  show({ id: ++count, kind: 'error', text, details });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useToast = (): Toast | undefined => useSyncExternalStore(subscribe, () => shown);
