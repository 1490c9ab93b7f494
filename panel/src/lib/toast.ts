import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly text: string;
  readonly details: readonly string[];
}

/** A new message replaces the one that is shown. */
let shown: Toast | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let count = 0;
const listeners = new Set<() => void>();

function show(next: Toast | undefined): void {
  clearTimeout(timer);
  shown = next;
  // Details take longer to read.
  if (next) timer = setTimeout(() => show(undefined), next.details.length ? 8000 : 3000);
  for (const listener of listeners) listener();
}

export const closeToast = (): void => show(undefined);
export const toastSuccess = (text: string, warnings: readonly string[] = []): void =>
  show({ id: ++count, kind: 'success', text, details: warnings.length ? [text, ...warnings] : [] });
export const toastError = (text: string, details: readonly string[] = []): void =>
  show({ id: ++count, kind: 'error', text, details });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useToast = (): Toast | undefined => useSyncExternalStore(subscribe, () => shown);
