import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import compactClasses from '#features/portals/editor/compact-editor.module.css';
import { ConflictNote } from '#features/portals/editor/conflict-note.tsx';
import { EditorContext } from '#features/portals/editor/editor-context.ts';
import classes from '#features/portals/editor/portal-editor.module.css';
import { useBase } from '#features/portals/editor/use-base.ts';
import { Preview } from '#features/portals/preview/preview.tsx';
import { usePreviewFrame } from '#features/portals/preview/use-preview-frame.ts';
import { api } from '#lib/api.ts';
import { language as panelLanguage } from '#lib/language.ts';
import { useLive } from '#lib/use-live.ts';

interface Props {
  portal: Portal;
  readOnly: boolean;
  /** The address of the preview; undefined until it is known. */
  previewSrc: string | undefined;
  /** False on tabs whose content the sign-in page does not show. */
  hasPreview?: boolean;
  /** On narrow screens the preview covers the form while this is true. */
  previewShown: boolean;
  onHidePreview: () => void;
  /** The forms edit the draft instead of the published portal. */
  drafts: boolean;
  itemsToDraft?: boolean;
  onDirty?: (dirty: boolean) => void;
  /** Creates the portal, which does not exist yet. */
  create?: ((form: PortalForm) => Promise<unknown>) | undefined;
  /** Draws the preview smaller, for editors inside another screen. */
  compact?: boolean;
  children: ReactNode;
}

/** A portal's form and its preview side by side. Provides the editor context to both. */
export function PortalWorkspace({
  portal: latest,
  readOnly,
  drafts,
  itemsToDraft,
  onDirty,
  create,
  children,
  ...props
}: Props) {
  const { previewSrc, hasPreview = true, previewShown, onHidePreview, compact } = props;
  useLive('portals', api.portals.get, api.portals.draft);
  const { base: portal, formKey, theirs, seenAt, setDirty, setPhase, takeTheirs, keepMine } = useBase(latest);
  const mine = useRef<PortalForm>({});
  const noteDirty = useCallback(
    (dirty: boolean) => {
      setDirty(dirty);
      onDirty?.(dirty);
    },
    [setDirty, onDirty],
  );
  const [language, setLanguage] = useState<PortalLanguage>(() => {
    const own = panelLanguage();
    return portal.page.languages.includes(own) ? own : portal.page.languages[0]!;
  });
  const frame = usePreviewFrame({ portalId: portal.id, src: previewSrc, language, visible: hasPreview });
  const [previewPage, setPreviewPage] = useState('sign-in');
  const { show } = frame;
  const conflict = theirs !== undefined;
  const editor = useMemo(
    () => ({
      portal,
      readOnly,
      language,
      setLanguage,
      setPreviewPage,
      show,
      drafts,
      itemsToDraft,
      onDirty: noteDirty,
      formKey,
      seenAt,
      conflict,
      setPhase,
      mine,
      create,
    }),
    [portal, readOnly, language, show, drafts, itemsToDraft, noteDirty, formKey, seenAt, conflict, setPhase, create],
  );
  return (
    <EditorContext value={editor}>
      {theirs && (
        <ConflictNote
          base={portal}
          theirs={theirs}
          mine={() => mine.current}
          takeTheirs={takeTheirs}
          keepMine={keepMine}
        />
      )}
      <div className={compact ? compactClasses.workspace : classes.workspace} data-preview={hasPreview || undefined}>
        <div className={classes.form}>{children}</div>
        {hasPreview && (
          <Preview
            frame={frame}
            page={previewPage}
            onPage={setPreviewPage}
            shown={previewShown}
            onHide={onHidePreview}
          />
        )}
      </div>
    </EditorContext>
  );
}
