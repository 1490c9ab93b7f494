import { useCallback, useEffect, useReducer, useRef } from 'react';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { isApple } from '#lib/is-apple.ts';
import type { Adoption } from '#ui/use-contract-form.ts';

/** Changes within this time (ms) are undone together, such as the letters of a word. */
const oneStepMs = 700;
const maxSteps = 100;

interface UndoableForm<Values> {
  values: Values;
  setValues: (values: Values) => void;
}

export interface Undo {
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
}

/**
 * Undo and redo of a form's values, also by Ctrl Z and Shift Ctrl Z, or Ctrl Y except on a Mac. The form's own save does not
 * end them; a version of another person, or a restored one, does.
 */
export function useUndo<Values extends object>(
  { values, setValues }: UndoableForm<Values>,
  { count, isOwn }: Adoption,
): Undo {
  const { readOnly } = useEditor();
  const steps = useRef({ past: [] as string[], future: [] as string[], now: JSON.stringify(values), at: 0, count });
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const text = JSON.stringify(values);
  useEffect(() => {
    const it = steps.current;
    if (count !== it.count) {
      Object.assign(it, { now: text, at: 0, count, ...(!isOwn && { past: [], future: [] }) });
      redraw();
    }
    if (text === it.now) return;
    if (Date.now() - it.at > oneStepMs) it.past = [...it.past, it.now].slice(-maxSteps);
    Object.assign(it, { now: text, at: Date.now(), future: [] });
    redraw();
  }, [text, count, isOwn]);

  const apply = useRef(setValues);
  apply.current = setValues;
  const go = useCallback((from: 'past' | 'future', to: 'past' | 'future') => {
    const it = steps.current;
    const next = it[from].at(-1);
    if (next === undefined) return;
    it[from] = it[from].slice(0, -1);
    it[to] = [...it[to], it.now];
    Object.assign(it, { now: next, at: 0 });
    apply.current(JSON.parse(next) as Values);
    redraw();
  }, []);

  useEffect(() => {
    if (readOnly) return;
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      // On a Mac, Ctrl Y is a command of text fields.
      const isRedo = (key === 'z' && event.shiftKey) || (!isApple && key === 'y' && event.ctrlKey && !event.shiftKey);
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && !isRedo)) return;
      // Rich text has its own undo; a dialog covers the form.
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      if (target?.isContentEditable || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      if (isRedo) go('future', 'past');
      else go('past', 'future');
    };
    // Before the message of an earlier action takes the key.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [readOnly, go]);

  const { past, future } = steps.current;
  return {
    undo: () => go('past', 'future'),
    redo: () => go('future', 'past'),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}
