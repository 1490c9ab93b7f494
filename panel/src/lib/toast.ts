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
  clearTimeout(timer);
  shown = next;
  if (next) timer = setTimeout(() => show(undefined), shownFor(next));
  for (const listener of listeners) listener();
}

export const closeToast = (): void => show(undefined);
export const toastSuccess = (text: string, warnings: readonly string[] = []): void =>
  show({ id: ++count, kind: 'success', text, details: warnings.length ? [text, ...warnings] : [] });
/** Offers for ten seconds to take back what was done. */
export const toastUndo = (text: string, undo: () => void): void =>
  show({ id: ++count, kind: 'success', text, details: [], undo });
export const toastError = (text: string, details: readonly string[] = []): void =>
  show({ id: ++count, kind: 'error', text, details });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useToast = (): Toast | undefined => useSyncExternalStore(subscribe, () => shown);
