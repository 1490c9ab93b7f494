import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import type { PreviewMessage } from '@portico/contract/preview.ts';
import { createContext, type RefObject, useContext, useEffect, useRef } from 'react';

export type PreviewUpdate = Exclude<PreviewMessage, { type: 'portico:language-changed' | 'portico:view-changed' }>;

interface Editor {
  portal: Portal;
  readOnly: boolean;
  /** The language of the texts in the form and in the preview. */
  language: PortalLanguage;
  setLanguage: (language: PortalLanguage) => void;
  /** Shows another page in the preview: a name of its list. */
  setPreviewPage: (page: string) => void;
  /** Shows unsaved values in the preview. */
  show: (values: PreviewUpdate) => void;
  /** The forms edit the draft, if there is one, instead of the published portal. */
  drafts: boolean;
  /** Surveys, rules and advertisements are saved to the draft instead of published at once. */
  itemsToDraft?: boolean | undefined;
  /** Called when a form gets or loses unsaved changes. */
  onDirty: (dirty: boolean) => void;
  /** Changes when the forms have to drop what was typed and start from `portal`. */
  formKey: string;
  /** The `updated_at` that a save compares. */
  seenAt: string;
  /** Another person has changed the portal while the form has unsaved changes. */
  conflict?: boolean;
  /** Called before and after a save, whose own changes are no conflict. */
  setPhase: (phase: 'idle' | 'sending' | 'saved') => void;
  /** The values of the open form, for a comparison. */
  mine: RefObject<PortalForm>;
  /** Creates the portal, which does not exist yet. */
  create?: ((form: PortalForm) => Promise<unknown>) | undefined;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('A tab of the portal editor was rendered outside its context');
  return editor;
}

/** Shows `draft` in the preview, and `saved` again when the form unmounts. */
export function usePreviewValues(values: PreviewUpdate, saved: PreviewUpdate): void {
  const { show } = useEditor();
  const text = JSON.stringify(values);
  const latestSaved = useRef(saved);
  latestSaved.current = saved;
  useEffect(() => show(JSON.parse(text) as PreviewUpdate), [show, text]);
  useEffect(() => () => show(latestSaved.current), [show]);
}

/** Makes the form's values available for a comparison with another person's version. */
export function useMine(values: PortalForm): void {
  useEditor().mine.current = values;
}
