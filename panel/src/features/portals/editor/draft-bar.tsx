import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { showConflict } from '#features/portals/editor/conflict-note.tsx';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { UndoButtons } from '#features/portals/editor/undo-buttons.tsx';
import type { Undo } from '#features/portals/editor/use-undo.ts';
import { SaveBar, type SaveBarProps } from '#ui/save-bar.tsx';

export interface FootProps extends SaveBarProps {
  /** Saves the form to the draft. */
  onSaveDraft: (form: HTMLFormElement | null) => void;
  undo: Undo;
}

/** Publishes the form, or saves it to the draft. */
export function DraftBar({ onSaveDraft, undo, ...props }: FootProps) {
  const { t } = useTranslation('portal-editor');
  const { onDirty, conflict, readOnly } = useEditor();
  const { dirty, pending } = props;
  const stays = undo.canRedo && !dirty;
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [onDirty, dirty]);
  return (
    <SaveBar {...props} stays={stays} readOnly={readOnly} note={conflict ? t('conflict.elsewhere') : undefined}>
      {conflict && (
        <Button variant="light" onClick={showConflict}>
          {t('conflict.show')}
        </Button>
      )}
      <UndoButtons undo={undo} disabled={pending} />
      <Button variant="default" disabled={pending || stays} onClick={event => onSaveDraft(event.currentTarget.form)}>
        {t('draft.keep')}
      </Button>
    </SaveBar>
  );
}
