import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { Portal } from '@portico/contract/portals.ts';
import type { PreviewMessage } from '@portico/contract/preview.ts';
import { createContext, useContext, useEffect, useRef } from 'react';

export type Draft = Exclude<PreviewMessage, { type: 'portico:language-changed' }>;

interface Editor {
  portal: Portal;
  readOnly: boolean;
  /** The language that is edited and previewed. */
  language: PortalLanguage;
  setLanguage: (language: PortalLanguage) => void;
  /** Shows a part of the portal in the preview as it stands now, saved or not. */
  show: (draft: Draft) => void;
  /** Whether the forms work on the draft, where there is one; else on what guests see. */
  drafts: boolean;
  /** Whether surveys, rules and advertisements are changed in the draft; else guests meet the change at once. */
  keepItems?: boolean;
  /** Is told whether a form holds what is not saved. */
  onDirty?: (dirty: boolean) => void;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('A tab of the portal editor was drawn outside it');
  return editor;
}

/** Keeps the preview at `draft`, and returns it to `saved` when the form goes away. */
export function usePreviewed(draft: Draft, saved: Draft): void {
  const { show } = useEditor();
  const text = JSON.stringify(draft);
  const kept = useRef(saved);
  kept.current = saved;
  useEffect(() => show(JSON.parse(text) as Draft), [show, text]);
  useEffect(() => () => show(kept.current), [show]);
}
