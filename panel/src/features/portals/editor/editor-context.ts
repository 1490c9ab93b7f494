import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { Portal } from '@portico/contract/portals.ts';
import type { PreviewMessage } from '@portico/contract/preview.ts';
import { createContext, useContext, useEffect, useRef } from 'react';

export type Draft = Exclude<PreviewMessage, { type: 'portico:language-changed' }>;

interface Editor {
  portal: Portal;
  readOnly: boolean;
  /** The language of the texts in the form and in the preview. */
  language: PortalLanguage;
  setLanguage: (language: PortalLanguage) => void;
  /** Shows unsaved values in the preview. */
  show: (draft: Draft) => void;
  /** The forms edit the draft, if there is one, instead of the published portal. */
  drafts: boolean;
  /** Surveys, rules and advertisements are saved to the draft instead of published at once. */
  keepItems?: boolean | undefined;
  /** Called when a form gets or loses unsaved changes. */
  onDirty?: ((dirty: boolean) => void) | undefined;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('A tab of the portal editor was drawn outside it');
  return editor;
}

/** Shows `draft` in the preview, and `saved` again when the form unmounts. */
export function usePreviewed(draft: Draft, saved: Draft): void {
  const { show } = useEditor();
  const text = JSON.stringify(draft);
  const kept = useRef(saved);
  kept.current = saved;
  useEffect(() => show(JSON.parse(text) as Draft), [show, text]);
  useEffect(() => () => show(kept.current), [show]);
}
